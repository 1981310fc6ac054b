/** Up to where history was removed. */
import { RecordReader, unseal, type Batch, type RecordWriter, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";

const version = 1,
  name = "pruning";

export interface PruningPoint {
  /** Readers get nothing of updates and completions up to here, from the moment at which this is durable. */
  readonly offset: Offset;
  /** Up to here they are removed; behind `offset` while pruning goes on, or after it was interrupted. */
  readonly clearedTo: Offset;
  /** Whether also what had been kept of earlier updates, and is of no use since, is removed. */
  readonly isComplete: boolean;
}

const unpruned: PruningPoint = { offset: 0, clearedTo: 0, isComplete: true };

export function readPruningPoint(tables: Pick<Tables, "state">): PruningPoint {
  const record = tables.state.read(name);
  if (!record) return unpruned;
  const reader = new RecordReader(unseal(record, version, "state"));
  return { offset: reader.offset(), clearedTo: reader.offset(), isComplete: reader.u8() === 1 };
}

export function writePruningPoint(batch: Batch, tables: Pick<Tables, "state">, writer: RecordWriter, point: PruningPoint): void {
  batch.put(
    tables.state,
    name,
    writer
      .reset()
      .offset(point.offset)
      .offset(point.clearedTo)
      .u8(point.isComplete ? 1 : 0)
      .finish(version),
  );
}
