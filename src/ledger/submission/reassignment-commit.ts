/**
 * The commit of a reassignment: checks again that its contracts still are where they were, then writes update, contracts, indexes and
 * completion. In steps, as there may be many.
 */
import { assert } from "../../base/assert.js";
import type { Steps } from "../../base/steps.js";
import type { EventPlace } from "../../store/index.js";
import type { CommitGroup, Place } from "../commit/index.js";
import {
  anyParty,
  type ContractState,
  encodeInstance,
  encodeKeyed,
  encodeReassignment,
  encodeReassignmentEntry,
  type EventNumbers,
  isActive,
  isStep,
  readReassignment,
  type Reassignment,
  reassignmentIndex,
  templateName,
  writeUpdateId,
} from "../records/index.js";
import {
  ledgerError,
  type LedgerErrorData,
  newUpdateId,
  type Offset,
  type Party,
  type StoredAssigned,
  type StoredReassignmentEvent,
  type StoredUnassigned,
  type Synchronizers,
  type TraceContext,
} from "../model/index.js";
import type { PartyRegistry } from "../parties/index.js";
import { writeCompletion } from "./completion-writing.js";
import type { MovedContract } from "./moved-contracts.js";
import { isLocked } from "./verdicts.js";
import type { CommitContext } from "./transaction-commit.js";

/** Who reassigns. */
export interface ReassigningCommand {
  readonly submitter: Party;
  readonly workflowId: string;
  readonly commandId: string;
  readonly trace: TraceContext;
  /** Undefined where there is nobody to tell. */
  readonly completion: { readonly userId: string; readonly submissionId: string } | undefined;
  /** What a participant does by itself is told when it was done, and not what it tried. */
  readonly isOwnAttempt?: true;
}

export interface Unassignment {
  readonly reassigning: ReassigningCommand;
  readonly reassignmentId: string;
  readonly source: number;
  readonly target: number;
  /** A contract may be named twice; it is moved once. */
  readonly contracts: readonly MovedContract[];
  /** From the record time on, microseconds. */
  readonly exclusivityMicros: bigint;
}

export interface Assignment {
  readonly reassigning: ReassigningCommand;
  readonly reassignmentId: string;
  readonly contracts: readonly MovedContract[];
}

export type ReassignmentOutcome =
  | { readonly kind: "accepted"; readonly updateId: string; readonly offset: Offset }
  | { readonly kind: "rejected"; readonly error: LedgerErrorData };

export function* commitUnassignment(group: CommitGroup, unassignment: Unassignment, context: CommitContext): Steps<ReassignmentOutcome> {
  const { reassigning, source, contracts } = unassignment,
    place = group.take(),
    moved = yield* firstMoved(group, unassignment);
  if (moved !== undefined) return reject(group, reassigning, place, source, unassignmentFailed(moved.contractId), context);
  const exclusiveUntil = place.recordTime + unassignment.exclusivityMicros,
    updateId = newUpdateId(place.offset);
  for (const seer of seersOf(group, place, reassigning, context)) {
    if (isHosted(contracts, source, seer)) yield* writeUnassignment(seer, { ...unassignment, exclusiveUntil, updateId });
  }
  tell(group, reassigning, place, source, updateId, context);
  return { kind: "accepted", updateId, offset: place.offset };
}

function* firstMoved(group: CommitGroup, { contracts, source }: Unassignment): Steps<MovedContract | undefined> {
  for (const [index, contract] of contracts.entries()) {
    if (isStep(index)) yield;
    if (!isThere(group.contract(contract.contractId), source, contract.activated)) return contract;
  }
  return undefined;
}

