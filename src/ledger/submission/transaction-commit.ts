/**
 * The commit of an interpreted transaction: checks again that all it read is still so, then writes what every participant sees of
 * it, completion and deduplication entry.
 */
import { assert } from "../../base/assert.js";
import { microsOf } from "../../base/clock.js";
import { atOnce, type Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import type { CommitGroup, Place } from "../commit/index.js";
import { type ContractState, isActive, isStep, type KeyedContract, takesSteps } from "../records/index.js";
import type { Acceptances } from "./acceptances.js";
import { type CompletionContext, writeCompletion } from "./completion-writing.js";
import { type Acceptance, encodeAcceptance, type CommandSubmission } from "../intake/index.js";
import {
  contractNotFound,
  type EffectiveDeduplication,
  instantText,
  ledgerError,
  type LedgerErrorData,
  newUpdateId,
  type Offset,
  type StoredEvent,
} from "../model/index.js";
import {
  disclosedId,
  type InterpretedFacts,
  type InterpretedTransaction,
  isUnplaced,
  type UnplacedTransaction,
} from "../interpretation/index.js";
import type { PackageRegistry } from "../packages/index.js";
import { lackText, seenBy } from "./hosted-vetting.js";
import { HostedProjection, type SeenTransaction } from "./hosted-projection.js";
import { ledgerTimeTolerance, ledgerTimeTooFar } from "./ledger-time.js";
import { notVetted } from "./selection-errors.js";
import type { NetworkMember } from "../topology/index.js";
import { type Part, type SharedFacts, transactionParts } from "./transaction-writing.js";
import { placeAccepted, placeTransaction } from "./unplaced-writing.js";
import { isInactive, isLocked, isVerdict, reportedBy, toldBy } from "./verdicts.js";

/** What is left to be known of a submission once it was interpreted. */
export type SubmittedFields = Pick<
  CommandSubmission,
  "actAs" | "readAs" | "commandId" | "userId" | "workflowId" | "trace" | "synchronizerId" | "disclosedContracts"
>;

/** A submission on its way, with what was decided about it before interpretation. */
export interface Submitting {
  readonly submission: SubmittedFields;
  /** Sorted, without duplicates. */
  readonly actAs: readonly string[];
  readonly submissionId: string;
  readonly changeKey: string;
  /** Up to where anybody may have been told of the ledger when it came: what is behind that was on its way beside it. */
  readonly submittedAt: Offset;
  /** The last one of the same change, when it began; it may be gone by now. */
  readonly acceptance: Acceptance | undefined;
  readonly deduplication: EffectiveDeduplication;
}

export interface TransactionToCommit {
  readonly submitting: Submitting;
  readonly transaction: InterpretedTransaction | UnplacedTransaction;
  /** Number of the one where it is to be. */
  readonly synchronizer: number;
  readonly ledgerTime: bigint;
  /** A ledger end before contracts were looked up by their keys. */
  readonly keysReadAt: Offset;
  /** What its sender may have been told of when it was interpreted, where that is more. */
  readonly toldTo?: Offset;
  /** Of a transaction that was signed elsewhere. */
  readonly external: ExternallySigned | undefined;
}

export interface ExternallySigned {
  /** What was signed, hex. */
  readonly hash: string;
  /** Under which it is kept that it came to be recorded: it is good for that once, by whomever it is sent. */
  readonly replayKey: string;
  readonly preparationTime: bigint;
  readonly maxRecordTime: bigint | undefined;
}

export type CommitOutcome =
  /** `record`: of its update, where the engine made it. */
  | { readonly kind: "accepted"; readonly updateId: string; readonly offset: Offset; readonly record?: Buffer }
  | { readonly kind: "rejected"; readonly error: LedgerErrorData; readonly offset: Offset }
  /** Interpreting again may give another result. */
  | { readonly kind: "stale"; readonly error: LedgerErrorData }
  /** Its records have no room for the offset that it would get. */
  | { readonly kind: "outgrown" };

export interface CommitContext extends CompletionContext {
  readonly participantId: string;
  readonly packages: PackageRegistry;
  readonly acceptances: Acceptances;
  /** The other participants. */
  readonly others: readonly NetworkMember[];
}

type KeyInput = InterpretedFacts["keyInputs"][number];

/** Of a large transaction in steps, of a small one at once. */
export function commitTransaction(
  group: CommitGroup,
  toCommit: TransactionToCommit,
  context: CommitContext,
): CommitOutcome | Steps<CommitOutcome> {
  const { transaction } = toCommit;
  if (isUnplaced(transaction)) return commitUnplaced(group, toCommit, transaction, context);
  const steps = commitInSteps(group, toCommit, transaction, context);
  if (takesSteps(transaction)) return steps;
  const done = steps.next();
  assert(done.done, "a small transaction is one step");
  return done.value;
}

/** One that comes as records: it is small, and nobody else has to do with it. */
export function commitUnplaced(
  group: CommitGroup,
  toCommit: TransactionToCommit,
  transaction: UnplacedTransaction,
  context: CommitContext,
): CommitOutcome {
  const { synchronizers, others } = context;
  assert(others.length === 0 && synchronizers.all.length === 1, "only what nobody else sees comes as records");
  const changed = transaction.keyInputs.length === 0 ? undefined : atOnce(checkKeys(group, toCommit, context)),
    stale = changed ?? checkVetting(toCommit, context);
  if (stale) return { kind: "stale", error: stale };
  if (String(group.offset + 1).length !== transaction.offsetDigits) return { kind: "outgrown" };
  let conflict: LedgerErrorData | undefined;
  for (const contractId of transaction.inputs) conflict ??= checkContract(group, contractId, toCommit, context);
  if (conflict !== undefined && knewMore(toCommit)) return { kind: "stale", error: conflict };
  const place = group.take(),
    rejected = rejectionAt(group, toCommit, place, conflict, context);
  if (rejected) return rejected;
  const { offset } = place,
    updateId = newUpdateId(offset);
  const record = placeTransaction(group, transaction, place, updateId);
  placeAccepted(group, transaction, place, updateId, synchronizers.idJson(0));
  accept(group, toCommit, place, context);
  return { kind: "accepted", updateId, offset, record };
}

/** Who may have known of more than the engine found is told what the engine says of it. */
const knewMore = ({ toldTo = 0, keysReadAt }: TransactionToCommit): boolean => toldTo > keysReadAt;

function* commitInSteps(
  group: CommitGroup,
  toCommit: TransactionToCommit,
  transaction: InterpretedTransaction,
  context: CommitContext,
): Steps<CommitOutcome> {
  const { inputs } = transaction;
  const stale =
    (yield* checkKeys(group, toCommit, context))
    ?? (yield* checkPackages(toCommit, transaction, context))
    ?? (yield* checkPlaces(group, toCommit, context));
  if (stale) return { kind: "stale", error: stale };
  let conflict: LedgerErrorData | undefined;
  for (let index = 0; index < inputs.length && conflict === undefined; index++) {
    if (isStep(index)) yield;
    conflict = checkContract(group, inputs[index]!, toCommit, context);
  }
  if (conflict !== undefined && knewMore(toCommit)) return { kind: "stale", error: conflict };
  const place = group.take(),
    rejected = rejectionAt(group, toCommit, place, conflict, context);
  if (rejected) return rejected;
  const writing = writeTransaction(group, toCommit, transaction, place, context);
  for (const [items, write] of writing.parts)
    for (let index = 0; index < items; index++) {
      if (isStep(index)) yield;
      write(index);
    }
  return writing.outcome;
}

/** What is left to write, part after part; the next one is asked for when the one before it is written. */
interface Writing {
  readonly outcome: CommitOutcome;
  readonly parts: Iterable<Part>;
}

/** Undefined: nothing stands against it. */
function rejectionAt(
  group: CommitGroup,
  toCommit: TransactionToCommit,
  place: Place,
  conflict: LedgerErrorData | undefined,
  context: CommitContext,
): CommitOutcome | undefined {
  const reason = conflict ?? checkTime(toCommit, place.recordTime) ?? checkSignedTimes(toCommit.external, place.recordTime);
  if (reason === undefined) return undefined;
  const error = toldBy(context.synchronizers.at(toCommit.synchronizer), reportedBy(context.participantId, reason));
  writeCompletion(group, toCommit.submitting, place, toCommit.synchronizer, error, context);
  useUpRejected(group, toCommit, place, error);
  return { kind: "rejected", error, offset: place.offset };
}

/** A rejection that was decided before the commit but has to be seen by readers of completions. */
export function commitRejection(
  group: CommitGroup,
  { submitting, external }: Pick<TransactionToCommit, "submitting" | "external">,
  error: LedgerErrorData,
  context: CommitContext,
): CommitOutcome {
  const place = group.take(),
    { synchronizers } = context,
    { number } = synchronizers.find(submitting.submission.synchronizerId) ?? synchronizers.first;
  writeCompletion(group, submitting, place, number, error, context);
  useUpRejected(group, { submitting, external }, place, error);
  return { kind: "rejected", error, offset: place.offset };
}

/**
 * A contract that was archived before the interpretation as well came with the command: the engine takes what is disclosed as it is. By a
 * transaction that was on its way when this one came is another code.
 */
function checkContract(
  group: CommitGroup,
  contractId: string,
  { synchronizer, submitting }: TransactionToCommit,
  { others }: CommitContext,
): LedgerErrorData | undefined {
  const state = group.contract(contractId);
  if (state === undefined || state.unassigned) return checkKnownByOthers(group, contractId, synchronizer, others);
  if (!state.archived) return undefined;
  return state.archived.offset > submitting.submittedAt ? isLocked(contractId) : isInactive(contractId);
}

/** None of its stakeholders is hosted here, where it is, or it is on its way: those who host them know what became of it. */
function checkKnownByOthers(
  group: CommitGroup,
  contractId: string,
  synchronizer: number,
  others: readonly NetworkMember[],
): LedgerErrorData | undefined {
  const latest = latestAmongOthers(group, contractId, others);
  if (latest === undefined) return group.contract(contractId) === undefined ? contractNotFound(contractId) : isInactive(contractId);
  const { state, of, participantId } = latest;
  if (state.archived) return reportedBy(participantId, of.isPending(state.archived) ? isLocked(contractId) : isInactive(contractId));
  return isActive(state) && state.synchronizer === synchronizer ? undefined : reportedBy(participantId, isInactive(contractId));
}

interface KnownByAnother {
  readonly state: ContractState;
  readonly of: CommitGroup;
  readonly participantId: string;
}

/** With every move its counter rises, and those who do not see where it goes stay behind. */
function latestAmongOthers(group: CommitGroup, contractId: string, others: readonly NetworkMember[]): KnownByAnother | undefined {
  let latest: KnownByAnother | undefined;
  for (const other of others) {
    const of = group.of(other.commits),
      state = of.contract(contractId);
    if (state === undefined || (latest !== undefined && state.reassignmentCounter < latest.state.reassignmentCounter)) continue;
    latest = { state, of, participantId: other.participantId };
  }
  return latest;
}

/** Key queries must give the same contracts; what the submitters cannot see does not count, as they were not given it. */
function* checkKeys(
  group: CommitGroup,
  { transaction, keysReadAt, submitting: { submission } }: TransactionToCommit,
  context: CommitContext,
): Steps<LedgerErrorData | undefined> {
  if (transaction.keyInputs.length === 0) return undefined;
  const { keyInputs, ignoredByKeys } = transaction,
    readers = new Set([...submission.actAs, ...submission.readAs].map((party) => context.parties.get(party)?.number)),
    ignored = new Map<string, number>();
  for (let index = 0; index < ignoredByKeys.length; index++) {
    if (isStep(index)) yield;
    const contractId = ignoredByKeys[index]!;
    if (!ignored.has(contractId)) ignored.set(contractId, index);
  }
  let checked = 0;
  for (const input of keyInputs) {
    if (isStep(checked++)) yield;
    const { keyHash, contractIds, ignoring } = input;
    const counts = ({ contractId, stakeholders }: KeyedContract): boolean =>
      stakeholders.some((party) => readers.has(party)) && (ignored.get(contractId) ?? ignoring) >= ignoring;
    const newer = newerOnes(group, input, keysReadAt, counts);
    let isSame = newer !== undefined;
    for (let index = newer ?? 0; isSame && index < contractIds.length; index++) {
      if (isStep(checked++)) yield;
      isSame = wasThere(group, contractIds[index]!, keysReadAt);
    }
    if (!isSame) return keyChanged(keyHash);
  }
  return undefined;
}

/**
 * How many of the contracts that a query gave came since `readAt`, which come first; undefined: it would give others. Only what came since
 * is read, however many contracts have the key: of those before it some can only have gone.
 */
function newerOnes(
  group: CommitGroup,
  { keyHash, contractIds, exhaustive }: KeyInput,
  readAt: Offset,
  counts: (contract: KeyedContract) => boolean,
): number | undefined {
  let same = 0;
  for (const contract of group.keyed(keyHash)) {
    if (contract.createdOffset <= readAt) break;
    if (!counts(contract)) continue;
    if (same === contractIds.length) return exhaustive ? undefined : same;
    if (contract.contractId !== contractIds[same++]) return undefined;
  }
  return same;
}

function wasThere(group: CommitGroup, contractId: string, readAt: Offset): boolean {
  const state = group.contract(contractId);
  return state !== undefined && isActive(state) && state.activated.offset <= readAt;
}

const keyChanged = (keyHash: string): LedgerErrorData =>
  ledgerError("INCONSISTENT_CONTRACT_KEY", "Contracts with a key that the command looked up changed while it was processed.", {
    resources: [["CONTRACT_KEY", keyHash]],
  });

/** They were vetted when it was interpreted. */
function checkVetting(toCommit: TransactionToCommit, { packages }: CommitContext): LedgerErrorData | undefined {
  const { transaction, synchronizer, ledgerTime } = toCommit;
  const unvetted = transaction.usedPackages.filter((id) => !packages.isVetted(id, synchronizer, ledgerTime));
  return unvetted.length === 0 ? undefined : lackingPackages(unvetted.join(", "), toCommit);
}

/** The same for others who see something of it. */
function* checkPackages(
  toCommit: TransactionToCommit,
  transaction: InterpretedTransaction,
  context: CommitContext,
): Steps<LedgerErrorData | undefined> {
  const { synchronizer, ledgerTime } = toCommit,
    { others } = context,
    lackingHere = checkVetting(toCommit, context);
  if (lackingHere !== undefined || others.length === 0) return lackingHere;
  const lacking = lackText(yield* seenBy(transaction, others, { synchronizer, ledgerTime }));
  return lacking === undefined ? undefined : lackingPackages(lacking, toCommit);
}

function lackingPackages(lacking: string, { transaction, submitting }: TransactionToCommit): LedgerErrorData {
  return notVetted(lacking, transaction.inputs.length > 0 || submitting.submission.synchronizerId !== "");
}

/** They were brought to the synchronizer; somebody else may have moved them on. Those on their way that came with it are inactive. */
function* checkPlaces(
  group: CommitGroup,
  { transaction: { inputs }, synchronizer, submitting: { submission }, external }: TransactionToCommit,
  { synchronizers, others }: CommitContext,
): Steps<LedgerErrorData | undefined> {
  if (synchronizers.all.length === 1) return undefined;
  for (let index = 0; index < inputs.length; index++) {
    if (isStep(index)) yield;
    const contractId = inputs[index]!,
      state = group.contract(contractId);
    if (state === undefined || state.archived || (isActive(state) && state.synchronizer === synchronizer)) continue;
    if (!isActive(state) && isGone(group, contractId, state, others)) continue;
    if (!isActive(state) && (external !== undefined || submission.disclosedContracts.some((one) => disclosedId(one) === contractId)))
      continue;
    return ledgerError("UNKNOWN_CONTRACT_SYNCHRONIZERS", `Contract ${contractId} was moved while the command was processed.`, {
      resources: [["CONTRACT_IDS", `[${contractId}]`]],
    });
  }
  return undefined;
}

/** Not on its way, but where this participant does not see it. */
const isGone = (
  group: CommitGroup,
  contractId: string,
  { reassignmentCounter }: ContractState,
  others: readonly NetworkMember[],
): boolean => (latestAmongOthers(group, contractId, others)?.state.reassignmentCounter ?? 0) > reassignmentCounter;

function checkTime({ transaction, ledgerTime }: TransactionToCommit, recordTime: bigint): LedgerErrorData | undefined {
  const isFar = ledgerTime > recordTime + ledgerTimeTolerance || ledgerTime < recordTime - ledgerTimeTolerance;
  const isOutside = ledgerTime < transaction.minLedgerTime || ledgerTime > transaction.maxLedgerTime;
  return isFar || isOutside ? ledgerTimeTooFar() : undefined;
}

/** What was signed says until when it may be recorded; and it does not stay good for ever. */
function checkSignedTimes(external: ExternallySigned | undefined, recordTime: bigint): LedgerErrorData | undefined {
  if (external === undefined) return undefined;
  const { maxRecordTime, preparationTime } = external,
    tolerance = microsOf(limits.preparationTimeToleranceSeconds);
  if (maxRecordTime !== undefined && recordTime > maxRecordTime) {
    return ledgerError(
      "LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED",
      `The transaction was to be recorded until ${instantText(maxRecordTime)}; it is ${instantText(recordTime)}.`,
    );
  }
  const isFar = preparationTime > recordTime + tolerance || preparationTime < recordTime - tolerance;
  return isFar
    ? ledgerError(
        "LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND",
        `The transaction was prepared at ${instantText(preparationTime)}, which is too far from ${instantText(recordTime)}.`,
      )
    : undefined;
}

function writeTransaction(
  group: CommitGroup,
  toCommit: TransactionToCommit,
  transaction: SeenTransaction,
  place: Place,
  context: CommitContext,
): Writing {
  const { submitting, synchronizer, external } = toCommit,
    { submission, actAs } = submitting,
    { offset } = place;
  const updateId = newUpdateId(offset),
    { commandId, workflowId, trace } = submission,
    { synchronizers, others, parties } = context;
  const facts: SharedFacts = {
    updateId,
    workflowId,
    effectiveAt: toCommit.ledgerTime,
    trace,
    externalTransactionHash: external?.hash,
    synchronizer,
    synchronizerIdJson: synchronizers.idJson(synchronizer),
  };
  const settle = (): void => {
    writeCompletion(group, submitting, place, synchronizer, updateId, context);
    accept(group, toCommit, place, context);
  };
  const own = (seen: readonly StoredEvent[]): readonly Part[] =>
    transactionParts(group, parties, place, { facts, events: seen, commandId, submitters: actAs });
  const written = others.length === 0 ? own(transaction.events) : sharedParts(group, { facts, transaction, place, own }, context);
  return { outcome: { kind: "accepted", updateId, offset }, parts: withLast(written, [1, settle]) };
}

/** That it was accepted is remembered; what was signed must not come again in any case. */
function accept(
  group: CommitGroup,
  { submitting: { submissionId, changeKey }, external }: TransactionToCommit,
  { offset, recordTime }: Place,
  { acceptances }: CommitContext,
): void {
  const acceptance = { offset, recordTime, submissionId };
  acceptances.add(group, changeKey, acceptance);
  if (external !== undefined) useUp(group, external, acceptance);
}

/** What was signed is used up also by a verdict against it. Whatever else speaks against it was found before anybody was asked. */
function useUpRejected(
  group: CommitGroup,
  { submitting: { submissionId }, external }: Pick<TransactionToCommit, "submitting" | "external">,
  { offset, recordTime }: Place,
  error: LedgerErrorData,
): void {
  if (external !== undefined && isVerdict(error)) useUp(group, external, { offset, recordTime, submissionId });
}

const useUp = ({ batch, tables, writer }: CommitGroup, { replayKey }: ExternallySigned, use: Acceptance): void =>
  batch.put(tables.deduplication, replayKey, encodeAcceptance(writer, use));

function* withLast(parts: Iterable<Part>, last: Part): Generator<Part> {
  yield* parts;
  yield last;
}

interface Shared {
  readonly facts: SharedFacts;
  readonly transaction: SeenTransaction;
  readonly place: Place;
  readonly own: (events: readonly StoredEvent[]) => readonly Part[];
}

/**
 * For each participant that hosts somebody who sees something of it: those events, at its own place in the order of what it sees. Who
 * submits it sees all of it, also where it hosts nobody, as what others have signed may be brought by any participant.
 */
function* sharedParts(group: CommitGroup, { facts, transaction, place, own }: Shared, { parties, others }: CommitContext): Generator<Part> {
  const { synchronizer } = facts,
    here = new HostedProjection(transaction, { parties, synchronizer, isSubmitter: true });
  yield* here.parts;
  yield* own(here.events);
  for (const other of others) {
    const there = new HostedProjection(transaction, { parties: other.parties, synchronizer, isSubmitter: false });
    yield* there.parts;
    if (there.events.length === 0) continue;
    const theirs = group.of(other.commits);
    yield* transactionParts(theirs, other.parties, theirs.takeAt(place.recordTime), {
      facts,
      events: there.events,
      commandId: "",
      submitters: [],
    });
  }
}
