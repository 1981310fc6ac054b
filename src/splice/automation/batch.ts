/**
 * Many contracts in one transaction. The ledger refuses all of them for one that cannot be used, such as that of a party whose
 * participant does not vet the package any more: halves of halves leave that one alone behind.
 */
import { assert } from "../../base/assert.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import type { Submission } from "../submitter.js";
import type { Task } from "./trigger.js";

/** Not empty; the oldest first. `since`: when that is not when the oldest was created. */
export function batchOf<C extends Contract>(
  contracts: readonly C[],
  submissionOf: (some: readonly C[]) => Submission,
  since?: bigint,
): Task {
  const [oldest] = contracts;
  assert(oldest !== undefined, "a batch is about something");
  const middle = Math.ceil(contracts.length / 2);
  const task: Task = {
    key: oldest.contractId,
    keys: contracts.map(({ contractId }) => contractId),
    since: since ?? instantOf(oldest.createdAt),
    submission: () => submissionOf(contracts),
  };
  if (contracts.length === 1) return task;
  return { ...task, halves: () => [contracts.slice(0, middle), contracts.slice(middle)].map((half) => batchOf(half, submissionOf, since)) };
}
