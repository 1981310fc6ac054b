/** Finds the offsets that may hold something for a reader, in order, a bounded batch at a time. */
import { offsetMax, u32Max, type Tables } from "../store/index.js";
import { anyParty, anyTemplate, topologyTemplate, type IndexRange } from "./filters.js";
import { proveUpdates } from "./log-gaps.js";
import type { Offset } from "./model.js";

export interface OffsetSpan { readonly fromExclusive: Offset; readonly toInclusive: Offset; readonly descending: boolean }

/** All of `span` in one range of the index; the whole log where everything is wanted. */
function offsetsOf(tables: Tables, range: IndexRange, span: OffsetSpan, limit: number): Offset[] {
  const low = span.fromExclusive + 1, high = Math.min(span.toInclusive, offsetMax - 1);
  if (low > high) return [];
  const isWholeLog = range.party === anyParty && range.template === anyTemplate;
  if (isWholeLog) {
    const offsets = tables.updates.keys(span.descending ? { start: high, end: low - 1, limit, reverse: true } : { start: low, end: high + 1, limit });
    proveUpdates(tables, offsets, { low, high, descending: span.descending, complete: offsets.length < limit });
    return offsets;
  }
  const key = (offset: Offset) => ({ ...range, offset });
  const keys = tables.updateIndex.keys(span.descending ? { start: key(high), end: key(low - 1), limit, reverse: true } : { start: key(low), end: key(high + 1), limit });
  return keys.map((found) => found.offset);
}

/**
 * At most `limit` offsets of the span that are in any of the ranges, in order. `complete`: there are no more behind them.
 */
export function scanOffsets(tables: Tables, ranges: readonly IndexRange[], span: OffsetSpan, limit: number): { readonly offsets: readonly Offset[]; readonly complete: boolean } {
  if (ranges.length === 1) {
    const offsets = offsetsOf(tables, ranges[0]!, span, limit);
    return { offsets, complete: offsets.length < limit };
  }
  const all = new Set<Offset>();
  // Behind the last of a range that was cut there may be more of it, so nothing behind that is certain yet.
  let certain = span.descending ? 0 : offsetMax;
  let complete = true;
  for (const range of ranges) {
    const offsets = offsetsOf(tables, range, span, limit);
    for (const offset of offsets) all.add(offset);
    if (offsets.length < limit) continue;
    complete = false;
    const last = offsets[offsets.length - 1]!;
    certain = span.descending ? Math.max(certain, last) : Math.min(certain, last);
  }
  const offsets = [...all].filter((offset) => (span.descending ? offset >= certain : offset <= certain)).sort((a, b) => (span.descending ? b - a : a - b));
  return offsets.length > limit ? { offsets: offsets.slice(0, limit), complete: false } : { offsets, complete };
}

export const topologyRange = (party: number): IndexRange => ({ party, template: topologyTemplate });

/** The templates of which `party` has entries in the index of active or archived contracts, found by skipping from one to the next. */
export function templatesIn(table: Tables["active"] | Tables["archived"], party: number): number[] {
  const templates: number[] = [];
  const end = { party, template: u32Max, offset: offsetMax, nodeId: u32Max, archivedOffset: offsetMax };
  for (let template = 0; ;) {
    const [found] = table.keys({ start: { party, template: template + 1, offset: 0, nodeId: 0, archivedOffset: 0 }, end, limit: 1 });
    if (!found) return templates;
    templates.push(template = found.template);
  }
}
