/** Finds the offsets that may hold something for a reader, in order. */
import { limits } from "../../config.js";
import { offsetMax, type Tables } from "../../store/index.js";
import {
  anyParty,
  anyTemplate,
  type EntryOrder,
  type IndexRange,
  type KeptEntries,
  type Piece,
  readOffsets,
  readOffsetsBack,
  topologyTemplate,
} from "../records/index.js";
import type { LatestOffsets } from "./latest-offsets.js";
import { proveUpdates } from "./log-gaps.js";
import { MergedRanges, type RangeReader } from "./merged-ranges.js";
import { type PartyTemplates, rangesHeld } from "./party-templates.js";
import type { Offset } from "../model/index.js";

export interface OffsetSpan {
  readonly fromExclusive: Offset;
  readonly toInclusive: Offset;
  readonly descending: boolean;
}

/** Where offsets are found: in the index, and what of it is in memory. */
export interface UpdateIndex {
  readonly tables: Tables;
  readonly keptOffsets: KeptEntries<Offset>;
  readonly latestOffsets: LatestOffsets;
  /** Of which a party has entries. */
  readonly updateTemplates: PartyTemplates;
}

export const ascending = (a: Offset, b: Offset): number => a - b;
export const offsetOrder: EntryOrder<Offset> = {
  compare: ascending,
  next: (offset) => offset + 1,
  numberOf: (offset) => offset,
  hasOwnNumber: () => true,
  placeOf: (number) => number,
};

/** `limit` offsets of `span` that are in one range of the index; in the log where everything is wanted. */
function offsetsOf({ tables, keptOffsets, latestOffsets }: UpdateIndex, range: IndexRange, span: OffsetSpan, limit: number): Piece<Offset> {
  const low = span.fromExclusive + 1,
    high = Math.min(span.toInclusive, offsetMax - 1);
  if (low > high) return { items: [], reached: undefined };
  if (range.party === anyParty && range.template === anyTemplate) {
    const offsets = tables.updates.keys(
      span.descending ? { start: high, end: low - 1, limit, reverse: true } : { start: low, end: high + 1, limit },
    );
    proveUpdates(tables, offsets, { low, high, descending: span.descending, complete: offsets.length < limit });
    return pieceOf(offsets, limit);
  }
  if (span.descending) return pieceOf(readOffsetsBack(tables.updateIndex, range, { from: low, to: high }, limit), limit);
  return keptOffsets.read(range, { from: low, to: high }, limit, (stretch, most) =>
    latestOffsets.read(range, stretch, most, () => readOffsets(tables.updateIndex, range, stretch, most)),
  );
}

const pieceOf = (items: readonly Offset[], limit: number): Piece<Offset> => ({
  items,
  reached: items.length === limit ? items[limit - 1] : undefined,
});

/** What of a span comes behind an offset of it. */
const behind = (span: OffsetSpan, offset: Offset | undefined): OffsetSpan =>
  offset === undefined ? span : span.descending ? { ...span, toInclusive: offset - 1 } : { ...span, fromExclusive: offset };

const descending = (a: Offset, b: Offset): number => b - a;

export const offsetPieces = { aheadMax: limits.mergedAheadMax, pieceMin: limits.mergedPieceMin, pieceMax: limits.streamBatchElements };

/** Everything in the log, without a look at the index. */
const wholeLog: IndexRange = { party: anyParty, template: anyTemplate };

/**
 * Offsets of a span that are in any of the ranges, and perhaps more: where there are fewer offsets than ranges, those in none of
 * them too. What is behind the ledger's end now is not in it.
 */
export function offsetsIn(index: UpdateIndex, ranges: readonly IndexRange[], span: OffsetSpan): MergedRanges<Offset> {
  const offsets = span.toInclusive - span.fromExclusive,
    // Of so few offsets all are looked at where there are many ranges.
    held = offsets < limits.namedTemplatesMin ? ranges : rangesHeld(ranges, (party) => index.updateTemplates.of(party)),
    isShort = held.length > 1 && offsets <= held.length;
  const readers = (isShort ? [wholeLog] : held).map(
    (range): RangeReader<Offset> =>
      (after, limit) =>
        offsetsOf(index, range, behind(span, after), limit),
  );
  return new MergedRanges(readers, span.descending ? descending : ascending, offsetPieces);
}

export const topologyRange = (party: number): IndexRange => ({ party, template: topologyTemplate });
