/** The commit of a reassignment: checks again that its contracts still are where they were, then writes update, contracts, indexes and completion. */
import { assert } from "../../base/assert.js";
import type { EventPlace } from "../../store/index.js";
import type { CommitGroup } from "../commit/index.js";
import {
  anyParty, type ContractState, decodeInstance, encodeCompletion, encodeContractState, encodeInstance, encodeKeyed,
  encodeReassignment, encodeReassignmentEntry, type EventNumbers, isActive, readReassignment, type Reassignment,
  reassignmentIndex,
} from "../records/index.js";
import {
  ledgerError, type LedgerErrorData, newUpdateId, type Offset, type Party, type StoredAssigned, type StoredCreate,
  type StoredReassignmentEvent, type StoredUnassigned, type TraceContext,
} from "../model/index.js";
import type { CommitContext } from "./transaction-commit.js";

/** Who reassigns. */
export interface Reassigning {
  readonly submitter: Party;
  readonly workflowId: string;
  readonly commandId: string;
  readonly trace: TraceContext;
  /** Undefined where nobody waits for a completion: what the ledger does by itself. */
  readonly completion: { readonly userId: string; readonly submissionId: string } | undefined;
}

/** A contract that is to be moved, as it was found. */
export interface MovedContract {
  readonly contractId: string;
  readonly activated: EventPlace;
  /** Its created event, with the node id that it has in the reassignment. */
  readonly created: StoredCreate;
  readonly reassignmentCounter: number;
}

export interface Unassignment {
  readonly reassigning: Reassigning;
  readonly reassignmentId: string;
  readonly source: number;
  readonly target: number;
  /** A contract may be named twice; it is moved once. */
  readonly contracts: readonly MovedContract[];
  /** From the record time on, microseconds. */
  readonly exclusivityMicros: bigint;
}

export interface Assignment {
  readonly reassigning: Reassigning;
  readonly reassignmentId: string;
  readonly contracts: readonly MovedContract[];
}

export type ReassignmentOutcome =
  | { readonly kind: "accepted"; readonly updateId: string; readonly offset: Offset; readonly exclusiveUntil: bigint }
  | { readonly kind: "rejected"; readonly error: LedgerErrorData };

interface Place { readonly offset: Offset; readonly recordTime: bigint }

export function commitUnassignment(group: CommitGroup, unassignment: Unassignment, context: CommitContext): ReassignmentOutcome {
  const { reassigning, reassignmentId, source, target, contracts } = unassignment, place = group.take();
  const moved = contracts.find(({ contractId, activated }) => !isThere(group.contract(contractId), source, activated));
  if (moved !== undefined) return reject(group, reassigning, place, source, unassignmentFailed(moved.contractId), context);
  const exclusiveUntil = place.recordTime + unassignment.exclusivityMicros, seen = new Set<string>();
  const events = contracts.map(({ contractId, activated, created, reassignmentCounter }): StoredUnassigned => {
    const deactivates = !seen.has(contractId);
    seen.add(contractId);
    return {
      kind: "unassign", nodeId: created.nodeId, contractId, templateId: created.templateId, packageName: created.packageName, stakeholders: created.stakeholders,
      reassignmentId, source, target, submitter: reassigning.submitter, reassignmentCounter: reassignmentCounter + 1, assignmentExclusivity: exclusiveUntil, activated, deactivates,
    };
  });
  const updateId = writeUpdate(group, reassigning, place, source, events, context);
  for (const event of events) if (event.deactivates) writeUnassigned(group, event, place.offset, context);
  const entry: Reassignment = {
    source, target, submitter: context.parties.numberOf(reassigning.submitter), exclusiveUntil, contractIds: [...seen], unassignedOffset: place.offset, assignedOffset: undefined,
  };
  group.batch.put(group.tables.reassignments, reassignmentId, encodeReassignmentEntry(group.writer, entry));
  writeCompletion(group, reassigning, place, source, updateId, undefined, context);
  return { kind: "accepted", updateId, offset: place.offset, exclusiveUntil };
}

