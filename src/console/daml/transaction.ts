/** A transaction as a tree: what one exercise did lies between its node and its last descendant. */
import type { CreatedEvent, Event, ExercisedEvent } from "../../api/ledger/types/events.js";

export type TreeNode =
  | { readonly kind: "create"; readonly nodeId: number; readonly depth: number; readonly event: CreatedEvent }
  | { readonly kind: "exercise"; readonly nodeId: number; readonly depth: number; readonly event: ExercisedEvent };

/** In the order in which they happened; parents come before what they did. */
export function treeOf(events: readonly Event[]): readonly TreeNode[] {
  const nodes: TreeNode[] = [],
    open: number[] = [];
  for (const event of events) {
    const of = "CreatedEvent" in event ? event.CreatedEvent : "ExercisedEvent" in event ? event.ExercisedEvent : undefined;
    if (of === undefined) continue;
    while (open.length > 0 && of.nodeId > open.at(-1)!) open.pop();
    const at = { nodeId: of.nodeId, depth: open.length };
    if ("ExercisedEvent" in event) {
      nodes.push({ kind: "exercise", ...at, event: event.ExercisedEvent });
      open.push(event.ExercisedEvent.lastDescendantNodeId);
    } else nodes.push({ kind: "create", ...at, event: of as CreatedEvent });
  }
  return nodes;
}

export function partiesOf(nodes: readonly TreeNode[]): readonly string[] {
  const found = new Set<string>();
  for (const { event } of nodes) for (const party of event.witnessParties) found.add(party);
  return [...found].sort();
}

/** Contracts that were there before and were used, and those that are there afterwards. */
export function inputsAndOutputs(nodes: readonly TreeNode[]): {
  readonly inputs: readonly ExercisedEvent[];
  readonly outputs: readonly CreatedEvent[];
} {
  const created = new Map<string, CreatedEvent>(),
    inputs = new Map<string, ExercisedEvent>();
  for (const node of nodes) {
    if (node.kind === "create") created.set(node.event.contractId, node.event);
    else {
      const { contractId, consuming } = node.event;
      if (!created.has(contractId) && !inputs.has(contractId)) inputs.set(contractId, node.event);
      if (consuming) created.delete(contractId);
    }
  }
  return { inputs: [...inputs.values()], outputs: [...created.values()] };
}
