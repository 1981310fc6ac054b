/** What the engine asks of a contract with an id of the newest version before it is used. */
import { type ContractInstance, hashingOf, matchesTypedId } from "../../../src/lf/transaction/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";

type Type = Parameters<typeof matchesTypedId>[1];

export const isAuthentic = (instance: ContractInstance, type: Type, argument: LedgerValue = instance.argument): boolean =>
  hashingOf(instance.contractId) === "typed" && matchesTypedId(instance, type, argument);
