/** Commands in the Ledger JSON API's form, and the records that choices of the token standard share. */
import { sha256Hex } from "../../base/sha256.js";
import type { Party } from "../../ledger/index.js";
import { reference, type Name } from "../names.js";
import type { ChoiceContext } from "../registry/choice-context.js";

export const create = (template: Name, createArguments: object): object => ({
  CreateCommand: { templateId: reference(template), createArguments },
});

/** Of a template, or of an interface. */
export const exercise = (of: Name, contractId: string, choice: string, choiceArgument: object): object => ({
  ExerciseCommand: { templateId: reference(of), contractId, choice, choiceArgument },
});

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
