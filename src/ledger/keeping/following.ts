/**
 * The entries that the tables beside the log must have, as the log itself tells: every update and completion is taken for
 * itself, so that a ledger of any size is gone through in little memory. Whether a contract is active is told by its own
 * record, which is held against both its create and its archive. Verification looks for these entries, and pruning removes them.
 */
import type { ActiveKey, ArchivedKey, EventPlace, IndexTable, TableKey, Tables } from "../../store/index.js";
import {
  anyParty,
  type CompletionMarks,
  contractIdOf,
  type ContractState,
  endOfActivation,
  endOfState,
  type EventMarks,
  idOfReassignment,
  indexOf,
  isFollowed,
  isForeignUpdateId,
  readReassignment,
  type UpdateMarks,
} from "../records/index.js";
import type { Offset } from "../model/index.js";

export interface IndexEntry {
  readonly table: IndexTable;
  readonly key: unknown;
}

/** What of the log an entry follows from. */
interface Following<K> {
  /** From an update that is not pruned: of the others no one finds anything but their contracts. */
  readonly update?: (update: UpdateMarks) => Iterable<K>;
  /** From every create, also of a contract that its own transaction archived. */
  readonly create?: (place: EventPlace) => Iterable<K>;
  /** From the create of a contract that its own transaction archived, as far as the contract is known: once nobody kept those. */
  readonly transient?: (contractId: string) => Iterable<K>;
  /** From what made a contract active. */
  readonly activation?: (made: Activation) => Iterable<K>;
  readonly unassigned?: (left: Departure) => Iterable<K>;
  readonly completion?: (completion: CompletionMarks) => Iterable<K>;
}

const following: { readonly [T in IndexTable]: Following<TableKey<T>> } = {
  updateIndex: { update: (update) => indexOf(update).map((entry) => ({ ...entry, offset: update.offset })) },
  updateIds: { update: ({ updateId, offset }) => (isForeignUpdateId(updateId, offset) ? [updateId] : []) },
  instances: { create: (place) => [place] },
  contracts: {
    transient: (contractId) => [contractId],
    activation: ({ isCurrent, isPruned, contractId }) => (isCurrent && !isPruned ? [contractId] : []),
  },
  active: { activation: (made) => (made.state && made.endedAt === undefined ? keysOf(made) : []) },
  archived: { activation: (made) => (made.state && made.endedAt !== undefined ? endedKeysOf(made, made.endedAt) : []) },
  activeKeys: {
    activation: ({ state, endedAt, place }) =>
      state && endedAt === undefined && state.keyHash !== "" ? [{ keyHash: state.keyHash, ...place }] : [],
  },
  reassignments: { unassigned: ({ isFirst, reassignmentId }) => (isFirst ? [reassignmentId] : []) },
  unassigned: { unassigned: (left) => (left.assignedAt === undefined ? keysOf(left) : []) },
  assigned: { unassigned: (left) => (left.assignedAt === undefined ? [] : endedKeysOf(left, left.assignedAt)) },
  completionIndex: { completion: ({ actAs, offset }) => [...new Set(actAs)].map((party) => ({ party, offset })) },
};
const rules = Object.entries(following) as unknown as readonly (readonly [IndexTable, Following<unknown>])[];

/** Where the log is, and what is known of contracts: an open commit may know more than the tables. */
export interface KnownLog {
  readonly tables: Tables;
  readonly stateOf: (contractId: string) => ContractState | undefined;
  /** Of a contract that ended up to here nothing is told, though there may still be events of it. */
  readonly prunedTo: Offset;
}

export function* entriesOfUpdate(log: KnownLog, update: UpdateMarks, clearedTo: Offset): Generator<IndexEntry> {
  if (update.offset > clearedTo) yield* entriesOfHead(update);
  for (const event of update.events) {
    if (event.isCreate) yield* entriesOfCreate(log, update, event);
    else if (event.isUnassigned) yield* entriesOfUnassigned(log, update, event);
  }
}

