/**
 * The commit of an interpreted transaction: checks again that all it read is still so, then writes the update, contracts,
 * indexes, completion and deduplication entry.
 */
import { assert } from "../base/assert.js";
import { limits } from "../config.js";
import type { CommitGroup } from "./commit.js";
import { encodeCompletion } from "./completion-record.js";
import { encodeContractState, encodeInstance, encodeKeyed, type ContractState } from "./contract-record.js";
import { encodeAcceptance } from "./deduplication.js";
import { contractNotFound, ledgerError } from "./errors.js";
import { instantText } from "./instant.js";
import { anyParty, anyTemplate } from "./filters.js";
import type { InterpretedTransaction } from "./interpreter.js";
import type { CommandSubmission } from "./ledger.js";
import type { EffectiveDeduplication, LedgerErrorData, Offset, StoredEvent } from "./model.js";
import type { PackageRegistry } from "./package-registry.js";
import type { PartyRegistry } from "./party-registry.js";
import { RecordWriter } from "../store/index.js";
import { templateName } from "./template-names.js";
import { encodeTransaction, type EventNumbers } from "./update-record.js";

/** A submission on its way, with what was decided about it before interpretation. */
export interface Submitting {
  readonly submission: CommandSubmission;
  /** Sorted, without duplicates. */
  readonly actAs: readonly string[];
  readonly submissionId: string;
  readonly changeKey: string;
  readonly deduplication: EffectiveDeduplication;
}

