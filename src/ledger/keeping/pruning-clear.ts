/**
 * Removes what pruning takes away, a part for each commit. Of a transaction the creates of contracts that are active at the
 * pruning offset or later stay, as they are needed to read and to use these contracts; all else goes.
 */
import type { Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import type { EventPlace, Table, Tables } from "../../store/index.js";
import {
  anyParty,
  archivedLater,
  type ContractIndex,
  decodeCompletion,
  decodeMark,
  decodeUpdate,
  encodeResidue,
  endOfActivation,
  type EventMarks,
  isStep,
  narrowMarkOf,
  topologyKind,
  type UpdateMarks,
} from "../records/index.js";
import { entriesOfCompletion, entriesOfCreate, entriesOfHead, entriesOfUnassigned, type IndexEntry, type KnownLog } from "./following.js";
import type { CommitGroup } from "../commit/index.js";
import { decodeAcceptance, type LongestPeriod, signedForMicros } from "../intake/index.js";
import type { Offset } from "../model/index.js";
import { templatesIn } from "../reading/index.js";

/** One commit of it. */
export interface Clearing {
  readonly group: CommitGroup;
  readonly contracts: ContractIndex;
  readonly prunedTo: Offset;
}

/** Clears offsets from behind `clearedTo` on, as many as one commit should hold; gives how far it came. */
export function* clearOffsets(clearing: Clearing, clearedTo: Offset): Steps<Offset> {
  const { prunedTo } = clearing;
  let offset = clearedTo;
  for (let events = 0; offset < prunedTo && offset - clearedTo < limits.pruningOffsetsPerCommit && events < limits.pruningEventsPerCommit;)
    events += yield* clearOffset(clearing, ++offset);
  return offset;
}

/** Gives how many events it went through. */
function* clearOffset(clearing: Clearing, offset: Offset): Steps<number> {
  const { group } = clearing;
  if (group.tables.history.has(offset - 1)) group.batch.remove(group.tables.history, offset - 1); // nothing is proved from there now
  clearCompletion(group, offset);
  return yield* clearUpdate(clearing, offset);
}

function clearCompletion(group: CommitGroup, offset: Offset): void {
  const { tables, batch } = group;
  const record = tables.completions.read(offset);
  if (!record) return;
  batch.remove(tables.completions, offset);
  removeAll(group, entriesOfCompletion(decodeCompletion(record, offset)));
}

/** Also of a residue, when more of its contracts are archived. */
function* clearUpdate(clearing: Clearing, offset: Offset): Steps<number> {
  const { group } = clearing,
    { tables, batch } = group,
    record = tables.updates.read(offset);
  if (!record) return 0;
  const update = decodeUpdate(record, offset);
  removeAll(group, entriesOfHead(update));
  const kept: EventMarks[] = [];
  for (const [index, event] of update.events.entries()) {
    if (isStep(index)) yield;
    if (event.isUnassigned) clearUnassigned(clearing, update, event);
    if (event.isCreate && update.kind !== topologyKind && !clearCreate(clearing, update, event)) kept.push(event);
  }
  if (kept.length === 0) batch.remove(tables.updates, offset);
  else batch.put(tables.updates, offset, encodeResidue(group.writer, update, kept));
  return update.events.length;
}

/** False where the contract is active at the pruning offset or was archived later; it then stays. */
function clearCreate(clearing: Clearing, update: UpdateMarks, event: EventMarks): boolean {
  const { group, prunedTo } = clearing;
  // Others never were anybody's active contract: their transaction archived them.
  if (event.changesActiveContracts) {
    const end = endOfActivation(group.tables, event, { offset: update.offset, nodeId: event.nodeId });
    if (end === undefined || end > prunedTo) return false;
    clearMarks(group, "archiveMarks", update, event, prunedTo);
  }
  removeAll(group, entriesOfCreate(knownTo(clearing), update, event));
  return true;
}

/** Nothing is pruned while a contract is on its way, so that it arrived before what is pruned ends. */
function clearUnassigned(clearing: Clearing, update: UpdateMarks, event: EventMarks): void {
  const { group, prunedTo } = clearing;
  removeAll(group, entriesOfUnassigned(knownTo(clearing), update, event));
  clearMarks(group, "assignedMarks", update, event, prunedTo);
}

/** The index of contracts still has those that are pruned; only in a table of them of an earlier format are they removed. */
const knownTo = ({ group, contracts }: Clearing): KnownLog => ({
  tables: group.tables,
  stateOf: (contractId) => contracts.stored(contractId),
  prunedTo: 0,
});

function removeAll({ tables, batch }: CommitGroup, entries: Iterable<IndexEntry>): void {
  for (const { table, key } of entries) batch.remove(tables[table] as unknown as Table<unknown>, key);
}

/** Of blocks into which no reader is early enough to look. */
function clearMarks(
  { tables, batch }: CommitGroup,
  table: "archiveMarks" | "assignedMarks",
  { offset }: UpdateMarks,
  { template, stakeholders }: EventMarks,
  prunedTo: Offset,
): void {
  for (const party of [anyParty, ...stakeholders]) {
    const key = narrowMarkOf({ party, template }, offset),
      record = tables[table].read(key);
    if (record && decodeMark(record) <= prunedTo) batch.remove(tables[table], key);
  }
}

/** Whether a contract was on its way between synchronizers at an offset. */
export function isReassigningAt(tables: Tables, activeAt: Offset): boolean {
  const templates = new Set([...templatesIn(tables.unassigned, anyParty), ...templatesIn(tables.assigned, anyParty)]);
  for (const template of templates) {
    const range = { party: anyParty, template };
    if (
      tables.unassigned.keys({ start: { ...range, offset: 0, nodeId: 0 }, end: { ...range, offset: activeAt + 1, nodeId: 0 }, limit: 1 })
        .length > 0
    )
      return true;
    for (let from: EventPlace | undefined = { offset: 0, nodeId: 0 }; from !== undefined;) {
      const { places, searchedTo } = archivedLater(
        { archived: tables.assigned, archiveMarks: tables.assignedMarks },
        { range, from, activeAt, limit: 1, entriesMax: limits.archivedSearchMax },
      );
      if (places.length > 0) return true;
      from = searchedTo && { offset: searchedTo.offset, nodeId: searchedTo.nodeId + 1 };
    }
  }
  return false;
}

/** Where a look through the index of archived contracts goes on. */
export interface ResidueSearch extends EventPlace {
  readonly template: number;
}
export const firstResidue: ResidueSearch = { template: 0, offset: 0, nodeId: 0 };

/**
 * Clears updates of which parts had been kept for contracts that are archived up to `prunedTo` now, as many as one commit should hold;
 * gives where to go on.
 */
export function* clearResidues(clearing: Clearing, from: ResidueSearch): Steps<ResidueSearch | undefined> {
  const { group, prunedTo } = clearing,
    { archived } = group.tables,
    limit = limits.pruningOffsetsPerCommit;
  const template = templatesIn(archived, anyParty).find((one) => one >= from.template);
  if (template === undefined) return undefined;
  const range = { party: anyParty, template, archivedOffset: 0 },
    start = template === from.template ? from : firstResidue;
  const keys = archived.keys({
    start: { ...range, offset: start.offset, nodeId: start.nodeId },
    end: { ...range, offset: prunedTo + 1, nodeId: 0 },
    limit,
  });
  let events = 0,
    cleared: Offset | undefined;
  for (const { offset, nodeId, archivedOffset } of keys) {
    if (archivedOffset > prunedTo || offset === cleared) continue;
    if (events >= limits.pruningEventsPerCommit) return { template, offset, nodeId };
    events += yield* clearUpdate(clearing, offset);
    cleared = offset;
  }
  const last = keys[keys.length - 1];
  return last && keys.length === limit
    ? { template, offset: last.offset, nodeId: last.nodeId + 1 }
    : { ...firstResidue, template: template + 1 };
}

const lastKey = "ff".repeat(32);

/**
 * Forgets acceptances that no command can repeat any more: pruned, and older than any deduplication period. Those in runs go as
 * these are merged, or with the oldest run. Gives where to go on.
 */
export function* clearAcceptances(
  { tables, batch, recordTime }: CommitGroup,
  from: string,
  prunedTo: Offset,
  longestPeriod: LongestPeriod,
): Steps<string | undefined> {
  const before = recordTime - (longestPeriod > signedForMicros ? longestPeriod : signedForMicros);
  let last: string | undefined,
    seen = 0;
  for (const { key, value } of tables.deduplication.entries({ start: from, end: lastKey, limit: limits.pruningAcceptancesPerCommit })) {
    const { offset, recordTime: acceptedAt } = decodeAcceptance(value);
    if (offset <= prunedTo && acceptedAt < before) batch.remove(tables.deduplication, key);
    last = key;
    if (isStep(++seen)) yield;
  }
  return last === undefined || seen < limits.pruningAcceptancesPerCommit ? undefined : `${last}00`;
}