export function commitAssignment(group: CommitGroup, { reassigning, reassignmentId, contracts }: Assignment, context: CommitContext): ReassignmentOutcome {
  const entry = readReassignment(group.tables, reassignmentId);
  assert(entry, "a reassignment is remembered");
  const { target } = entry, state = group.contract(contracts[0]!.contractId);
  // All of its contracts arrive together, so one of them tells of all.
  const isLate = state?.unassigned?.offset !== entry.unassignedOffset;
  if (isLate && reassigning.completion === undefined) return { kind: "rejected", error: alreadyAssigned(reassignmentId) };
  const place = group.take();
  if (isLate) return reject(group, reassigning, place, target, alreadyAssigned(reassignmentId), context);
  const early = exclusivityProblem(entry, reassignmentId, reassigning.submitter, place.recordTime, context);
  if (early) return reject(group, reassigning, place, target, early, context);
  const events = contracts.map(({ created, reassignmentCounter }): StoredAssigned => ({
    kind: "assign", nodeId: created.nodeId, created, reassignmentId, source: entry.source, target, submitter: reassigning.submitter, reassignmentCounter,
  }));
  const updateId = writeUpdate(group, reassigning, place, target, events, context);
  for (const event of events) writeAssigned(group, event, place.offset, context);
  group.batch.put(group.tables.reassignments, reassignmentId, encodeReassignmentEntry(group.writer, { ...entry, assignedOffset: place.offset }));
  writeCompletion(group, reassigning, place, target, updateId, undefined, context);
  return { kind: "accepted", updateId, offset: place.offset, exclusiveUntil: entry.exclusiveUntil };
}

const isThere = (state: ContractState | undefined, synchronizer: number, activated: EventPlace): boolean =>
  state !== undefined && isActive(state) && state.synchronizer === synchronizer && state.activated.offset === activated.offset && state.activated.nodeId === activated.nodeId;

const unassignmentFailed = (contractId: string): LedgerErrorData => ledgerError(
  "UNASSIGNMENT_ACTIVENESS_CHECK_FAILED", `Contract ${contractId} was archived or moved while its unassignment was processed.`, { resources: [["CONTRACT_ID", contractId]] },
);
const alreadyAssigned = (reassignmentId: string): LedgerErrorData =>
  ledgerError("ASSIGNMENT_ALREADY_COMPLETED", `Reassignment ${reassignmentId} was completed while its assignment was processed.`);

/** Whoever unassigned goes first. */
function exclusivityProblem({ submitter, exclusiveUntil, target }: Reassignment, reassignmentId: string, by: Party, recordTime: bigint, { parties, synchronizers }: CommitContext): LedgerErrorData | undefined {
  const owner = parties.byNumber(submitter).party;
  if (by === owner || recordTime >= exclusiveUntil) return undefined;
  return ledgerError("REASSIGNMENT_VALIDATION_FAILED", `Reassignment ${reassignmentId} cannot be assigned by ${by}: until its exclusivity ends only ${owner} may.`, { context: { psid: synchronizers.at(target).id } });
}

function writeUpdate(group: CommitGroup, { submitter, commandId, workflowId, trace }: Reassigning, { offset, recordTime }: Place, synchronizer: number, events: readonly StoredReassignmentEvent[], context: CommitContext): string {
  const updateId = newUpdateId(offset), { parties, synchronizers } = context, numbers = events.map((event) => numbersOf(event, group, context));
  const stored = { offset, recordTime, updateId, commandId, workflowId, trace, synchronizer, events };
  group.batch.append(group.tables.updates, offset, encodeReassignment(group.writer, stored, numbers, [parties.numberOf(submitter)], synchronizers));
  for (const entry of reassignmentIndex(numbers)) {
    group.batch.insert(group.tables.updateIndex, { ...entry, offset });
    group.concern(entry.party);
  }
  return updateId;
}

function numbersOf(event: StoredReassignmentEvent, group: CommitGroup, { parties }: CommitContext): EventNumbers {
  const { packageName, templateId, stakeholders } = event.kind === "assign" ? event.created : event, numbers = parties.numbersOf(stakeholders);
  return { template: group.templates.intern(`${packageName}:${templateId.slice(templateId.indexOf(":") + 1)}`, group), stakeholders: numbers, witnesses: numbers };
}

