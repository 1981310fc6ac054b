import type { MergingSizes } from "../../src/ledger/commit/index.js";
import { type Piece, PieceWriter, type RunKind, WaitingEntries } from "../../src/ledger/runs/index.js";
import { RecordWriter } from "../../src/store/index.js";

/** So that everything that grows large elsewhere has several parts in a test. */
export const smallRuns: MergingSizes = {
  runsPerLevel: 3,
  bucketBytes: 250,
  bucketsPerPiece: 2,
  changesPerPiece: 2,
  piecesPerCommit: 2,
  recordsPerPiece: 4,
  entriesPerPiece: 6,
};

/** All of a run that has one piece. */
export function pieceOf<V>(
  shape: ConstructorParameters<typeof PieceWriter>[0],
  kind: RunKind<V>,
  entries: readonly { readonly key: string; readonly value: V }[],
): Piece {
  const waiting = new WaitingEntries(kind),
    writer = new PieceWriter(shape, 0, new RecordWriter());
  for (const { key, value } of entries) waiting.add(key, value, 1);
  waiting.write(waiting.sortedTo(1), 0, 1, writer);
  return writer.finish();
}
