/**
 * Where archived contracts are that were active at an offset. The index of archived contracts is in the order of creation, as
 * readers want it; most of it is of no use to a reader at a recent offset. So created offsets are taken together in blocks,
 * those in wider ones, up to one of everything; a mark says when a contract of the block was archived last. A reader at an
 * offset passes by all blocks in which nothing was archived later.
 */
import {
  offsetMax,
  RecordReader,
  u32Max,
  unseal,
  type ArchivedKey,
  type ArchiveMarkKey,
  type EventPlace,
  type RecordWriter,
  type Tables,
} from "../../store/index.js";
import { anyParty, type IndexRange } from "./index-ranges.js";
import type { Offset } from "../model/index.js";

const version = 1;

/** Created offsets in a block of each level, narrow ones first; the last holds all. */
const blockOffsets = [2 ** 8, 2 ** 16, 2 ** 48] as const;
const narrow = 0,
  wide = 1,
  all = 2;

const blockOf = (level: number, offset: Offset): number => Math.floor(offset / blockOffsets[level]!);

/** The marks that a contract belongs to. */
export const marksOf = (range: IndexRange, created: Offset): ArchiveMarkKey[] =>
  blockOffsets.map((_, level) => ({ ...range, level, block: blockOf(level, created) }));

/** What is of use once history is pruned: a wide block can still be marked for others. */
export const narrowMarkOf = (range: IndexRange, created: Offset): ArchiveMarkKey => ({
  ...range,
  level: narrow,
  block: blockOf(narrow, created),
});

export const encodeMark = (writer: RecordWriter, archivedOffset: Offset): Buffer => writer.reset().offset(archivedOffset).finish(version);
export const decodeMark = (record: Buffer): Offset => new RecordReader(unseal(record, version, "archiveMarks")).offset();

/** Marks of a group of commits, each once: the newest archive is the last one. */
export class PendingMarks {
  readonly #marks = new Map<string, { readonly key: ArchiveMarkKey; archivedOffset: Offset }>();

  set(range: IndexRange, created: Offset, archivedOffset: Offset): void {
    for (const key of marksOf(range, created)) {
      const name = `${key.party}/${key.template}/${key.level}/${key.block}`,
        known = this.#marks.get(name);
      if (known) known.archivedOffset = archivedOffset;
      else this.#marks.set(name, { key, archivedOffset });
    }
  }

  [Symbol.iterator](): Iterator<{ readonly key: ArchiveMarkKey; readonly archivedOffset: Offset }> {
    return this.#marks.values();
  }
}

/** Entries that ended, and the marks over them: archived contracts, or contracts that were on their way and arrived. */
export interface MarkTables {
  readonly archived: Tables["archived"];
  readonly archiveMarks: Tables["archiveMarks"];
}

export interface ArchivedSearch {
  readonly range: IndexRange;
  /** Inclusive. */
  readonly from: EventPlace;
  readonly activeAt: Offset;
  readonly limit: number;
  /** Entries that are looked at. */
  readonly entriesMax: number;
}

/** In order, at most `limit`. `searchedTo`: there may be more behind it; absent when there are not. */
export interface ArchivedLater {
  readonly places: readonly EventPlace[];
  readonly searchedTo: EventPlace | undefined;
}

/** Of index entries that are read at once. */
const chunkMin = 32;

/** Behind every node of a transaction, and with room for one more. */
export const lastNodeId = u32Max - 1;

/** Contracts of a range that were created at or before an offset and archived after it. Looks at a bounded number of entries. */
export function archivedLater(tables: MarkTables, search: ArchivedSearch): ArchivedLater {
  const { range, from, activeAt, limit, entriesMax } = search,
    places: EventPlace[] = [];
  let left = entriesMax;
  for (const block of liveBlocks(tables, search)) {
    if (left === 0) return { places, searchedTo: { offset: block.first - 1, nodeId: lastNodeId } };
    for (let start: EventPlace | undefined = startOf(block, from); start !== undefined;) {
      // About as many as would do if all of them were found.
      const size = Math.min(left, Math.max(limit, chunkMin)),
        keys = archivedFrom(tables, range, start, Math.min(block.last, activeAt), size);
      for (const { offset, nodeId, archivedOffset } of keys) {
        left--;
        if (archivedOffset > activeAt) places.push({ offset, nodeId });
        if (places.length === limit || left === 0) return { places, searchedTo: { offset, nodeId } };
      }
      const last = keys[keys.length - 1];
      start = last && keys.length === size ? { offset: last.offset, nodeId: last.nodeId + 1 } : undefined;
    }
  }
  return { places, searchedTo: undefined };
}

interface Block {
  readonly first: Offset;
  readonly last: Offset;
}

/** Narrow blocks in which something was archived after the reader's offset, in order. */
function* liveBlocks(tables: MarkTables, { range, from, activeAt }: ArchivedSearch): Generator<Block> {
  const ofAll = tables.archiveMarks.readShared({ party: range.party, template: range.template, level: all, block: 0 });
  if (!ofAll || decodeMark(ofAll) <= activeAt) return; // so for every reader of what is active now
  for (const within of markedBlocks(tables, range, wide, { first: from.offset, last: activeAt }, activeAt))
    yield* markedBlocks(tables, range, narrow, within, activeAt);
}

/** Blocks of a level that touch `within`, cut to it. */
function* markedBlocks({ archiveMarks }: MarkTables, range: IndexRange, level: number, within: Block, activeAt: Offset): Generator<Block> {
  const start = { ...range, level, block: blockOf(level, within.first) },
    end = { ...range, level, block: blockOf(level, within.last) + 1 };
  for (const { key, value } of archiveMarks.entries({ start, end })) {
    if (decodeMark(value) <= activeAt) continue;
    const first = key.block * blockOffsets[level]!;
    yield { first: Math.max(first, within.first), last: Math.min(first + blockOffsets[level]! - 1, within.last, offsetMax - 1) };
  }
}

const startOf = (block: Block, from: EventPlace): EventPlace => (block.first === from.offset ? from : { offset: block.first, nodeId: 0 });

const archivedFrom = ({ archived }: MarkTables, range: IndexRange, start: EventPlace, lastOffset: Offset, limit: number): ArchivedKey[] =>
  archived.keys({
    start: { ...range, ...start, archivedOffset: 0 },
    end: { ...range, offset: lastOffset + 1, nodeId: 0, archivedOffset: 0 },
    limit,
  });

/** When what an event made active ended, by an archive or because the contract moved on; undefined: not yet, or that is pruned. */
export function endOfActivation(
  { archived }: Pick<Tables, "archived">,
  { template }: { readonly template: number },
  { offset, nodeId }: EventPlace,
): Offset | undefined {
  const start = { party: anyParty, template, offset, nodeId, archivedOffset: 0 };
  return archived.keys({ start, end: { ...start, nodeId: nodeId + 1 }, limit: 1 })[0]?.archivedOffset;
}