/** By which the update as a whole is found. */
export function* entriesOfHead(update: UpdateMarks): Generator<IndexEntry> {
  for (const [table, { update: rule }] of rules) if (rule) for (const key of rule(update)) yield { table, key };
}

export function* entriesOfCreate(log: KnownLog, update: UpdateMarks, event: EventMarks): Generator<IndexEntry> {
  const place = placeOf(update, event);
  for (const [table, { create }] of rules) if (create) for (const key of create(place)) yield { table, key };
  if (!event.changesActiveContracts) {
    const contractId = contractIdOf(update, event);
    if (update.offset > log.prunedTo && isTransient(log.stateOf(contractId), place))
      for (const [table, { transient }] of rules) if (transient) for (const key of transient(contractId)) yield { table, key };
    return;
  }
  const made = activationOf(log, update, event);
  for (const [table, { activation }] of rules) if (activation) for (const key of activation(made)) yield { table, key };
}

/** Whether a contract was made there, and archived by the same transaction. */
export const isTransient = (state: ContractState | undefined, { offset, nodeId }: EventPlace): boolean =>
  state?.created?.offset === offset && state.created.nodeId === nodeId && state.archived?.offset === offset;

export function* entriesOfUnassigned({ tables }: KnownLog, update: UpdateMarks, event: EventMarks): Generator<IndexEntry> {
  if (!event.changesActiveContracts || !isFollowed(update, event)) return;
  const left = departureOf(tables, update, event);
  for (const [table, { unassigned }] of rules) if (unassigned) for (const key of unassigned(left)) yield { table, key };
}

export function* entriesOfCompletion(completion: CompletionMarks): Generator<IndexEntry> {
  for (const [table, { completion: rule }] of rules) if (rule) for (const key of rule(completion)) yield { table, key };
}

/** An event as the indexes see it. */
interface Indexed {
  readonly place: EventPlace;
  readonly template: number;
  readonly stakeholders: readonly number[];
}

/** A create, or an assignment, which made a contract active here. */
interface Activation extends Indexed {
  readonly contractId: string;
  /** Undefined when the contract has no record, which is a fault of its own. */
  readonly state: ContractState | undefined;
  /** Whether it is the last of the contract's. */
  readonly isCurrent: boolean;
  readonly endedAt: Offset | undefined;
  readonly isPruned: boolean;
}

function activationOf({ tables, stateOf, prunedTo }: KnownLog, update: UpdateMarks, event: EventMarks): Activation {
  const { template, stakeholders } = event,
    place = placeOf(update, event),
    contractId = contractIdOf(update, event),
    state = stateOf(contractId);
  const isCurrent = state === undefined || (state.activated.offset === place.offset && state.activated.nodeId === place.nodeId);
  const endedAt = isCurrent ? state && endOfState(state) : (endOfActivation(tables, event, place) ?? 0);
  const isPruned = endedAt !== undefined && endedAt <= prunedTo;
  return { place, template, stakeholders, contractId, state, isCurrent, endedAt, isPruned };
}

/** An unassignment: the contract is on its way, or was. */
interface Departure extends Indexed {
  readonly reassignmentId: string;
  /** Whether it is the first of those that left together. */
  readonly isFirst: boolean;
  readonly assignedAt: Offset | undefined;
}

function departureOf(tables: Tables, update: UpdateMarks, event: EventMarks): Departure {
  const { template, stakeholders } = event,
    reassignmentId = idOfReassignment(update, event),
    isFirst = event === update.events.find((other) => other.isUnassigned),
    assignedAt = readReassignment(tables, reassignmentId)?.assignedOffset;
  return { place: placeOf(update, event), template, stakeholders, reassignmentId, isFirst, assignedAt };
}

const placeOf = ({ offset }: UpdateMarks, { nodeId }: EventMarks): EventPlace => ({ offset, nodeId });
const keysOf = ({ place, template, stakeholders }: Indexed): ActiveKey[] =>
  [anyParty, ...stakeholders].map((party) => ({ party, template, ...place }));
const endedKeysOf = (indexed: Indexed, archivedOffset: Offset): ArchivedKey[] => keysOf(indexed).map((key) => ({ ...key, archivedOffset }));
