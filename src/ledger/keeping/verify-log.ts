/** The log of updates and completions, and everything that follows from it. */
import { type EventPlace, type IndexTable, indexTables, offsetMax, type Table, type Tables } from "../../store/index.js";
import {
  allOffsets,
  anyParty,
  contractIdOf,
  type ContractIndex,
  type ContractState,
  decodeCompletion,
  decodeInstance,
  decodeKeyed,
  decodeMark,
  decodeUpdate,
  decodeUpdateId,
  type EventMarks,
  hasOffset,
  isRejection,
  marksOf,
  placesOfUpdateId,
  readPruningPoint,
  readReassignment,
  transactionKind,
  type UpdateMarks,
} from "../records/index.js";
import { decodeDigest, readHistoryEnd, walkHistory } from "../commit/index.js";
import { type Acceptance, AcceptanceIndex, decodeAcceptance } from "../intake/index.js";
import { entriesOfCompletion, entriesOfUpdate, type IndexEntry, isTransient, type KnownLog } from "./following.js";
import type { Offset } from "../model/index.js";
import type { Check, Verification } from "./verification.js";

const placeText = ({ offset, nodeId }: EventPlace): string => `${offset}/${nodeId}`;

/** Every offset behind the pruned ones has an update, a completion, or both; their contracts are as they say. */
export const log: Check = (verification) => {
  const { tables } = verification,
    { clearedTo } = readPruningPoint(tables);
  const offsets = mergedOffsets(tables);
  let next = clearedTo + 1;
  for (const offset of offsets) {
    verification.reached("log", offset);
    if (offset <= clearedTo) {
      residue(verification, offset);
      continue;
    }
    for (; next < offset; next++) verification.find(`offset ${next} is missing`);
    next = offset + 1;
    entryOfLog(verification, offset);
  }
};

/** Ascending, each once. */
function* mergedOffsets(tables: Tables): Generator<Offset> {
  const updates = tables.updates.all(),
    completions = tables.completions.all();
  let update = updates.next().value?.key,
    completion = completions.next().value?.key;
  while (update !== undefined || completion !== undefined) {
    const offset = Math.min(update ?? Infinity, completion ?? Infinity);
    yield offset;
    if (update === offset) update = updates.next().value?.key;
    if (completion === offset) completion = completions.next().value?.key;
  }
}

function entryOfLog(verification: Verification, offset: Offset): void {
  const { tables } = verification;
  const updateRecord = tables.updates.read(offset),
    completionRecord = tables.completions.read(offset);
  if (completionRecord) {
    verification.count("completions");
    verification.attempt(`completion ${offset}`, () => decodeCompletion(completionRecord, offset));
  }
  if (!updateRecord) return;
  verification.count("updates");
  verification.attempt(`update ${offset}`, () => {
    const update = decodeUpdate(updateRecord, offset);
    // What another participant committed has no submitters here.
    if (update.kind === transactionKind && update.submitters.length > 0 && !completionRecord)
      verification.find(`update ${offset}: a transaction without a completion`);
    if (![...placesOfUpdateId(tables, update.updateId)].includes(offset))
      verification.find(`update ${offset}: its id leads to another offset`);
    for (const event of update.events) contractOf(verification, update, event);
  });
}

/** What is left of a pruned transaction: creates of contracts that are of use. */
function residue(verification: Verification, offset: Offset): void {
  const { tables } = verification,
    pruning = readPruningPoint(tables);
  if (tables.completions.has(offset)) verification.find(`completion ${offset}: it lies in what is pruned`);
  const record = tables.updates.read(offset);
  if (!record) return;
  verification.count("pruned updates with contracts");
  verification.attempt(`update ${offset}`, () => {
    const update = decodeUpdate(record, offset);
    for (const event of update.events) {
      if (!event.isCreate || !event.changesActiveContracts) verification.find(`update ${offset}: node ${event.nodeId} should be pruned`);
      else contractOf(verification, update, event);
      const state = verification.contracts.stored(contractIdOf(update, event)),
        archived = state?.activated.offset === offset ? state.archived : undefined;
      if (pruning.isComplete && archived && archived.offset <= pruning.offset)
        verification.find(`update ${offset}: node ${event.nodeId} should be pruned`);
    }
  });
}

