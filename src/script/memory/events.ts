/** What a script is told of a transaction: its creates and exercises. */
import { assert } from "../../base/assert.js";
import type { Transaction } from "../../lf/index.js";
import type { LedgerEvent } from "../ledger.js";

export const eventsOf = (transaction: Transaction): readonly LedgerEvent[] =>
  transaction.roots.flatMap((root) => eventOf(transaction, root) ?? []);

/** Undefined for what is no event: fetches, queries and rollbacks. */
function eventOf(transaction: Transaction, id: number): LedgerEvent | undefined {
  const node = transaction.nodes[id]!;
  if (node.kind === "create") return { kind: "created", contractId: node.contractId, templateId: node.templateId, argument: node.argument };
  if (node.kind !== "exercise") return undefined;
  const { contractId, templateId, interfaceId, choice, argument, result, children } = node;
  assert(result !== undefined, "an exercise outside of rollbacks has a result");
  return {
    kind: "exercised",
    contractId,
    templateId,
    interfaceId,
    choice,
    argument,
    result,
    children: children.flatMap((child) => eventOf(transaction, child) ?? []),
  };
}