export interface TransactionToCommit extends Submitting {
  readonly transaction: InterpretedTransaction;
  readonly ledgerTime: bigint;
  readonly updateId: string;
  /** The ledger end when interpretation began. */
  readonly interpretedAt: Offset;
  /** Of a transaction that was signed elsewhere. */
  readonly external?: ExternallySigned;
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

const microsPerSecond = 1_000_000n;

export function commitTransaction(group: CommitGroup, toCommit: TransactionToCommit, context: CommitContext): CommitOutcome {
  const stale = checkKeys(group, toCommit, context) ?? checkPackages(toCommit, context);
  if (stale) return { kind: "stale", error: stale };
  const conflict = checkContracts(group, toCommit);
  const place = group.take();
  const error = conflict ?? checkTime(toCommit, place.recordTime) ?? checkSignedTimes(toCommit.external, place.recordTime);
  if (error) {
    writeCompletion(group, toCommit, place, { updateId: "", error }, context);
    return { kind: "rejected", error, offset: place.offset };
  }
  writeTransaction(group, toCommit, place, context);
  return { kind: "accepted", updateId: toCommit.updateId, offset: place.offset };
}

/** A rejection that was decided before interpretation but has to be seen by readers of completions. */
export function commitRejection(group: CommitGroup, submitting: Submitting, error: LedgerErrorData, context: CommitContext): CommitOutcome {
  const place = group.take();
  writeCompletion(group, submitting, place, { updateId: "", error }, context);
  return { kind: "rejected", error, offset: place.offset };
}

/** By when a contract was archived the code differs: archived before the interpretation, meanwhile, or by a transaction that is not durable yet. */
function checkContracts(group: CommitGroup, { transaction, interpretedAt }: TransactionToCommit): LedgerErrorData | undefined {
  for (const { contractId } of transaction.inputs) {
    const state = group.contract(contractId);
    if (!state) return contractNotFound(contractId);
    if (!state.archived) continue;
    const details = { resources: [["CONTRACT_ID", contractId]] as const };
    if (group.isPending(state.archived)) return ledgerError("LOCAL_VERDICT_LOCKED_CONTRACTS", `Rejected transaction is referring to locked contracts ${contractId}`, details);
    if (state.archived.offset > interpretedAt) return ledgerError("LOCAL_VERDICT_INACTIVE_CONTRACTS", `Rejected transaction is referring to inactive contracts ${contractId}`, details);
    return contractNotFound(contractId);
  }
  return undefined;
}

/** Key queries must give the same contracts; what the submitters cannot see does not count, as they were not given it. */
function checkKeys(group: CommitGroup, { transaction, submission }: TransactionToCommit, context: CommitContext): LedgerErrorData | undefined {
  if (transaction.keyInputs.length === 0) return undefined;
  const readers = new Set([...submission.actAs, ...submission.readAs].map((party) => context.parties.get(party)?.number));
  for (const { keyHash, contractIds, exhaustive, ignoring } of transaction.keyInputs) {
    const visible = group.keyed(keyHash).filter((one) => one.stakeholders.some((party) => readers.has(party))).map((one) => one.contractId).filter((contractId) => !ignoring?.includes(contractId));
    const isSame = contractIds.every((contractId, index) => visible[index] === contractId) && (!exhaustive || visible.length === contractIds.length);
    if (!isSame) return ledgerError("INCONSISTENT_CONTRACT_KEY", "Contracts with a key that the command looked up changed while it was processed.", { resources: [["CONTRACT_KEY", keyHash]] });
  }
  return undefined;
}

function checkPackages({ transaction, ledgerTime }: TransactionToCommit, { packages }: CommitContext): LedgerErrorData | undefined {
  const missing = transaction.usedPackages.find((id) => { const known = packages.get(id); return !known || (!known.summary.isUtility && !packages.isVetted(id, ledgerTime)); });
  return missing === undefined ? undefined : ledgerError("PACKAGE_SELECTION_FAILED", `Package ${missing}, which the command uses, is not vetted.`);
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

function writeTransaction(group: CommitGroup, toCommit: TransactionToCommit, place: Place, context: CommitContext): void {
  const { transaction, submission } = toCommit;
  const numbers = transaction.events.map((event) => numbersOf(event, group, context));
  const submitters = toCommit.actAs.map((party) => context.parties.numberOf(party));
  const stored = {
    ...place, updateId: toCommit.updateId, commandId: submission.commandId, workflowId: submission.workflowId, userId: submission.userId,
    submitters: toCommit.actAs, effectiveAt: toCommit.ledgerTime, trace: submission.trace, events: transaction.events,
    externalTransactionHash: toCommit.external?.hash,
  };
  group.batch.append(group.tables.updates, place.offset, encodeTransaction(group.writer, stored, numbers, submitters, context.synchronizerId));
  group.batch.put(group.tables.updateIds, toCommit.updateId.slice(4), new RecordWriter().offset(place.offset).finish(1));
  writeUpdateIndex(group, place.offset, numbers);
  writeCreated(group, toCommit, place.offset, numbers);
  writeArchived(group, toCommit, place.offset, numbers);
  writeCompletion(group, toCommit, place, { updateId: toCommit.updateId, error: undefined }, context);
  const acceptance = { ...place, submissionId: toCommit.submissionId };
  group.batch.put(group.tables.deduplication, toCommit.changeKey, encodeAcceptance(group.writer, acceptance));
  if (toCommit.external !== undefined) group.batch.put(group.tables.deduplication, toCommit.external.replayKey, encodeAcceptance(group.writer, acceptance));
}

function numbersOf(event: StoredEvent, group: CommitGroup, { parties }: CommitContext): EventNumbers {
  const number = (party: string): number => parties.numberOf(party);
  return {
    template: group.templates.intern(templateName(event.packageName, event.templateId), group.batch, group.tables),
    stakeholders: event.stakeholders.map(number), witnesses: event.witnesses.map(number),
  };
}

/** Under every witness with every template that it sees, under every witness with any template, and under any party with every template. */
function writeUpdateIndex(group: CommitGroup, offset: Offset, numbers: readonly EventNumbers[]): void {
  const written = new Set<string>();
  const write = (party: number, template: number): void => {
    const key = `${party}/${template}`;
    if (written.has(key)) return;
    written.add(key);
    group.batch.put(group.tables.updateIndex, { party, template, offset });
  };
  for (const { template, stakeholders, witnesses } of numbers) {
    write(anyParty, template);
    for (const party of [...witnesses, ...stakeholders]) { write(party, anyTemplate); write(party, template); }
  }
}

function writeCreated(group: CommitGroup, { transaction }: TransactionToCommit, offset: Offset, numbers: readonly EventNumbers[]): void {
  const created = new Map(transaction.created.map((contract) => [contract.nodeId, contract]));
  transaction.events.forEach((event, index) => {
    if (event.kind !== "create") return;
    const { template, stakeholders } = numbers[index]!, place = { offset, nodeId: event.nodeId };
    group.batch.append(group.tables.instances, place, encodeInstance(group.writer, { contractId: event.contractId, template, stakeholders, keyHash: event.keyHash, instance: event.createdEventBlob }));
    if (!event.activates) return;
    const contract = created.get(event.nodeId);
    assert(contract && contract.contractId === event.contractId && stakeholders.length > 0, "a contract that becomes active survives its transaction and has stakeholders");
    const state: ContractState = { created: place, archived: undefined, keyHash: event.keyHash };
    group.setContract(event.contractId, state);
    group.batch.put(group.tables.contracts, event.contractId, encodeContractState(group.writer, state));
    for (const party of [anyParty, ...stakeholders]) group.batch.put(group.tables.active, { party, template, ...place });
    if (!event.keyHash) return;
    const keyed = { contractId: event.contractId, stakeholders };
    group.addKeyed(event.keyHash, keyed);
    group.batch.put(group.tables.activeKeys, { keyHash: event.keyHash, ...place }, encodeKeyed(group.writer, keyed));
  });
}

function writeArchived(group: CommitGroup, { transaction }: TransactionToCommit, offset: Offset, numbers: readonly EventNumbers[]): void {
  transaction.events.forEach((event, index) => {
    if (event.kind !== "exercise" || !event.deactivates) return;
    const before = group.contract(event.contractId);
    assert(before && !before.archived, "an archived contract was active");
    const state: ContractState = { ...before, archived: { offset, nodeId: event.nodeId } };
    group.setContract(event.contractId, state);
    group.batch.put(group.tables.contracts, event.contractId, encodeContractState(group.writer, state));
    const { stakeholders, template } = numbers[index]!; // all versions of a template share a number
    for (const party of [anyParty, ...stakeholders]) {
      const key = { party, template, ...before.created };
      group.batch.remove(group.tables.active, key);
      group.batch.put(group.tables.archived, { ...key, archivedOffset: offset });
    }
    if (!before.keyHash) return;
    group.removeKeyed(before.keyHash, event.contractId);
    group.batch.remove(group.tables.activeKeys, { keyHash: before.keyHash, ...before.created });
  });
}

function writeCompletion(group: CommitGroup, submitting: Submitting, place: Place, result: { readonly updateId: string; readonly error: LedgerErrorData | undefined }, context: CommitContext): void {
  const { submission, submissionId, deduplication, actAs } = submitting;
  const numbers = actAs.map((party) => context.parties.numberOf(party));
  const status = result.error ? { code: result.error.category, message: result.error.cause, error: result.error } : { code: 0, message: "" };
  const completion = {
    ...place, commandId: submission.commandId, submissionId, userId: submission.userId, actAs, updateId: result.updateId, trace: submission.trace, deduplication, status,
  };
  group.batch.append(group.tables.completions, place.offset, encodeCompletion(group.writer, completion, numbers, submitting.changeKey, context.synchronizerId));
  for (const party of numbers) group.batch.put(group.tables.completionIndex, { party, offset: place.offset });
}
