/** The public test tokens: whoever made their rules on this ledger has a registry for them, without configuration. */
import type { Party } from "../../ledger/index.js";
import type { Contracts } from "../contracts.js";
import type { Name } from "../names.js";
import { identifierProblem } from "../refusal.js";
import type { TokenRegistry } from "./configuration.js";

type KnownToken = Omit<TokenRegistry, "admin" | "instruments"> & { readonly rules: Name };

const first = (entity: string): Name => ({ packageName: "splice-test-token-v1", entity: `Splice.Testing.Tokens.TestTokenV1${entity}` });
const second = (entity: string): Name => ({ packageName: "splice-test-token-v2", entity: `Splice.Testing.Tokens.TestTokenV2${entity}` });

const knownTokens: readonly KnownToken[] = [
  {
    name: "splice-test-token-v1",
    rules: first(":TokenRules"),
    contracts: [],
    factories: { transfer: first(":TokenRules"), allocation: first(":TokenRules") },
  },
  {
    name: "splice-test-token-v2",
    rules: second(":TokenRules"),
    contracts: [
      { template: second(":TokenRules"), key: "testTokenV2/tokenRules" },
      { template: second(".AccountConfig:AccountConfig"), key: "testTokenV2/accountConfigs", asList: true, observed: true },
    ],
    factories: { transfer: second(":TokenRules"), allocation: second(":TokenRules"), settlement: second(":TokenRules") },
  },
];

/** Who has rules of both has the registry of the newer; what is no party's name has none. */
export async function knownRegistryOf(contracts: Contracts, admin: Party): Promise<TokenRegistry | undefined> {
  if (identifierProblem(admin)) return undefined;
  for (const { rules, ...token } of [...knownTokens].reverse()) {
    if (!contracts.knows(rules)) continue;
    const made = await contracts.all(rules, admin);
    if (made.some(({ signatories }) => signatories.includes(admin))) return { ...token, admin, instruments: [] };
  }
  return undefined;
}