/** An event against the contract's own records. */
function contractOf(verification: Verification, update: UpdateMarks, event: EventMarks): void {
  const { tables } = verification,
    contractId = contractIdOf(update, event),
    place = { offset: update.offset, nodeId: event.nodeId };
  const what = `contract ${contractId}`;
  if (event.isCreate) instanceAt(verification, event, contractId, place);
  if (!event.changesActiveContracts) {
    if (event.isCreate) transientOf(verification, update, contractId, place);
    return;
  }
  const state = verification.attempt(what, () => verification.contracts.stored(contractId));
  if (!state) return; // told as a missing entry, or as a damaged one
  if (event.isUnassigned || isMovedSince(state, event, place)) return movedOf(verification, what, event, state);
  const told = event.isAssigned ? state.activated : event.isCreate ? state.created : state.archived;
  if (event.isCreate) verification.count("contracts");
  if (!told || placeText(told) !== placeText(place))
    verification.find(
      `${what}: ${event.isCreate ? "created" : "archived"} at ${placeText(place)}, but its record says ${told ? placeText(told) : "that it is active"}`,
    );
  // What was archived up to the pruning offset is on its way out: an interrupted pruning may have taken its archive already.
  if (!state.archived || state.archived.offset <= readPruningPoint(tables).offset) return;
  archiveOf(verification, what, state.archived);
  if (event.isCreate) markedOf(verification, what, event, place, state.archived.offset);
}

/** A contract that is known though it never was active: then the same update archives it where its record says. */
function transientOf(verification: Verification, update: UpdateMarks, contractId: string, place: EventPlace): void {
  const what = `contract ${contractId}`,
    state = verification.attempt(what, () => verification.contracts.stored(contractId));
  if (!state?.created || placeText(state.created) !== placeText(place)) return;
  const end = isTransient(state, place) ? update.events.find(({ nodeId }) => nodeId === state.archived?.nodeId) : undefined;
  if (!end?.isConsuming || end.changesActiveContracts || contractIdOf(update, end) !== contractId)
    verification.find(`${what}: created at ${placeText(place)}, where nothing archives it as its record says`);
}

/** A create or an assignment that another assignment followed. */
const isMovedSince = (state: ContractState, event: EventMarks, place: EventPlace): boolean =>
  event.isCreate && placeText(state.activated) !== placeText(place) && event.reassignmentCounter < state.reassignmentCounter;

/** What came later is told by the contract's record. */
function movedOf(verification: Verification, what: string, event: EventMarks, { created, activated }: ContractState): void {
  if (!event.isUnassigned) return;
  if (event.activated.offset > activated.offset)
    verification.find(
      `${what}: it left from ${placeText(event.activated)}, but its record says that it was made active at ${placeText(activated)}`,
    );
  if (created !== undefined && event.activated.offset < created.offset)
    verification.find(`${what}: it left from ${placeText(event.activated)}, before it was created`);
}

/** Readers at earlier offsets would pass by a contract that is not marked. */
function markedOf(verification: Verification, what: string, event: EventMarks, place: EventPlace, archivedOffset: Offset): void {
  for (const party of [anyParty, ...event.stakeholders]) {
    for (const key of marksOf({ party, template: event.template }, place.offset)) {
      const record = verification.tables.archiveMarks.read(key);
      const marked = record && verification.attempt(`${what}, mark`, () => decodeMark(record));
      if (marked === undefined || marked < archivedOffset)
        verification.find(`${what}: its archive at ${archivedOffset} is not marked for party ${party} on level ${key.level}`);
    }
  }
}

function archiveOf(verification: Verification, what: string, place: EventPlace): void {
  const record = verification.tables.updates.read(place.offset);
  const event = record && decodeUpdate(record, place.offset).events.find(({ nodeId }) => nodeId === place.nodeId);
  if (!event || event.isCreate || !event.changesActiveContracts) verification.find(`${what}: nothing archives it at ${placeText(place)}`);
}

function instanceAt(verification: Verification, event: EventMarks, contractId: string, place: EventPlace): void {
  const record = verification.tables.instances.read(place);
  const instance = record && verification.attempt(`instance ${placeText(place)}`, () => decodeInstance(record, place));
  if (!instance) return;
  const isSame =
    instance.contractId === contractId
    && instance.template === event.template
    && String(instance.stakeholders) === String(event.stakeholders);
  if (!isSame) verification.find(`instance ${placeText(place)}: it is not that of contract ${contractId}`);
  if (instance.keyHash !== "" && event.changesActiveContracts) keyOf(verification, instance.keyHash, contractId, place);
}

