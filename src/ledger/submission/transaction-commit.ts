/**
 * The commit of an interpreted transaction: checks again that all it read is still so, then writes the update, contracts,
 * indexes, completion and deduplication entry.
 */
import { assert } from "../../base/assert.js";
import type { Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import type { CommitGroup } from "../commit/index.js";
import {
  anyParty, type ContractState, encodeCompletion, encodeContractState, encodeInstance, encodeKeyed, type EventNumbers,
  indexVisitor, isStep, type KeyedContract, templateName, TransactionEncoder,
} from "../records/index.js";
import { type Acceptance, encodeAcceptance } from "./deduplication.js";
import {
  type Completion, contractNotFound, type EffectiveDeduplication, instantText, ledgerError, type LedgerErrorData,
  newUpdateId, type Offset, type StoredEvent,
} from "../model/index.js";
import type { InterpretedTransaction } from "../interpretation/index.js";
import type { CommandSubmission } from "./command-submission.js";
import type { PackageRegistry } from "../packages/index.js";
import type { PartyRegistry } from "../parties/index.js";
import { notVetted } from "./selection-errors.js";

/** A submission on its way, with what was decided about it before interpretation. */
export interface Submitting {
  readonly submission: CommandSubmission;
  /** Sorted, without duplicates. */
  readonly actAs: readonly string[];
  readonly submissionId: string;
  readonly changeKey: string;
  /** The last one of the same change, when it began; it may be gone by now. */
  readonly acceptance: Acceptance | undefined;
  readonly deduplication: EffectiveDeduplication;
}

export interface TransactionToCommit {
  readonly submitting: Submitting;
  readonly transaction: InterpretedTransaction;
  readonly ledgerTime: bigint;
  /** The ledger end when interpretation began. */
  readonly interpretedAt: Offset;
  /** A ledger end before contracts were looked up by their keys. */
  readonly keysReadAt: Offset;
  /** Of a transaction that was signed elsewhere. */
  readonly external: ExternallySigned | undefined;
}

export interface ExternallySigned {
  /** What was signed, hex. */
  readonly hash: string;
  /** Under which its acceptance is kept: it must not be accepted again, by whomever it is sent. */
  readonly replayKey: string;
  readonly preparationTime: bigint;
  readonly maxRecordTime: bigint | undefined;
}

export type CommitOutcome =
  | { readonly kind: "accepted"; readonly updateId: string; readonly offset: Offset }
  | { readonly kind: "rejected"; readonly error: LedgerErrorData; readonly offset: Offset }
  /** Interpreting again may give another result. */
  | { readonly kind: "stale"; readonly error: LedgerErrorData };

export interface CommitContext { readonly parties: PartyRegistry; readonly packages: PackageRegistry; readonly synchronizerId: string }

type KeyInput = InterpretedTransaction["keyInputs"][number];

const microsPerSecond = 1_000_000n;

/** Of a large transaction in steps, of a small one at once. */
export function commitTransaction(group: CommitGroup, toCommit: TransactionToCommit, context: CommitContext): CommitOutcome | Steps<CommitOutcome> {
  const stale = checkKeys(group, toCommit, context) ?? checkPackages(toCommit, context), { events, inputs } = toCommit.transaction;
  if (stale) return { kind: "stale", error: stale };
  if (Math.max(events.length, inputs.length) > limits.commitStepEvents) return commitInSteps(group, toCommit, context);
  let conflict: LedgerErrorData | undefined;
  for (let index = 0; index < inputs.length && conflict === undefined; index++) conflict = checkContract(group, inputs[index]!, toCommit);
  const writing = beginWriting(group, toCommit, conflict, context);
  for (const [items, write] of writing.parts) for (let index = 0; index < items; index++) write(index);
  return writing.outcome;
}

function* commitInSteps(group: CommitGroup, toCommit: TransactionToCommit, context: CommitContext): Steps<CommitOutcome> {
  const { inputs } = toCommit.transaction;
  let conflict: LedgerErrorData | undefined;
  for (let index = 0; index < inputs.length && conflict === undefined; index++) {
    if (isStep(index)) yield;
    conflict = checkContract(group, inputs[index]!, toCommit);
  }
  const writing = beginWriting(group, toCommit, conflict, context);
  for (const [items, write] of writing.parts) for (let index = 0; index < items; index++) {
    if (isStep(index)) yield;
    write(index);
  }
  return writing.outcome;
}

/** What is left to write, part after part, each for so many items. */
interface Writing { readonly outcome: CommitOutcome; readonly parts: readonly (readonly [items: number, write: (index: number) => void])[] }

function beginWriting(group: CommitGroup, toCommit: TransactionToCommit, conflict: LedgerErrorData | undefined, context: CommitContext): Writing {
  const place = group.take();
  const error = conflict ?? checkTime(toCommit, place.recordTime) ?? checkSignedTimes(toCommit.external, place.recordTime);
  if (!error) return writeTransaction(group, toCommit, place, context);
  writeCompletion(group, toCommit.submitting, place, "", error, context);
  return { outcome: { kind: "rejected", error, offset: place.offset }, parts: [] };
}

/** A rejection that was decided before interpretation but has to be seen by readers of completions. */
export function commitRejection(group: CommitGroup, submitting: Submitting, error: LedgerErrorData, context: CommitContext): CommitOutcome {
  const place = group.take();
  writeCompletion(group, submitting, place, "", error, context);
  return { kind: "rejected", error, offset: place.offset };
}

/** By when a contract was archived the code differs: archived before the interpretation, meanwhile, or by a transaction that is not durable yet. */
function checkContract(group: CommitGroup, contractId: string, { interpretedAt }: TransactionToCommit): LedgerErrorData | undefined {
  const state = group.contract(contractId);
  if (!state) return contractNotFound(contractId);
  if (!state.archived) return undefined;
  const details = { resources: [["CONTRACT_ID", contractId]] as const };
  if (group.isPending(state.archived)) return ledgerError("LOCAL_VERDICT_LOCKED_CONTRACTS", `Rejected transaction is referring to locked contracts ${contractId}`, details);
  if (state.archived.offset > interpretedAt) return ledgerError("LOCAL_VERDICT_INACTIVE_CONTRACTS", `Rejected transaction is referring to inactive contracts ${contractId}`, details);
  return contractNotFound(contractId);
}

/** Key queries must give the same contracts; what the submitters cannot see does not count, as they were not given it. */
function checkKeys(group: CommitGroup, { transaction, keysReadAt, submitting: { submission } }: TransactionToCommit, context: CommitContext): LedgerErrorData | undefined {
  if (transaction.keyInputs.length === 0) return undefined;
  const readers = new Set([...submission.actAs, ...submission.readAs].map((party) => context.parties.get(party)?.number));
  const isVisible = ({ stakeholders }: KeyedContract): boolean => stakeholders.some((party) => readers.has(party));
  const changed = transaction.keyInputs.find((input) => !givesTheSame(group, input, keysReadAt, isVisible));
  if (changed === undefined) return undefined;
  return ledgerError("INCONSISTENT_CONTRACT_KEY", "Contracts with a key that the command looked up changed while it was processed.", { resources: [["CONTRACT_KEY", changed.keyHash]] });
}

/** Only what came since the query is read, however many contracts have the key: of those before it some can only have gone. */
function givesTheSame(group: CommitGroup, { keyHash, contractIds, exhaustive, ignoring = [] }: KeyInput, readAt: Offset, isVisible: (contract: KeyedContract) => boolean): boolean {
  const ignored = new Set(ignoring);
  let same = 0;
  for (const contract of group.keyed(keyHash)) {
    if (contract.createdOffset <= readAt) break;
    if (!isVisible(contract) || ignored.has(contract.contractId)) continue;
    if (same === contractIds.length) return !exhaustive;
    if (contract.contractId !== contractIds[same++]) return false;
  }
  return contractIds.slice(same).every((contractId) => {
    const state = group.contract(contractId);
    return state !== undefined && state.archived === undefined && state.created.offset <= readAt;
  });
}

/** They were vetted when it was interpreted. */
function checkPackages({ transaction, ledgerTime, submitting }: TransactionToCommit, { packages }: CommitContext): LedgerErrorData | undefined {
  const unvetted = transaction.usedPackages.filter((id) => !packages.isVetted(id, ledgerTime));
  const isBound = transaction.inputs.length > 0 || submitting.submission.synchronizerId !== "";
  return unvetted.length === 0 ? undefined : notVetted(unvetted.join(", "), isBound);
}

function checkTime({ transaction, ledgerTime }: TransactionToCommit, recordTime: bigint): LedgerErrorData | undefined {
  const tolerance = BigInt(limits.ledgerTimeToleranceSeconds) * microsPerSecond;
  const isFar = ledgerTime > recordTime + tolerance || ledgerTime < recordTime - tolerance;
  const isOutside = ledgerTime < transaction.minLedgerTime || ledgerTime > transaction.maxLedgerTime;
  return isFar || isOutside ? ledgerError("LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND", "Ledger time and record time of the transaction are too far apart.") : undefined;
}

/** What was signed says until when it may be recorded; and it does not stay good for ever. */
function checkSignedTimes(external: ExternallySigned | undefined, recordTime: bigint): LedgerErrorData | undefined {
  if (external === undefined) return undefined;
  const { maxRecordTime, preparationTime } = external, tolerance = BigInt(limits.preparationTimeToleranceSeconds) * microsPerSecond;
  if (maxRecordTime !== undefined && recordTime > maxRecordTime) {
    return ledgerError("LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED", `The transaction was to be recorded until ${instantText(maxRecordTime)}; it is ${instantText(recordTime)}.`);
  }
  const isFar = preparationTime > recordTime + tolerance || preparationTime < recordTime - tolerance;
  return isFar ? ledgerError("LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND", `The transaction was prepared at ${instantText(preparationTime)}, which is too far from ${instantText(recordTime)}.`) : undefined;
}

interface Place { readonly offset: Offset; readonly recordTime: bigint }

function writeTransaction(group: CommitGroup, toCommit: TransactionToCommit, place: Place, context: CommitContext): Writing {
  const { submitting, transaction, external } = toCommit, { submission, actAs } = submitting, { offset, recordTime } = place;
  const updateId = newUpdateId(offset), numbers: EventNumbers[] = [];
  const stored = {
    offset, recordTime, updateId, commandId: submission.commandId, workflowId: submission.workflowId,
    effectiveAt: toCommit.ledgerTime, trace: submission.trace, events: transaction.events, externalTransactionHash: external?.hash,
  };
  const encoder = new TransactionEncoder(group.writer, stored, context.synchronizerId), { events } = transaction;
  const visitIndex = indexVisitor((party, template) => {
    group.batch.insert(group.tables.updateIndex, { party, template, offset });
    group.concern(party);
  });
  const numberAndEncode = (index: number): void => {
    const ofEvent = numbersOf(events[index]!, group, context);
    numbers.push(ofEvent);
    visitIndex(ofEvent);
    encoder.addEvent(index);
  };
  const writeRest = (): void => {
    group.batch.append(group.tables.updates, offset, encoder.finish());
    writeCompletion(group, submitting, place, updateId, undefined, context);
    const acceptance = encodeAcceptance(group.writer, { offset, recordTime, submissionId: submitting.submissionId });
    if (submitting.acceptance) group.batch.put(group.tables.deduplication, submitting.changeKey, acceptance);
    else group.batch.insert(group.tables.deduplication, submitting.changeKey, acceptance); // of a change only one is in flight
    if (external !== undefined) group.batch.put(group.tables.deduplication, external.replayKey, acceptance);
  };
  const parts: Writing["parts"] = [
    [events.length, numberAndEncode],
    [1, () => encoder.begin(numbers, context.parties.numbersOf(actAs))],
    [events.length, (index) => encoder.writeEvent(index, numbers[index]!)],
    [1, writeRest],
    [events.length, (index) => writeCreated(group, events[index]!, offset, numbers[index]!)],
    [events.length, (index) => writeArchived(group, events[index]!, offset, numbers[index]!)],
  ];
  return { outcome: { kind: "accepted", updateId, offset }, parts };
}

function numbersOf(event: StoredEvent, group: CommitGroup, { parties }: CommitContext): EventNumbers {
  return {
    template: group.templates.intern(templateName(event.packageName, event.templateId), group),
    stakeholders: parties.numbersOf(event.stakeholders), witnesses: parties.numbersOf(event.witnesses),
  };
}

function writeCreated(group: CommitGroup, event: StoredEvent, offset: Offset, { template, stakeholders }: EventNumbers): void {
  const { batch, tables, writer } = group;
  if (event.kind !== "create") return;
  const { contractId, nodeId, keyHash } = event, place = { offset, nodeId };
  batch.append(tables.instances, place, encodeInstance(writer, { contractId, template, stakeholders, keyHash, instance: event.createdEventBlob }));
  if (!event.activates) return;
  assert(stakeholders.length > 0, "a contract has stakeholders");
  assert(areDifferent(stakeholders), "each stakeholder of a contract is named once");
  const state: ContractState = { created: place, archived: undefined, keyHash };
  group.setContract(contractId, state);
  batch.insert(tables.contracts, contractId, encodeContractState(writer, state));
  batch.insert(tables.active, { party: anyParty, template, offset, nodeId });
  for (const party of stakeholders) batch.insert(tables.active, { party, template, offset, nodeId });
  if (!keyHash) return;
  const keyed = { contractId, stakeholders, createdOffset: offset };
  group.addKeyed(keyHash, keyed);
  batch.insert(tables.activeKeys, { keyHash, offset, nodeId }, encodeKeyed(writer, keyed));
}

/** All versions of a template share a number. */
function writeArchived(group: CommitGroup, event: StoredEvent, archivedOffset: Offset, { template, stakeholders }: EventNumbers): void {
  const { batch, tables, writer } = group;
  if (event.kind !== "exercise" || !event.deactivates) return;
  const before = group.contract(event.contractId);
  assert(before && !before.archived, "an archived contract was active");
  const { created: { offset, nodeId }, keyHash } = before;
  const state: ContractState = { created: before.created, archived: { offset: archivedOffset, nodeId: event.nodeId }, keyHash };
  group.setContract(event.contractId, state);
  batch.put(tables.contracts, event.contractId, encodeContractState(writer, state));
  assert(areDifferent(stakeholders), "each stakeholder of a contract is named once");
  for (const party of [anyParty, ...stakeholders]) {
    batch.remove(tables.active, { party, template, offset, nodeId });
    batch.insert(tables.archived, { party, template, offset, nodeId, archivedOffset });
    group.markArchived(party, template, offset, archivedOffset);
  }
  if (!keyHash) return;
  group.removeKeyed(keyHash, event.contractId);
  batch.remove(tables.activeKeys, { keyHash, offset, nodeId });
}

const areDifferent = (numbers: readonly number[]): boolean => numbers.length < 2 || new Set(numbers).size === numbers.length;

const accepted: Completion["status"] = { code: 0, message: "" };

function writeCompletion(group: CommitGroup, submitting: Submitting, { offset, recordTime }: Place, updateId: string, error: LedgerErrorData | undefined, context: CommitContext): void {
  const { submission, submissionId, deduplication, actAs } = submitting, { commandId, userId, trace } = submission;
  const numbers = context.parties.numbersOf(actAs);
  const status = error ? { code: error.category, message: error.cause, error } : accepted;
  const completion = { offset, recordTime, commandId, submissionId, userId, actAs, updateId, trace, deduplication, status };
  group.batch.append(group.tables.completions, offset, encodeCompletion(group.writer, completion, numbers, submitting.changeKey, context.synchronizerId));
  for (const party of new Set(numbers)) {
    group.batch.insert(group.tables.completionIndex, { party, offset });
    group.concern(party);
  }
}