export function* commitAssignment(
  group: CommitGroup,
  { reassigning, reassignmentId, contracts }: Assignment,
  context: CommitContext,
): Steps<ReassignmentOutcome> {
  const entry = readReassignment(group.tables, reassignmentId);
  assert(entry, "a reassignment is remembered");
  const { target } = entry,
    [{ contractId }] = contracts as readonly [MovedContract];
  // All of its contracts arrive together, so one of them tells of all.
  const isLate = group.contract(contractId)?.unassigned?.offset !== entry.unassignedOffset,
    already = alreadyAssigned(reassignmentId);
  if (isLate && reassigning.isOwnAttempt) return { kind: "rejected", error: already };
  const place = group.take();
  if (isLate) return reject(group, reassigning, place, target, tooLate(group, contractId, already), context);
  const early = exclusivityProblem(entry, reassignmentId, reassigning.submitter, place.recordTime, context);
  if (early) return reject(group, reassigning, place, target, early, context);
  const updateId = newUpdateId(place.offset);
  for (const seer of seersOf(group, place, reassigning, context)) {
    if (isHosted(contracts, target, seer))
      yield* writeAssignment(seer, { reassigning, reassignmentId, contracts, source: entry.source, target, updateId });
  }
  tell(group, reassigning, place, target, updateId, context);
  return { kind: "accepted", updateId, offset: place.offset };
}

/** A participant that may see a reassignment, with the place that it then has there. */
interface Seer {
  readonly group: CommitGroup;
  readonly parties: PartyRegistry;
  readonly synchronizers: Synchronizers;
  /** Taken when it is asked for: who sees nothing of it has no offset for it. */
  readonly place: () => Place;
  readonly isSubmitter: boolean;
}

/** Who tells of it by a completion is its submitter. */
function* seersOf(
  group: CommitGroup,
  place: Place,
  { completion }: ReassigningCommand,
  { parties, synchronizers, others }: CommitContext,
): Generator<Seer> {
  yield { group, parties, synchronizers, place: () => place, isSubmitter: completion !== undefined };
  for (const other of others) {
    const theirs = group.of(other.commits);
    yield {
      group: theirs,
      parties: other.parties,
      synchronizers: other.synchronizers,
      place: () => theirs.takeAt(place.recordTime),
      isSubmitter: false,
    };
  }
}

/** All contracts of a reassignment have the same stakeholders. */
const isHosted = (contracts: readonly MovedContract[], synchronizer: number, { parties }: Seer): boolean =>
  contracts[0]!.created.stakeholders.some((party) => parties.get(party)?.hostedOn.includes(synchronizer));

/** Who hosts one stakeholder where it leaves and only another where it arrives does not know that these are one way. */
const isReassigning = (
  contracts: readonly MovedContract[],
  { source, target }: Pick<Unassignment, "source" | "target">,
  { parties }: Seer,
): boolean =>
  contracts[0]!.created.stakeholders.some((party) => {
    const hostedOn = parties.get(party)?.hostedOn ?? [];
    return hostedOn.includes(source) && hostedOn.includes(target);
  });

interface WrittenUnassignment extends Unassignment {
  readonly exclusiveUntil: bigint;
  readonly updateId: string;
}

function* writeUnassignment(
  seer: Seer,
  { reassigning, reassignmentId, source, target, contracts, exclusiveUntil, updateId }: WrittenUnassignment,
): Steps<void> {
  const { group, parties } = seer,
    place = seer.place(),
    seen = new Set<string>(),
    isFollowed = isReassigning(contracts, { source, target }, seer),
    events: StoredUnassigned[] = [];
  for (const [index, { contractId, created, reassignmentCounter }] of contracts.entries()) {
    if (isStep(index)) yield;
    const deactivates = !seen.has(contractId),
      { activated } = group.contract(contractId)!;
    seen.add(contractId);
    events.push({
      kind: "unassign",
      nodeId: created.nodeId,
      contractId,
      templateId: created.templateId,
      packageName: created.packageName,
      stakeholders: created.stakeholders,
      reassignmentId,
      source,
      target,
      submitter: reassigning.submitter,
      reassignmentCounter: reassignmentCounter + 1,
      assignmentExclusivity: isFollowed ? exclusiveUntil : undefined,
      activated,
      deactivates,
    });
  }
  yield* writeUpdate(seer, reassigning, { place, synchronizer: source, events, updateId });
  for (const [index, event] of events.entries()) {
    if (isStep(index)) yield;
    if (event.deactivates) writeUnassigned(seer, event, place.offset, isFollowed);
  }
  if (!isFollowed) return;
  const entry: Reassignment = {
    source,
    target,
    submitter: parties.numberOf(reassigning.submitter),
    exclusiveUntil,
    contractIds: [...seen],
    unassignedOffset: place.offset,
    assignedOffset: undefined,
  };
  group.batch.put(group.tables.reassignments, reassignmentId, encodeReassignmentEntry(group.writer, entry));
}