function keyOf(verification: Verification, keyHash: string, contractId: string, place: EventPlace): void {
  const { tables } = verification;
  if (verification.contracts.stored(contractId)?.keyHash !== keyHash)
    verification.find(`contract ${contractId}: its record has another key`);
  const record = tables.activeKeys.read({ keyHash, ...place });
  const keyed = record && verification.attempt(`key ${keyHash}`, () => decodeKeyed(record));
  if (keyed && keyed.contractId !== contractId) verification.find(`key ${keyHash}: it leads to another contract`);
}

/** Every entry that follows from the log is there; where a table has another number of them, those too many are named. */
export const indexes: Check = (verification) => {
  const expected = new Map<IndexTable, number>();
  for (const { table, key } of expectedEntries(verification)) {
    expected.set(table, (expected.get(table) ?? 0) + 1);
    if (verification.attempt(`index ${table}`, () => anyTable(verification, table).has(key)) === false)
      verification.find(`index ${table}: ${keyText(key)} is missing`);
  }
  const different = indexTables.filter((table) => count(anyTable(verification, table).all()) !== (expected.get(table) ?? 0));
  strays(verification, different);
};

function* expectedEntries(verification: Verification): Generator<IndexEntry> {
  const { tables } = verification,
    { clearedTo } = readPruningPoint(tables);
  for (const { key, value } of tables.updates.all()) {
    verification.reached("indexes", key);
    yield* readable(() => entriesOfUpdate(logOf(verification), decodeUpdate(value, key), clearedTo));
  }
  for (const { key, value } of tables.completions.all()) yield* readable(() => entriesOfCompletion(decodeCompletion(value, key)));
}

/** Records that cannot be read were found by `log`; nothing follows from them. */
function readable(entries: () => Iterable<IndexEntry>): readonly IndexEntry[] {
  try {
    return [...entries()];
  } catch {
    return [];
  }
}

function strays(verification: Verification, different: readonly IndexTable[]): void {
  const follows = new EntriesOfOffset(logOf(verification));
  for (const table of different) {
    for (const { key } of anyTable(verification, table).all()) {
      const offset = verification.attempt(`index ${table}`, () => ({ told: offsetOf(verification, table, key) }));
      if (offset && (offset.told === undefined || !follows.has(offset.told, table, key)))
        verification.find(`index ${table}: ${keyText(key)} stands for nothing`);
    }
  }
}

/** Where the log tells of an entry; contracts, reassignments and updates of others are found by their ids. */
function offsetOf({ tables, contracts }: Verification, table: IndexTable, key: unknown): Offset | undefined {
  if (typeof key !== "string") return (key as { readonly offset: Offset }).offset;
  if (table === "contracts") return contracts.stored(key)?.activated.offset;
  if (table === "reassignments") return readReassignment(tables, key)?.unassignedOffset;
  const record = tables.updateIds.read(key);
  return record && decodeUpdateId(record, key);
}

/** The entries that follow from one offset; neighbours in an index often share it. */
class EntriesOfOffset {
  readonly #log: KnownLog;
  #offset: Offset | undefined;
  #entries: ReadonlySet<string> = new Set();

  constructor(log: KnownLog) {
    this.#log = log;
  }

  has(offset: Offset, table: IndexTable, key: unknown): boolean {
    if (offset !== this.#offset) {
      this.#offset = offset;
      this.#entries = new Set(this.#at(offset).map((entry) => `${entry.table} ${keyText(entry.key)}`));
    }
    return this.#entries.has(`${table} ${keyText(key)}`);
  }