function writeUnassigned(group: CommitGroup, event: StoredUnassigned, offset: Offset, context: CommitContext): void {
  const { batch, tables, writer } = group, { template, stakeholders } = numbersOf(event, group, context), { contractId, nodeId } = event;
  const before = group.contract(contractId)!, { activated, keyHash } = before, state: ContractState = { ...before, unassigned: { offset, nodeId } };
  group.setContract(contractId, state);
  batch.put(tables.contracts, contractId, encodeContractState(writer, state));
  for (const party of [anyParty, ...stakeholders]) {
    batch.remove(tables.active, { party, template, ...activated });
    batch.insert(tables.archived, { party, template, ...activated, archivedOffset: offset });
    group.markArchived(party, template, activated.offset, offset);
    batch.insert(tables.unassigned, { party, template, offset, nodeId });
  }
  if (!keyHash) return;
  group.removeKeyed(keyHash, contractId);
  batch.remove(tables.activeKeys, { keyHash, ...activated });
}

function writeAssigned(group: CommitGroup, { created, target, reassignmentCounter }: StoredAssigned, offset: Offset, { parties }: CommitContext): void {
  const { batch, tables, writer } = group, { contractId, nodeId } = created, activated = { offset, nodeId };
  const before = group.contract(contractId);
  assert(before?.unassigned, "an assigned contract was on its way");
  const record = tables.instances.read(before.activated), { unassigned, keyHash } = before;
  assert(record, "a contract on its way has its instance where it left");
  const { template, stakeholders, instance } = decodeInstance(record, before.activated);
  assert(stakeholders.length === created.stakeholders.length && stakeholders.every((number) => created.stakeholders.includes(parties.byNumber(number).party)), "an assignment tells of the contract that left");
  batch.append(tables.instances, activated, encodeInstance(writer, { contractId, template, stakeholders, keyHash, instance }));
  const state: ContractState = { ...before, activated, synchronizer: target, reassignmentCounter, unassigned: undefined };
  group.setContract(contractId, state);
  batch.put(tables.contracts, contractId, encodeContractState(writer, state));
  for (const party of [anyParty, ...stakeholders]) {
    batch.insert(tables.active, { party, template, ...activated });
    batch.remove(tables.unassigned, { party, template, ...unassigned });
    batch.insert(tables.assigned, { party, template, ...unassigned, archivedOffset: offset });
    group.markAssigned(party, template, unassigned.offset, offset);
  }
  if (!keyHash) return;
  const keyed = { contractId, stakeholders, createdOffset: offset };
  group.addKeyed(keyHash, keyed);
  batch.insert(tables.activeKeys, { keyHash, ...activated }, encodeKeyed(writer, keyed));
}

function reject(group: CommitGroup, reassigning: Reassigning, place: Place, synchronizer: number, error: LedgerErrorData, context: CommitContext): ReassignmentOutcome {
  writeCompletion(group, reassigning, place, synchronizer, "", error, context);
  return { kind: "rejected", error };
}

function writeCompletion(group: CommitGroup, reassigning: Reassigning, { offset, recordTime }: Place, synchronizer: number, updateId: string, error: LedgerErrorData | undefined, { parties, synchronizers }: CommitContext): void {
  const { completion, submitter, commandId, trace } = reassigning;
  assert(completion !== undefined || error === undefined, "what the ledger does by itself takes an offset only when it can be done");
  if (completion === undefined) return;
  const status = error ? { code: error.category, message: error.cause, error } : { code: 0, message: "" }, number = parties.numberOf(submitter);
  const stored = { offset, recordTime, commandId, ...completion, actAs: [submitter], updateId, trace, deduplication: { kind: "none" } as const, status };
  group.batch.append(group.tables.completions, offset, encodeCompletion(group.writer, stored, [number], "", synchronizers.idJson(synchronizer)));
  group.batch.insert(group.tables.completionIndex, { party: number, offset });
  group.concern(number);
}
