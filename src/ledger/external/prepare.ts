/** A command interpreted into a transaction that its submitters sign elsewhere. Nothing is recorded. */
import { randomBytes, randomUUID } from "node:crypto";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { HashingScheme } from "../../lf/interactive/index.js";
import {
  ledgerError, type LedgerErrorData, noCommonSynchronizer, type Party, physicalSynchronizerId, type Synchronizer,
  unknownInformees,
} from "../model/index.js";
import {
  askedLedgerTime, candidatesFor, checkSubmission, type CommandSubmission, fromInterpretFailure, refusalOfLarge,
  type SubmissionContext,
} from "../submission/index.js";
import { isLarge } from "../interpretation/index.js";

export interface Preparation {
  readonly submission: CommandSubmission;
  readonly maxRecordTime: bigint | undefined;
  readonly hashingScheme: HashingScheme;
}

export interface PreparedForSigning {
  readonly transaction: Uint8Array;
  readonly hash: Uint8Array;
  /** When it was prepared, microseconds. */
  readonly preparedAt: bigint;
}

export async function prepare({ submission, maxRecordTime, hashingScheme }: Preparation, context: SubmissionContext): Promise<Result<PreparedForSigning, LedgerErrorData>> {
  const unfit = isLarge(submission.disclosedContracts) ? await refusalOfLarge(submission, context) : undefined;
  const problem = unfit ?? checkSubmission(submission, context) ?? checkCommandCount(submission) ?? checkKnown(submission.actAs, context) ?? context.impediments.refusal();
  if (problem) return fail(problem);
  const now = context.clock.nowMicros(), asked = askedLedgerTime(submission, now);
  const actAs = [...new Set(submission.actAs)].sort(), synchronizer = synchronizerFor(submission, actAs, now, context);
  if (synchronizer === undefined) return fail(noCommonSynchronizer(actAs, context.synchronizers));
  const prepared = await context.interpreter.prepare({
    submission: {
      actAs, readAs: submission.readAs, commands: submission.commands,
      disclosed: submission.disclosedContracts.map(({ createdEventBlob }) => createdEventBlob),
      packageIdSelectionPreference: submission.packageIdSelectionPreference, selectionPassesMax: submission.selectionPassesMax, alsoVettedBy: [],
      ledgerTime: asked > now ? asked : now, submissionSeed: randomBytes(32), atOffset: context.ledgerEnd.offset,
      packagesRevision: context.packages.revision, synchronizer: synchronizer.number, participantId: context.participantId,
    },
    preparationTime: now, commandId: submission.commandId, synchronizerId: physicalSynchronizerId(synchronizer.id),
    transactionUuid: randomUUID(), maxRecordTime, hashingScheme,
  });
  if (isFailure(prepared)) {
    const { error } = prepared;
    return fail(error.phase === "preparation" ? ledgerError("FAILED_TO_PREPARE_TRANSACTION", error.message) : fromInterpretFailure(error, submission, context.packages));
  }
  const unknown = checkKnown(prepared.ok.informees, context);
  return unknown ? fail(unknown) : ok({ transaction: prepared.ok.bytes, hash: prepared.ok.hash, preparedAt: now });
}

/** The one that is named, else the first where all submitters are. */
function synchronizerFor({ synchronizerId }: CommandSubmission, actAs: readonly Party[], now: bigint, context: SubmissionContext): Synchronizer | undefined {
  const { synchronizers, packages } = context, prescribed = synchronizerId === "" ? undefined : synchronizers.find(synchronizerId);
  return packages.newestFirst(candidatesFor(actAs, prescribed, context), now)[0];
}

const checkCommandCount = ({ commandCount }: CommandSubmission): LedgerErrorData | undefined =>
  commandCount > 1 ? ledgerError("FAILED_TO_PREPARE_TRANSACTION", `One command can be prepared at a time, not ${commandCount}.`) : undefined;

function checkKnown(parties: readonly Party[], context: SubmissionContext): LedgerErrorData | undefined {
  const unknown = [...new Set(parties)].filter((party) => !context.parties.get(party));
  return unknown.length > 0 ? unknownInformees(unknown) : undefined;
}
