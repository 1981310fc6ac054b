/**
 * The entries that the tables beside the log must have, as the log itself tells: every update and completion is taken for
 * itself, so that a ledger of any size is gone through in little memory. Whether a contract is active is told by its own
 * record, which is held against both its create and its archive.
 */
import type { EventPlace, Tables } from "../../store/index.js";
import {
  anyParty,
  contractIdOf,
  type ContractState,
  decodeCompletion,
  decodeContractState,
  type EventMarks,
  idOfReassignment,
  indexOf,
  isFollowed,
  isForeignUpdateId,
  readReassignment,
  type UpdateMarks,
} from "../records/index.js";
import type { Offset } from "../model/index.js";

/** Tables that follow from the log. */
export const derivedTables = [
  "updateIndex",
  "contracts",
  "instances",
  "active",
  "archived",
  "activeKeys",
  "completionIndex",
  "updateIds",
  "reassignments",
  "unassigned",
  "assigned",
] as const;
export type DerivedTable = (typeof derivedTables)[number];

export interface ExpectedEntry {
  readonly table: DerivedTable;
  readonly key: unknown;
}

/** Of an update before the pruning offset only contracts are left, and no one finds it by itself. */
export function* entriesOfUpdate(tables: Tables, update: UpdateMarks, clearedTo: Offset): Generator<ExpectedEntry> {
  const { offset } = update;
  if (offset > clearedTo) {
    for (const entry of indexOf(update)) yield { table: "updateIndex", key: { ...entry, offset } };
    if (isForeignUpdateId(update.updateId, offset)) yield { table: "updateIds", key: update.updateId };
  }
  for (const event of update.events) {
    if (event.isCreate) yield* entriesOfCreate(tables, update, event);
    else if (event.isUnassigned && event.changesActiveContracts && isFollowed(update, event))
      yield* entriesOfUnassigned(tables, update, event);
  }
}

function* entriesOfCreate(tables: Tables, update: UpdateMarks, event: EventMarks): Generator<ExpectedEntry> {
  const { template, stakeholders } = event,
    place = { offset: update.offset, nodeId: event.nodeId };
  yield { table: "instances", key: place };
  if (!event.changesActiveContracts) return;
  const contractId = contractIdOf(update, event),
    state = readState(tables, contractId);
  const isCurrent = state === undefined || (state.activated.offset === place.offset && state.activated.nodeId === place.nodeId);
  if (isCurrent) yield { table: "contracts", key: contractId };
  if (!state) return;
  const { keyHash } = state,
    end = isCurrent ? (state.archived?.offset ?? state.unassigned?.offset) : movedOn(tables, event, place);
  for (const party of [anyParty, ...stakeholders]) {
    if (end !== undefined) yield { table: "archived", key: { party, template, archivedOffset: end, ...place } };
    else yield { table: "active", key: { party, template, ...place } };
  }
  if (end === undefined && keyHash !== "") yield { table: "activeKeys", key: { keyHash, ...place } };
}

/** Of an activation that another one followed: its unassignment, which names it. */
function movedOn({ archived }: Tables, { template }: EventMarks, { offset, nodeId }: EventPlace): Offset {
  const start = { party: anyParty, template, offset, nodeId, archivedOffset: 0 };
  return archived.keys({ start, end: { ...start, nodeId: nodeId + 1 }, limit: 1 })[0]?.archivedOffset ?? 0;
}

function* entriesOfUnassigned(tables: Tables, update: UpdateMarks, event: EventMarks): Generator<ExpectedEntry> {
  const { template, stakeholders } = event,
    place = { offset: update.offset, nodeId: event.nodeId },
    reassignmentId = idOfReassignment(update, event);
  if (event === update.events.find((other) => other.isUnassigned)) yield { table: "reassignments", key: reassignmentId };
  const assignedOffset = readReassignment(tables, reassignmentId)?.assignedOffset;
  for (const party of [anyParty, ...stakeholders]) {
    if (assignedOffset !== undefined) yield { table: "assigned", key: { party, template, archivedOffset: assignedOffset, ...place } };
    else yield { table: "unassigned", key: { party, template, ...place } };
  }
}

export function* entriesOfCompletion(record: Buffer, offset: Offset): Generator<ExpectedEntry> {
  for (const party of new Set(decodeCompletion(record, offset).actAs)) yield { table: "completionIndex", key: { party, offset } };
}

export function readState(tables: Tables, contractId: string): ContractState | undefined {
  const record = tables.contracts.read(contractId);
  return record && decodeContractState(record, contractId);
}
