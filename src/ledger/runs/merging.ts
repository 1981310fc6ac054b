/** One piece of a merge, from the same part of all its sources: short, and by itself, so that a restart goes on where it was. */
import type { Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import { RecordReader, RecordWriter, type RunKey, type Table } from "../../store/index.js";
import { bucketOf, type RunKind } from "./entries.js";
import { type Piece, PieceWriter } from "./piece-writer.js";
import { NewestEntries, RunCursor } from "./run-cursor.js";
import { type Merge, piecesOf, type Run } from "./run-list.js";
import { assert } from "../../base/assert.js";

export interface PieceMerging<V> {
  readonly table: Table<RunKey>;
  readonly kind: RunKind<V>;
  readonly merge: Merge;
  /** From the oldest to the newest. */
  readonly sources: readonly Run[];
  /** What nobody asks for any more is left out; undefined where there is no such thing. */
  readonly isOver?: ((value: V) => boolean) | undefined;
}

export function* mergePiece<V>({ table, kind, merge, sources, isOver }: PieceMerging<V>): Steps<Piece> {
  const { target, pieces: piece } = merge,
    first = piece * target.bucketsPerPiece,
    end = Math.min(target.buckets, first + target.bucketsPerPiece);
  assert(piece < piecesOf(target), "a merge that has all pieces is done");
  const cursors = sources.map((run) => new RunCursor(table, run, kind, firstBucketOf(run, first / target.buckets))).reverse(),
    entries = new NewestEntries(cursors, ({ rank }) => bucketOf(rank, target.buckets) >= first),
    writer = new PieceWriter(target, piece, new RecordWriter(limits.commitChunkBytes));
  let gone = 0;
  for (let entry = entries.next(); entry !== undefined && bucketOf(entry.rank, target.buckets) < end; entry = entries.next()) {
    if (++gone % limits.commitStepEvents === 0) yield;
    if (isOver === undefined || !isOver(kind.read(new RecordReader(entry.record, entry.valueAt)))) writer.copy(entry);
  }
  return writer.finish();
}

/** Where a part of all hashes begins; one before, as the number of a bucket is rounded. */
const firstBucketOf = ({ buckets }: Run, share: number): number => Math.max(0, Math.floor(share * buckets) - 1);