interface WrittenAssignment extends Assignment {
  readonly source: number;
  readonly target: number;
  readonly updateId: string;
}

function* writeAssignment(
  seer: Seer,
  { reassigning, reassignmentId, contracts, source, target, updateId }: WrittenAssignment,
): Steps<void> {
  const { group } = seer,
    place = seer.place(),
    entry = readReassignment(group.tables, reassignmentId);
  const events = contracts.map(({ created, reassignmentCounter }): StoredAssigned => ({
    kind: "assign",
    nodeId: created.nodeId,
    created,
    reassignmentId,
    source,
    target,
    submitter: reassigning.submitter,
    reassignmentCounter,
  }));
  yield* writeUpdate(seer, reassigning, { place, synchronizer: target, events, updateId });
  for (const [index, event] of events.entries()) {
    if (isStep(index)) yield;
    writeAssigned(seer, event, place.offset, entry !== undefined);
  }
  if (entry)
    group.batch.put(
      group.tables.reassignments,
      reassignmentId,
      encodeReassignmentEntry(group.writer, { ...entry, assignedOffset: place.offset }),
    );
}

const isThere = (state: ContractState | undefined, synchronizer: number, activated: EventPlace): boolean =>
  state !== undefined
  && isActive(state)
  && state.synchronizer === synchronizer
  && state.activated.offset === activated.offset
  && state.activated.nodeId === activated.nodeId;

/** What is assigned is locked until that is durable. */
function tooLate(group: CommitGroup, contractId: string, settled: LedgerErrorData): LedgerErrorData {
  const state = group.contract(contractId),
    change = state && (state.archived ?? state.unassigned ?? state.activated);
  return change !== undefined && group.isPending(change) ? isLocked(contractId) : settled;
}

/** Canton tells no locks of what is to be unassigned: it holds the contract's counter against a state that it does not know of a locked one. */
const unassignmentFailed = (contractId: string): LedgerErrorData =>
  ledgerError(
    "UNASSIGNMENT_ACTIVENESS_CHECK_FAILED",
    `Activeness check failed. Contract ${contractId} was archived or moved while its unassignment was processed.`,
  );
export const alreadyAssigned = (reassignmentId: string): LedgerErrorData =>
  ledgerError(
    "ASSIGNMENT_ALREADY_COMPLETED",
    `Rejected reassignment as the reassignment has already completed: ${reassignmentId} was while its assignment was processed.`,
  );

/** Whoever unassigned goes first. */
function exclusivityProblem(
  { submitter, exclusiveUntil, target }: Reassignment,
  reassignmentId: string,
  by: Party,
  recordTime: bigint,
  { parties, synchronizers }: CommitContext,
): LedgerErrorData | undefined {
  const owner = parties.byNumber(submitter).party;
  if (by === owner || recordTime >= exclusiveUntil) return undefined;
  return ledgerError(
    "REASSIGNMENT_VALIDATION_FAILED",
    `Validation check failed. Reassignment ${reassignmentId} cannot be assigned by ${by}: until its exclusivity ends only ${owner} may.`,
    { context: { psid: synchronizers.at(target).id } },
  );
}

interface Told {
  readonly place: Place;
  readonly synchronizer: number;
  readonly events: readonly StoredReassignmentEvent[];
  readonly updateId: string;
}

function* writeUpdate(
  seer: Seer,
  { submitter, commandId, workflowId, trace }: ReassigningCommand,
  { place: { offset, recordTime }, synchronizer, events, updateId }: Told,
): Steps<void> {
  const { group, parties, synchronizers, isSubmitter } = seer,
    numbers: EventNumbers[] = [];
  for (const [index, event] of events.entries()) {
    if (isStep(index)) yield;
    numbers.push(numbersOf(event, seer));
  }
  const stored = { offset, recordTime, updateId, commandId: isSubmitter ? commandId : "", workflowId, trace, synchronizer, events };
  const submitters = isSubmitter ? [parties.numberOf(submitter)] : [];
  group.appendUpdate(offset, yield* encodeReassignment(group.writer, stored, numbers, submitters, synchronizers));
  writeUpdateId(group, updateId, offset);
  // All of them have the same stakeholders.
  for (const { party, template } of reassignmentIndex(numbers.slice(0, 1))) group.indexUpdate(party, template, offset);
}

