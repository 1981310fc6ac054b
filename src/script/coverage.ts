/** Which templates were created and which choices exercised, of transactions that were committed. */
import { showId, type Transaction } from "../lf/index.js";
import type { Coverage } from "./outcome.js";

export function coverageOf(transactions: Iterable<Transaction>): Coverage {
  const created = new Set<string>(),
    exercised = new Set<string>();
  for (const { nodes } of transactions)
    for (const node of nodes) {
      if (node.kind === "create") created.add(showId(node.templateId));
      // As in the reference, a choice of an interface counts for the template that ran it.
      if (node.kind === "exercise") exercised.add(`${showId(node.templateId)}:${node.choice}`);
    }
  return { created: [...created].sort(), exercised: [...exercised].sort() };
}
