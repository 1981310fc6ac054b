/** What the commands of wallets share: records of the token standard, and ids for what happens once. */
import { sha256Hex } from "../../base/sha256.js";
import type { Party } from "../../ledger/index.js";
import type { ChoiceContext } from "../registry/choice-context.js";

export type Meta = Readonly<Record<string, string>>;
export const metadata = (values: Meta = {}) => ({ values });
const noContext = { values: {} };
export const extraArgs = (context?: ChoiceContext) => ({ context: context?.choiceContextData ?? noContext, meta: metadata() });

/** An account of the second generation that is a party's alone. */
export const accountOf = (party: Party) => ({ owner: party, provider: null, id: "" });

/** The key under which transfers say what they are for. */
export const reasonKey = "splice.lfdecentralizedtrust.org/reason";

/** The same command for the same words: what is asked for again happens once. */
export const commandIdOf = (operation: string, ...words: readonly string[]): string => `wallet.${operation}_${sha256Hex(words.join("\n"))}`;
