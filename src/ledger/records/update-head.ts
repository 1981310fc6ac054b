/** How the record of an update begins, whatever it is of: what it says beside its text. */
import type { RecordWriter } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { eventMarks, kindByte, updateMarks } from "./update-marks.js";

export const updateVersion = 1;

/** What the record says about an event beside its bytes; parties and templates are numbers. */
export interface EventNumbers {
  readonly template: number;
  readonly stakeholders: readonly number[];
  readonly witnesses: readonly number[];
}

interface UpdateHead {
  readonly offset: Offset;
  readonly recordTime: bigint;
  readonly synchronizer: number;
}

/**
 * Gives where the text has to begin, as a number of bytes from the record's start. Up to there follow the marks of the update, the number
 * of its events, and of each its head and its marks.
 */
export function beginUpdate(
  writer: RecordWriter,
  kind: number,
  { offset, recordTime, synchronizer }: UpdateHead,
  parties: readonly number[],
  events: readonly Pick<EventNumbers, "stakeholders" | "witnesses">[],
): number {
  writer.reset().u8(kindByte(kind, synchronizer)).offset(offset).i64(recordTime);
  writeNumbers(writer, parties);
  const eventsBytes = events.reduce(
    (bytes, { stakeholders, witnesses }) => bytes + eventEntryBytes(stakeholders.length, witnesses.length),
    0,
  );
  return writer.position + 4 * updateMarks + 4 + eventsBytes;
}

/** Flags, node id and template, the two lists of parties, the marks. */
const eventEntryBytes = (stakeholders: number, witnesses: number): number =>
  1 + 4 + 4 + 4 * (1 + stakeholders) + 4 * (1 + witnesses) + 4 * eventMarks;

export function writeEventHead(
  writer: RecordWriter,
  flags: number,
  nodeId: number,
  { template, stakeholders, witnesses }: EventNumbers,
): void {
  writer.u8(flags).u32(nodeId).u32(template);
  writeNumbers(writer, stakeholders);
  writeNumbers(writer, witnesses);
}

function writeNumbers(writer: RecordWriter, numbers: readonly number[]): void {
  writer.u32(numbers.length);
  for (const number of numbers) writer.u32(number);
}
