/** The commit's part in what a submitter is told of its submission. */
import type { CommitGroup, Place } from "../commit/index.js";
import type { CommandSubmission } from "../intake/index.js";
import {
  acceptedStatus,
  type CompletionStatus,
  type EffectiveDeduplication,
  type LedgerErrorData,
  type Offset,
  type Party,
  type Synchronizers,
} from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import { encodeCompletion } from "../records/index.js";

/** What a completion tells of a submission. */
export interface Completed {
  readonly submission: Pick<CommandSubmission, "commandId" | "userId" | "trace">;
  readonly submissionId: string;
  readonly actAs: readonly Party[];
  readonly deduplication: EffectiveDeduplication;
  /** "" where it is no change that could be repeated. */
  readonly changeKey: string;
}

export interface CompletionContext {
  readonly parties: PartyRegistry;
  readonly synchronizers: Synchronizers;
  /** Of the participant, which its rejections tell. */
  readonly participantName: string;
}

const rejectedStatus = (error: LedgerErrorData, participant: string): CompletionStatus => ({
  code: error.category,
  message: error.cause,
  error,
  participant,
});

/** `outcome`: the id of its update, or why there is none. */
export function writeCompletion(
  group: CommitGroup,
  { submission: { commandId, userId, trace }, submissionId, actAs, deduplication, changeKey }: Completed,
  { offset, recordTime }: Place,
  synchronizer: number,
  outcome: string | LedgerErrorData,
  { parties, synchronizers, participantName }: CompletionContext,
): void {
  const numbers = parties.numbersOf(actAs),
    updateId = typeof outcome === "string" ? outcome : "",
    status = typeof outcome === "string" ? acceptedStatus : rejectedStatus(outcome, participantName);
  const completion = { offset, recordTime, commandId, submissionId, userId, actAs, updateId, trace, deduplication, status };
  appendCompletion(
    group,
    offset,
    encodeCompletion(group.writer, completion, numbers, changeKey, synchronizers.idJson(synchronizer)),
    numbers,
  );
}

export function appendCompletion(group: CommitGroup, offset: Offset, record: Buffer, submitters: readonly number[]): void {
  group.appendCompletion(offset, record);
  for (const party of new Set(submitters)) group.indexCompletion(party, offset);
}
