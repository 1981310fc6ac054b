/**
 * The normal form of rollback nodes: none is empty, and each starts and ends with an action.
 *
 *   1. rollback []                        ->  nothing
 *   2. rollback [rollback [xs], ys]       ->  rollback [xs], rollback [ys]
 *   3. rollback [xs, rollback [ys]]       ->  rollback [xs, ys]
 */
import type { RawNode } from "./raw-node.js";

export function normalizeRollbacks(nodes: readonly RawNode[]): readonly RawNode[] {
  return nodes.flatMap((node) => {
    switch (node.kind) {
      case "rollback":
        return rollBack(normalizeRollbacks(node.children));
      case "exercise":
        return [{ ...node, children: [...normalizeRollbacks(node.children)] }];
      default:
        return [node];
    }
  });
}

/** `children` are in normal form. */
function rollBack(children: readonly RawNode[]): readonly RawNode[] {
  const lifted: RawNode[] = [];
  let rest = children;
  for (let first = rest[0]; first?.kind === "rollback"; first = rest[0]) {
    lifted.push(first);
    rest = rest.slice(1);
  }
  const last = rest.at(-1);
  if (last === undefined) return lifted;
  const merged = last.kind === "rollback" ? [...rest.slice(0, -1), ...last.children] : rest;
  return [...lifted, { kind: "rollback", children: merged }];
}
