/**
 * Removes what pruning takes away, a part for each commit. Of a transaction the creates of contracts that are active at the
 * pruning offset or later stay, as they are needed to read and to use these contracts; all else goes.
 */
import { limits } from "../../config.js";
import type { ArchiveMarkKey, EventPlace, Tables } from "../../store/index.js";
import {
  anyParty,
  archivedLater,
  contractIdOf,
  type ContractState,
  decodeCompletion,
  decodeMark,
  decodeUpdate,
  encodeResidue,
  type EventMarks,
  idOfReassignment,
  indexOf,
  isForeignUpdateId,
  narrowMarkOf,
  topologyKind,
  type UpdateMarks,
} from "../records/index.js";
import type { CommitGroup } from "../commit/index.js";
import { decodeAcceptance, deduplicationMaxMicros } from "../submission/index.js";
import type { Offset } from "../model/index.js";
import { templatesIn } from "../reading/index.js";

/** Clears offsets from behind `clearedTo` on, as many as one commit should hold; gives how far it came. */
export function clearOffsets(group: CommitGroup, clearedTo: Offset, prunedTo: Offset): Offset {
  let offset = clearedTo;
  for (let events = 0; offset < prunedTo && offset - clearedTo < limits.pruningOffsetsPerCommit && events < limits.pruningEventsPerCommit;)
    events += clearOffset(group, ++offset, prunedTo);
  return offset;
}

/** Gives how many events it went through. */
function clearOffset(group: CommitGroup, offset: Offset, prunedTo: Offset): number {
  clearCompletion(group, offset);
  return clearUpdate(group, offset, prunedTo);
}

function clearCompletion({ tables, batch }: CommitGroup, offset: Offset): void {
  const record = tables.completions.read(offset);
  if (!record) return;
  batch.remove(tables.completions, offset);
  for (const party of decodeCompletion(record, offset).actAs) batch.remove(tables.completionIndex, { party, offset });
}

/** Also of a residue, when more of its contracts are archived. */
function clearUpdate(group: CommitGroup, offset: Offset, prunedTo: Offset): number {
  const { tables, batch } = group,
    record = tables.updates.read(offset);
  if (!record) return 0;
  const update = decodeUpdate(record, offset);
  for (const entry of indexOf(update)) batch.remove(tables.updateIndex, { ...entry, offset });
  if (isForeignUpdateId(update.updateId, offset)) batch.remove(tables.updateIds, update.updateId);
  const kept =
    update.kind === topologyKind ? [] : update.events.filter((event) => event.isCreate && !clearCreate(group, update, event, prunedTo));
  for (const event of update.events) if (event.isUnassigned) clearUnassigned(group, update, event, prunedTo);
  if (kept.length === 0) batch.remove(tables.updates, offset);
  else batch.put(tables.updates, offset, encodeResidue(group.writer, update, kept));
  return update.events.length;
}

/** False where the contract is active at the pruning offset or was archived later; it then stays. */
function clearCreate(group: CommitGroup, update: UpdateMarks, event: EventMarks, prunedTo: Offset): boolean {
  const { tables, batch } = group,
    place = { offset: update.offset, nodeId: event.nodeId };
  const contractId = contractIdOf(update, event);
  // Others never were anybody's active contract: their transaction archived them.
  const state = event.changesActiveContracts ? group.contract(contractId) : undefined,
    end = event.changesActiveContracts ? endOf(tables, event, place) : undefined;
  if (event.changesActiveContracts && (end === undefined || end > prunedTo)) return false;
  batch.remove(tables.instances, place);
  if (end === undefined) return true;
  if (state && isActivatedAt(state, place)) batch.remove(tables.contracts, contractId);
  for (const party of [anyParty, ...event.stakeholders]) {
    const range = { party, template: event.template };
    batch.remove(tables.archived, { ...range, ...place, archivedOffset: end });
    clearMark(group, "archiveMarks", narrowMarkOf(range, place.offset), prunedTo);
  }
  return true;
}

const isActivatedAt = ({ activated }: ContractState, { offset, nodeId }: EventPlace): boolean =>
  activated.offset === offset && activated.nodeId === nodeId;

/** When what an event made active ended, by an archive or because the contract moved on; undefined: not yet. */
function endOf({ archived }: Tables, { template }: EventMarks, { offset, nodeId }: EventPlace): Offset | undefined {
  const range = { party: anyParty, template, offset, nodeId };
  return archived.keys({ start: { ...range, archivedOffset: 0 }, end: { ...range, nodeId: nodeId + 1, archivedOffset: 0 }, limit: 1 })[0]
    ?.archivedOffset;
}

/** Nothing is pruned while a contract is on its way, so that it arrived before what is pruned ends. */
function clearUnassigned(group: CommitGroup, update: UpdateMarks, event: EventMarks, prunedTo: Offset): void {
  const { tables, batch } = group,
    place = { offset: update.offset, nodeId: event.nodeId };
  batch.remove(tables.reassignments, idOfReassignment(update, event));
  for (const party of [anyParty, ...event.stakeholders]) {
    const range = { party, template: event.template },
      start = { ...range, ...place, archivedOffset: 0 };
    for (const key of tables.assigned.keys({ start, end: { ...start, nodeId: place.nodeId + 1 }, limit: 1 }))
      batch.remove(tables.assigned, key);
    clearMark(group, "assignedMarks", narrowMarkOf(range, place.offset), prunedTo);
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

/** No reader is early enough to look into the block. */
function clearMark({ tables, batch }: CommitGroup, table: "archiveMarks" | "assignedMarks", key: ArchiveMarkKey, prunedTo: Offset): void {
  const record = tables[table].read(key);
  if (record && decodeMark(record) <= prunedTo) batch.remove(tables[table], key);
}

/** Where a look through the index of archived contracts goes on. */
export interface ResidueSearch extends EventPlace {
  readonly template: number;
}
export const firstResidue: ResidueSearch = { template: 0, offset: 0, nodeId: 0 };

/** Clears updates of which parts had been kept for contracts that are archived up to `prunedTo` now; gives where to go on. */
export function clearResidues(group: CommitGroup, from: ResidueSearch, prunedTo: Offset): ResidueSearch | undefined {
  const { archived } = group.tables,
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
  for (const offset of new Set(keys.filter((key) => key.archivedOffset <= prunedTo).map((key) => key.offset)))
    clearUpdate(group, offset, prunedTo);
  const last = keys[keys.length - 1];
  return last && keys.length === limit
    ? { template, offset: last.offset, nodeId: last.nodeId + 1 }
    : { ...firstResidue, template: template + 1 };
}

const lastKey = "ff".repeat(32);

/** Forgets acceptances that no command can repeat any more: pruned, and older than any deduplication period. Gives where to go on. */
export function clearAcceptances({ tables, batch, recordTime }: CommitGroup, from: string, prunedTo: Offset): string | undefined {
  let last: string | undefined,
    seen = 0;
  for (const { key, value } of tables.deduplication.entries({ start: from, end: lastKey, limit: limits.pruningAcceptancesPerCommit })) {
    const { offset, recordTime: acceptedAt } = decodeAcceptance(value);
    if (offset <= prunedTo && acceptedAt <= recordTime - deduplicationMaxMicros) batch.remove(tables.deduplication, key);
    last = key;
    seen++;
  }
  return last === undefined || seen < limits.pruningAcceptancesPerCommit ? undefined : `${last}00`;
}
