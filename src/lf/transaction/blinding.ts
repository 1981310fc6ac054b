/** Who sees what (Daml ledger model, privacy): a node is seen by its informees and by whoever sees the exercise above it. */
import { assert } from "../../base/assert.js";
import type { BlindingInfo, NodeId, Party, Transaction, TransactionNode } from "./node.js";
import { union } from "./party-sets.js";

export function computeBlinding(transaction: Transaction): BlindingInfo {
  const disclosure: (readonly Party[])[] = new Array(transaction.nodes.length);
  const divulgence = new Map<string, readonly Party[]>();

  const divulge = (contractId: string, parties: readonly Party[]): void => {
    if (parties.length > 0) divulgence.set(contractId, union(divulgence.get(contractId) ?? [], parties));
  };

  const pending: { readonly id: NodeId; readonly seenBy: readonly Party[] }[] = [];
  const visitLater = (ids: readonly NodeId[], seenBy: readonly Party[]): void => {
    for (let i = ids.length - 1; i >= 0; i--) pending.push({ id: ids[i]!, seenBy });
  };

  visitLater(transaction.roots, []);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = transaction.nodes[next.id];
    assert(node !== undefined, "a transaction holds the nodes that it refers to");
    const witnesses = union(next.seenBy, informeesOf(node));
    disclosure[next.id] = witnesses;
    if (node.kind === "fetch") divulge(node.contractId, without(next.seenBy, node.stakeholders));
    if (node.kind === "exercise") divulge(node.contractId, without(union(next.seenBy, node.choiceObservers), node.stakeholders));
    if (node.kind === "exercise" || node.kind === "rollback") visitLater(node.children, witnesses);
  }
  return { disclosure, divulgence };
}

/** The parties that a node concerns by itself. */
export function informeesOf(node: TransactionNode): readonly Party[] {
  switch (node.kind) {
    case "create":
      return node.stakeholders;
    case "fetch":
      return union(node.signatories, node.actingParties);
    case "exercise":
      return exerciseInformees(node);
    case "queryByKey":
      return node.key.maintainers;
    case "rollback":
      return [];
  }
}

function exerciseInformees(node: Extract<TransactionNode, { kind: "exercise" }>): readonly Party[] {
  const holders = node.consuming ? node.stakeholders : node.signatories;
  return union(union(holders, node.actingParties), union(node.choiceObservers, node.choiceAuthorizers ?? []));
}

function without(parties: readonly Party[], excluded: readonly Party[]): readonly Party[] {
  return parties.filter((party) => !excluded.includes(party));
}