  #at(offset: Offset): readonly IndexEntry[] {
    const { tables } = this.#log,
      update = tables.updates.read(offset),
      completion = tables.completions.read(offset);
    return [
      ...(update ? readable(() => entriesOfUpdate(this.#log, decodeUpdate(update, offset), readPruningPoint(tables).clearedTo)) : []),
      ...(completion ? readable(() => entriesOfCompletion(decodeCompletion(completion, offset))) : []),
    ];
  }
}

interface AnyTable {
  has(key: unknown): boolean;
  all(): Iterable<{ readonly key: unknown }>;
}
function anyTable({ tables, contracts }: Verification, table: IndexTable): AnyTable {
  if (table === "contracts") return asTable(contracts);
  if (table === "updateIndex" || table === "completionIndex")
    return offsetByOffset(tables[table] as unknown as Table<{ readonly offset: Offset }>, readPruningPoint(tables).clearedTo);
  return tables[table] as unknown as AnyTable;
}

/** Up to `clearedTo` nothing follows from the log any more. */
const offsetByOffset = (table: Table<{ readonly offset: Offset }>, clearedTo: Offset): AnyTable => ({
  has: (key) => hasOffset(table, key as { readonly offset: Offset }),
  all: () => allOffsets(table, clearedTo),
});

/** Wherever they are. */
const asTable = (contracts: ContractIndex): AnyTable => ({
  has: (contractId) => contracts.find(contractId as string) !== undefined,
  *all() {
    for (const key of contracts.ids()) yield { key };
  },
});

const logOf = ({ tables, contracts }: Verification): KnownLog => ({
  tables,
  stateOf: (contractId) => contracts.stored(contractId),
  prunedTo: readPruningPoint(tables).offset,
});

function count(entries: Iterable<unknown>): number {
  let counted = 0;
  for (const _ of entries) counted++;
  return counted;
}

const keyText = (key: unknown): string =>
  typeof key === "object" && key !== null
    ? Object.entries(key)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${name} ${value}`)
        .join(" ")
    : String(key);

/** Whoever submits need not host anybody that sees what came of it: then there is only the completion. */
function isAccepted(tables: Tables, offset: Offset): boolean {
  const record = tables.completions.read(offset);
  return record !== undefined && !isRejection(decodeCompletion(record, offset));
}

/** What was signed is remembered also where a verdict stood against it: under a key of its own, not that of the change. */
function isUsedInVain(tables: Tables, key: string, offset: Offset): boolean {
  const record = tables.completions.read(offset);
  if (record === undefined) return false;
  const completion = decodeCompletion(record, offset);
  return isRejection(completion) && completion.deduplicationKey !== key;
}

/** The last acceptance of every change id is remembered (reassignments have none), and every acceptance that is remembered happened. */
export const acceptances: Check = (verification) => {
  const { tables } = verification,
    { clearedTo } = readPruningPoint(tables),
    index = new AcceptanceIndex(tables),
    settledTo = index.settledTo ?? offsetMax - 1;
  for (const { key, value } of tables.completions.entries({ start: clearedTo + 1, end: settledTo + 1 })) {
    const change = verification.attempt(`completion ${key}`, () => decodeCompletion(value, key).deduplicationKey);
    if (change === undefined || change === "" || !isAccepted(tables, key)) continue;
    const accepted = verification.attempt(`change ${change}`, () => index.find(change));
    if (!accepted || accepted.offset < key) verification.find(`change ${change}: its acceptance at ${key} is forgotten`);
  }
  const happened = (change: string, { offset }: Acceptance): void => {
    if (offset > clearedTo && !isAccepted(tables, offset)) verification.find(`change ${change}: nothing was accepted at ${offset}`);
  };
  for (const { key, value } of index.runs.entries()) happened(key, value);
  for (const { key, value } of tables.deduplication.all()) {
    const acceptance = verification.attempt(`change ${key}`, () => decodeAcceptance(value));
    if (acceptance && !isUsedInVain(tables, key, acceptance.offset)) happened(key, acceptance);
  }
};

/** What the log holds is what was recorded, as far as pruning left it. */
export const history: Check = (verification) => {
  const { tables } = verification,
    end = verification.attempt("the end of history", () => readHistoryEnd(tables));
  if (end === undefined) return;
  const kept = new Map<Offset, string>();
  for (const { key, value } of tables.history.all()) {
    const digest = verification.attempt(`history ${key}`, () => decodeDigest(value));
    if (digest !== undefined) kept.set(key, digest);
  }
  const [from] = kept.keys();
  if (from === undefined || from > end.offset) return verification.find(`history ${end.offset}: there is nothing to prove it from`);
  let proved = from;
  for (const { offset, digest } of walkHistory(tables, { offset: from, digest: kept.get(from)! }, end.offset)) {
    verification.reached("history", offset);
    const told = [kept.get(offset), offset === end.offset ? end.digest : undefined].filter((one) => one !== undefined);
    if (told.some((one) => one !== digest))
      return verification.find(`history ${offset}: what the log holds behind offset ${proved} is not what was recorded`);
    if (told.length > 0) proved = offset;
  }
  verification.tell(`History behind offset ${from}, up to ${end.offset}: SHA-256 ${end.digest}.`);
};
