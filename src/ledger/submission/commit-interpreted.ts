/** Hands an interpreted transaction to the committer: what comes as records may go ahead of the file, all else needs it. */
import type { Committer } from "../commit/index.js";
import type { Accepted } from "../intake/index.js";
import { isUnplaced } from "../interpretation/index.js";
import type { Answer } from "../model/index.js";
import type { UpdateRecord } from "../records/index.js";
import {
  type CommitContext,
  type CommitOutcome,
  commitTransaction,
  commitUnplaced,
  type TransactionToCommit,
} from "./transaction-commit.js";

export interface Telling {
  /** Whether who sent it may hear of it before readers find its transaction; they wait for what was told by then. */
  readonly isToldEarly: boolean;
}
export const toldLate: Telling = { isToldEarly: false };

/** What was accepted; with the record of its update where that came as records, as readers may not find it yet. */
export interface Told extends Accepted {
  readonly update?: UpdateRecord;
}

export function commitInterpreted(
  toCommit: TransactionToCommit,
  telling: Telling,
  context: CommitContext & { readonly committer: Committer },
): Answer<CommitOutcome> {
  const { transaction, submitting } = toCommit,
    { traceparent } = submitting.submission.trace,
    { committer } = context;
  return isUnplaced(transaction)
    ? committer.commitPlain((group) => commitUnplaced(group, toCommit, transaction, context), telling, traceparent)
    : committer.commitInSteps((group) => commitTransaction(group, toCommit, context), { traceparent });
}

export function toldOf({ updateId, offset, record }: Extract<CommitOutcome, { kind: "accepted" }>): Told {
  if (record === undefined) return { updateId, completionOffset: offset };
  return { updateId, completionOffset: offset, update: { offset, record } }; // not by spreading: V8 made a hidden class for each
}
