/** A transaction's contracts come to one synchronizer before it is committed there. */
import { isFailure } from "../../base/result.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import type { CommandSubmission } from "../intake/index.js";
import type { LedgerErrorData, Synchronizers } from "../model/index.js";
import type { Reassignments } from "./reassignments.js";
import { type Move, notMoved, type Route } from "./routing.js";

interface Bringing {
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly trace: CommandSubmission["trace"];
}

interface BringingContext {
  readonly reassignments: Reassignments;
  readonly synchronizers: Synchronizers;
  readonly turns: Turns;
}

/**
 * Brings contracts to where a transaction has to be, by two updates for all that one party moves for the same stakeholders and
 * signatories; they stay there, whatever becomes of it.
 */
export async function bringTogether(
  { moves, synchronizer }: Route,
  { userId, commandId, submissionId, trace }: Bringing,
  { reassignments, synchronizers, turns }: BringingContext,
): Promise<LedgerErrorData | undefined> {
  for (const batch of await turns.through(batchesOf(moves))) {
    const { from, submitter } = batch[0]!,
      [source, target] = [synchronizers.at(from).id, synchronizers.at(synchronizer).id];
    const unassignments = batch.map(({ contractId }) => ({ kind: "unassign", contractId, source, target }) as const);
    const moved = await reassignments.move(unassignments, {
      submitter,
      workflowId: "",
      commandId,
      trace,
      completion: { userId, submissionId },
    });
    if (isFailure(moved)) return notMoved(moved.error.cause);
  }
  return undefined;
}

function* batchesOf(moves: readonly Move[]): Steps<Iterable<readonly Move[]>> {
  const batches = new Map<string, Move[]>();
  for (const move of moves) {
    yield;
    const key = `${move.from} ${move.submitter} ${move.stakeholders.join()} ${move.signatories.join()}`,
      batch = batches.get(key);
    if (batch) batch.push(move);
    else batches.set(key, [move]);
  }
  return batches.values();
}
