/** Writes neighbouring buckets of a run from entries in order, and behind them the filter of all of these. */
import { assert } from "../../base/assert.js";
import { filtersFrom, type RecordWriter } from "../../store/index.js";
import { bucketOf, bucketVersion, type EntryPlace } from "./entries.js";
import { encodeFilter } from "./filter.js";
import type { RunShape } from "./run-list.js";

export interface Piece {
  readonly records: readonly { readonly part: number; readonly record: Buffer }[];
  readonly entries: number;
  readonly bytes: number;
}

export class PieceWriter {
  readonly #run: RunShape;
  readonly #writer: RecordWriter;
  readonly #records: { part: number; record: Buffer }[] = [];
  readonly #hashes: number[] = [];
  readonly #piece: number;
  #bucket: number | undefined;
  #bytes = 0;

  /** `writer`: nobody else's until all is written. */
  constructor(run: RunShape, piece: number, writer: RecordWriter) {
    this.#run = run;
    this.#piece = piece;
    this.#writer = writer;
  }

  copy(entry: EntryPlace): void {
    const { record, at, end } = entry;
    this.#into(bucketOf(entry.rank, this.#run.buckets));
    this.#writer.raw(record.subarray(at, end));
    this.#bytes += end - at;
    this.#hashes.push(entry.firstProbe, entry.step);
  }

  #into(bucket: number): void {
    if (bucket === this.#bucket) return;
    const isOfPiece = Math.floor(bucket / this.#run.bucketsPerPiece) === this.#piece;
    assert(isOfPiece && (this.#bucket === undefined || bucket > this.#bucket), "a piece of a run gets its own entries, in order");
    this.#finishBucket();
    this.#bucket = bucket;
    this.#writer.reset();
  }

  #finishBucket(): void {
    if (this.#bucket !== undefined) this.#records.push({ part: this.#bucket, record: this.#writer.finish(bucketVersion) });
  }

  /** A piece without entries has a filter, too, so that one that is not there is damage. */
  finish(): Piece {
    this.#finishBucket();
    this.#records.push({ part: filtersFrom + this.#piece, record: encodeFilter(this.#writer, this.#hashes) });
    return { records: this.#records, entries: this.#hashes.length / 2, bytes: this.#bytes };
  }
}
