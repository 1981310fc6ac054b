/**
 * What was read last of each range of an index of offsets: behind each commit everybody who follows the same parties asks for the same, and
 * some are a little further than others. What was found once stays so, but for what is pruned, which nobody may ask for.
 */
import { BoundedMap } from "../../base/bounded-map.js";
import { limits } from "../../config.js";
import type { Offset } from "../model/index.js";
import { type IndexRange, rangeNumber } from "../records/index.js";

/** Both inclusive. */
interface Span {
  readonly from: Offset;
  readonly to: Offset;
}

/** All that there are in it, in order. */
interface Read extends Span {
  readonly offsets: readonly Offset[];
}

export class LatestOffsets {
  readonly #reads = new BoundedMap<number, Read>(limits.latestOffsetRangesMax);

  /** The first of a span, at most `limit`. `readStored` gives them, in order. */
  read({ party, template }: IndexRange, span: Span, limit: number, readStored: () => Offset[]): Offset[] {
    const range = rangeNumber(party, template),
      last = this.#reads.get(range);
    if (last !== undefined && span.from >= last.from && span.to <= last.to) {
      const found = last.offsets.filter((offset) => offset >= span.from && offset <= span.to);
      return found.length > limit ? found.slice(0, limit) : found;
    }
    const offsets = readStored();
    if (offsets.length < limit && offsets.length <= limits.latestOffsetsMax) this.#reads.set(range, { ...span, offsets });
    return offsets;
  }
}
