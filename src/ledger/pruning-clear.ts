/**
 * Removes what pruning takes away, a part for each commit. Of a transaction the creates of contracts that are active at the
 * pruning offset or later stay, as they are needed to read and to use these contracts; all else goes.
 */
import { limits } from "../config.js";
import type { CommitGroup } from "./commit.js";
import { decodeCompletion } from "./completion-record.js";
import { decodeAcceptance, deduplicationMaxMicros } from "./deduplication.js";
import { anyParty } from "./filters.js";
import type { Offset } from "./model.js";
import { contractIdOf, indexOf } from "./update-contents.js";
import { topologyKind, type EventMarks, type UpdateMarks } from "./update-marks.js";
import { decodeUpdate, encodeResidue } from "./update-record.js";
import { templatesIn } from "./update-scan.js";

/** Clears offsets from behind `clearedTo` on, as many as one commit should hold; gives how far it came. */
export function clearOffsets(group: CommitGroup, clearedTo: Offset, prunedTo: Offset): Offset {
  let offset = clearedTo;
  for (let events = 0; offset < prunedTo && offset - clearedTo < limits.pruningOffsetsPerCommit && events < limits.pruningEventsPerCommit;) events += clearOffset(group, ++offset, prunedTo);
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
  const { tables, batch } = group, record = tables.updates.read(offset);
  if (!record) return 0;
  const update = decodeUpdate(record, offset);
  for (const entry of indexOf(update)) batch.remove(tables.updateIndex, { ...entry, offset });
  const kept = update.kind === topologyKind ? [] : update.events.filter((event) => event.isCreate && !clearCreate(group, update, event, prunedTo));
  if (kept.length === 0) batch.remove(tables.updates, offset);
  else batch.put(tables.updates, offset, encodeResidue(group.writer, update, kept));
  return update.events.length;
}

/** False where the contract is active at the pruning offset or was archived later; it then stays. */
function clearCreate(group: CommitGroup, update: UpdateMarks, event: EventMarks, prunedTo: Offset): boolean {
  const { tables, batch } = group, place = { offset: update.offset, nodeId: event.nodeId };
  const contractId = contractIdOf(update, event);
  // Others never were anybody's active contract: their transaction archived them.
  const state = event.changesActiveContracts ? group.contract(contractId) : undefined;
  if (state && (!state.archived || state.archived.offset > prunedTo)) return false;
  batch.remove(tables.instances, place);
  if (!state?.archived) return true;
  batch.remove(tables.contracts, contractId);
  for (const party of [anyParty, ...event.stakeholders]) batch.remove(tables.archived, { party, template: event.template, archivedOffset: state.archived.offset, ...place });
  return true;
}

/** Clears some of those updates of which parts had been kept for contracts that are archived up to `prunedTo` now. False: there are none. */
export function clearResidues(group: CommitGroup, prunedTo: Offset): boolean {
  const { archived } = group.tables;
  for (const template of templatesIn(archived, anyParty)) {
    const range = { party: anyParty, template, offset: 0, nodeId: 0 };
    const keys = archived.keys({ start: { ...range, archivedOffset: 0 }, end: { ...range, archivedOffset: prunedTo + 1 }, limit: limits.pruningOffsetsPerCommit });
    if (keys.length === 0) continue;
    for (const offset of new Set(keys.map((key) => key.offset))) clearUpdate(group, offset, prunedTo);
    return true;
  }
  return false;
}

const lastKey = "ff".repeat(32);

/** Forgets acceptances that no command can repeat any more: pruned, and older than any deduplication period. Gives where to go on. */
export function clearAcceptances({ tables, batch, recordTime }: CommitGroup, from: string, prunedTo: Offset): string | undefined {
  let last: string | undefined, seen = 0;
  for (const { key, value } of tables.deduplication.entries({ start: from, end: lastKey, limit: limits.pruningAcceptancesPerCommit })) {
    const { offset, recordTime: acceptedAt } = decodeAcceptance(value);
    if (offset <= prunedTo && acceptedAt <= recordTime - deduplicationMaxMicros) batch.remove(tables.deduplication, key);
    last = key;
    seen++;
  }
  return last === undefined || seen < limits.pruningAcceptancesPerCommit ? undefined : `${last}00`;
}
