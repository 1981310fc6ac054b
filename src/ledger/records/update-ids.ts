/**
 * From an update's id to its offset. The ids that a participant gives out tell it themselves; what another participant wrote for
 * both has an id that tells the offset there, so that such ids have a table.
 */
import { RecordReader, type RecordWriter, unseal, type Batch, type Tables } from "../../store/index.js";
import { type Offset, offsetOfUpdateId, offsetTold } from "../model/index.js";

const version = 1;

export const isForeignUpdateId = (updateId: string, offset: Offset): boolean => offsetTold(updateId) !== offset;

interface Writing {
  readonly batch: Batch;
  readonly tables: Pick<Tables, "updateIds">;
  readonly writer: RecordWriter;
}

export function writeUpdateId({ batch, tables, writer }: Writing, updateId: string, offset: Offset): void {
  if (isForeignUpdateId(updateId, offset)) batch.insert(tables.updateIds, updateId, writer.reset().offset(offset).finish(version));
}

export function decodeUpdateId(record: Buffer, updateId: string): Offset {
  return new RecordReader(unseal(record, version, "updateIds", { updateId })).offset();
}

/** Where an update of this id may be: there is no other place. */
export function* placesOfUpdateId(tables: Pick<Tables, "updateIds">, updateId: string): Generator<Offset> {
  const told = offsetOfUpdateId(updateId);
  if (told === undefined) return;
  yield told;
  const record = tables.updateIds.read(updateId);
  if (record) yield decodeUpdateId(record, updateId);
}