function numbersOf(event: StoredReassignmentEvent, { group, parties }: Seer): EventNumbers {
  const { packageName, templateId, stakeholders } = event.kind === "assign" ? event.created : event,
    numbers = parties.numbersOf(stakeholders);
  return { template: group.templates.intern(templateName(packageName, templateId), group), stakeholders: numbers, witnesses: numbers };
}

/** `isFollowed`: the participant sees where it goes, so that it is on its way there; else it is gone. */
function writeUnassigned(seer: Seer, event: StoredUnassigned, offset: Offset, isFollowed: boolean): void {
  const { group } = seer,
    { batch, tables } = group,
    { template, stakeholders } = numbersOf(event, seer),
    { contractId, nodeId } = event;
  const before = group.contract(contractId)!,
    { activated, keyHash } = before,
    state: ContractState = { ...before, unassigned: { offset, nodeId } };
  group.setContract(contractId, state);
  for (const party of [anyParty, ...stakeholders]) {
    batch.remove(tables.active, { party, template, ...activated });
    batch.insert(tables.archived, { party, template, ...activated, archivedOffset: offset });
    group.markArchived(party, template, activated, offset);
    if (isFollowed) batch.insert(tables.unassigned, { party, template, offset, nodeId });
  }
  if (!keyHash) return;
  group.removeKeyed(keyHash, contractId);
  batch.remove(tables.activeKeys, { keyHash, ...activated });
}

/** `wasFollowed`: the participant saw it leave; else it is new there, or comes back. */
function writeAssigned(seer: Seer, event: StoredAssigned, offset: Offset, wasFollowed: boolean): void {
  const { created, target, reassignmentCounter } = event,
    { group } = seer,
    { batch, tables, writer } = group;
  const { contractId, nodeId, keyHash, createdEventBlob } = created,
    activated = { offset, nodeId },
    before = group.contract(contractId);
  const { template, stakeholders } = numbersOf(event, seer);
  batch.append(
    tables.instances,
    activated,
    encodeInstance(writer, { contractId, template, stakeholders, keyHash, instance: createdEventBlob }),
  );
  const state: ContractState = {
    created: before?.created,
    activated,
    archived: undefined,
    keyHash,
    synchronizer: target,
    reassignmentCounter,
    unassigned: undefined,
  };
  group.setContract(contractId, state);
  group.indexActive(stakeholders, template, activated);
  for (const party of [anyParty, ...stakeholders]) {
    if (!wasFollowed || before?.unassigned === undefined) continue;
    batch.remove(tables.unassigned, { party, template, ...before.unassigned });
    batch.insert(tables.assigned, { party, template, ...before.unassigned, archivedOffset: offset });
    group.markAssigned(party, template, before.unassigned, offset);
  }
  if (!keyHash) return;
  const keyed = { contractId, stakeholders, createdOffset: offset };
  group.addKeyed(keyHash, keyed);
  batch.insert(tables.activeKeys, { keyHash, ...activated }, encodeKeyed(writer, keyed));
}

function reject(
  group: CommitGroup,
  reassigning: ReassigningCommand,
  place: Place,
  synchronizer: number,
  error: LedgerErrorData,
  context: CommitContext,
): ReassignmentOutcome {
  tell(group, reassigning, place, synchronizer, error, context);
  return { kind: "rejected", error };
}

function tell(
  group: CommitGroup,
  { completion, submitter, commandId, trace }: ReassigningCommand,
  place: Place,
  synchronizer: number,
  outcome: string | LedgerErrorData,
  context: CommitContext,
): void {
  assert(completion !== undefined || typeof outcome === "string", "what nobody is told of takes an offset only when it can be done");
  if (completion === undefined) return;
  const { userId, submissionId } = completion,
    completed = {
      submission: { commandId, userId, trace },
      submissionId,
      actAs: [submitter],
      deduplication: { kind: "none" },
      changeKey: "",
    } as const;
  writeCompletion(group, completed, place, synchronizer, outcome, context);
}
