/**
 * What the log holds, in one digest, so that no change of it goes unseen, and copies are compared by a line. The digest at an offset is
 * SHA-256 of the digest at the offset before, the offset (6 bytes), and the records of its update and of its completion, each behind its
 * length (4 bytes; 0 where there is none). It begins with zeros where the first record was written that it is kept of. Now and then it
 * is kept by its offset, so that pruning and a start need not have the whole history.
 */
import { createHash, hash } from "node:crypto";
import { damaged } from "../../base/damage.js";
import { atOnce, type Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import { offsetBytes, offsetMax, RecordReader, type RecordWriter, type Tables, unseal } from "../../store/index.js";
import type { Offset } from "../model/index.js";

const version = 1,
  stateName = "history",
  algorithm = "sha256",
  digestBytes = 32,
  lengthBytes = 4;

/** The log up to an offset. */
export interface HistoryPoint {
  readonly offset: Offset;
  /** Lower-case hex. */
  readonly digest: string;
}

/** A point, and what lies between the last one that is kept by its offset and it; undefined: none is kept. */
export interface HistoryEnd extends HistoryPoint {
  readonly sinceKept: { readonly offsets: number; readonly bytes: number } | undefined;
}

/** What an offset has in the log: one of them at least. */
export interface LogEntry {
  readonly offset: Offset;
  readonly update: Uint8Array | undefined;
  readonly completion: Uint8Array | undefined;
}

export const noHistory = (offset: Offset): HistoryEnd => ({ offset, digest: "00".repeat(digestBytes), sinceKept: undefined });

const sizeOf = ({ update, completion }: LogEntry): number => (update?.length ?? 0) + (completion?.length ?? 0);

/** Most offsets have little, and one call costs less than a hash object. */
const ownBytes = 64 * 1024,
  headBytes = digestBytes + offsetBytes + 2 * lengthBytes,
  own = Buffer.allocUnsafeSlow(headBytes + ownBytes);

/** The digest behind `before`; of what is large in steps. */
export function* digestOf(before: string, entry: LogEntry): Steps<string> {
  const { offset, update, completion } = entry;
  own.write(before, 0, "hex");
  own.writeUIntBE(offset, digestBytes, offsetBytes);
  own.writeUInt32BE(update?.length ?? 0, digestBytes + offsetBytes);
  own.writeUInt32BE(completion?.length ?? 0, digestBytes + offsetBytes + lengthBytes);
  if (sizeOf(entry) <= ownBytes) {
    let end = headBytes;
    for (const record of [update, completion]) {
      if (record === undefined) continue;
      own.set(record, end);
      end += record.length;
    }
    return hash(algorithm, own.subarray(0, end), "hex");
  }
  const large = createHash(algorithm).update(own.subarray(0, headBytes));
  for (const record of [update, completion])
    for (let at = 0; record !== undefined && at < record.length; at += limits.historyStepBytes) {
      large.update(record.subarray(at, at + limits.historyStepBytes));
      yield;
    }
  return large.digest("hex");
}

/** Whether a point behind so much is to be kept by its offset. */
export const isFar = ({ offsets, bytes }: NonNullable<HistoryEnd["sinceKept"]>): boolean =>
  offsets >= limits.historyPointOffsets || bytes >= limits.historyPointBytes;

export const farther = (since: HistoryEnd["sinceKept"], entry: LogEntry): NonNullable<HistoryEnd["sinceKept"]> => ({
  offsets: (since?.offsets ?? 0) + 1,
  bytes: (since?.bytes ?? 0) + sizeOf(entry),
});

export const encodeDigest = (writer: RecordWriter, digest: string): Buffer => writer.reset().text(digest).finish(version);
export const decodeDigest = (record: Buffer): string => new RecordReader(unseal(record, version, "history")).text();

export const encodeHistoryEnd = (writer: RecordWriter, { offset, digest }: HistoryPoint): Buffer =>
  writer.reset().offset(offset).text(digest).finish(version);

/** As far as it was ever recorded; undefined in a file without one. */
export function readHistoryEnd({ state }: Pick<Tables, "state">): HistoryPoint | undefined {
  const record = state.read(stateName);
  if (record === undefined) return undefined;
  const reader = new RecordReader(unseal(record, version, "state"));
  return { offset: reader.offset(), digest: reader.text() };
}
export const historyEndKey = stateName;

const entryAt = ({ updates, completions }: Pick<Tables, "updates" | "completions">, offset: Offset): LogEntry => ({
  offset,
  update: updates.read(offset),
  completion: completions.read(offset),
});

/** The digest at every offset behind a point, from the log. */
export function* walkHistory(
  tables: Pick<Tables, "updates" | "completions">,
  from: HistoryPoint,
  to: Offset,
): Generator<HistoryPoint & { readonly entry: LogEntry }> {
  let { digest } = from;
  for (let offset = from.offset + 1; offset <= to; offset++) {
    const entry = entryAt(tables, offset);
    digest = atOnce(digestOf(digest, entry));
    yield { offset, digest, entry };
  }
}

function lastKept({ history }: Pick<Tables, "history">, upTo: Offset = offsetMax): HistoryPoint | undefined {
  for (const { key, value } of history.entries({ start: upTo, end: 0, limit: 1, reverse: true }))
    return { offset: key, digest: decodeDigest(value) };
  const first = history.read(0);
  return first && { offset: 0, digest: decodeDigest(first) };
}

/** The digest at an offset of the log, from the last point that is kept before it; undefined where none is. */
export function* digestAt(tables: Tables, to: Offset): Steps<string | undefined> {
  const kept = lastKept(tables, to);
  let digest = kept?.digest;
  for (let offset = (kept?.offset ?? to) + 1; offset <= to; offset++) {
    yield;
    digest = yield* digestOf(digest!, entryAt(tables, offset));
  }
  return digest;
}

/** Where the log ends by its digest, which is proved from the last point that is kept. */
export function readHistory(tables: Tables, end: Offset): HistoryEnd {
  const told = readHistoryEnd(tables);
  if (told === undefined) return noHistory(end);
  const kept = lastKept(tables);
  if (kept === undefined || told.offset !== end)
    throw damaged("table state, history", `it goes up to offset ${told.offset}, the log up to ${end}`);
  let { digest } = kept,
    sinceKept = { offsets: 0, bytes: 0 };
  for (const point of walkHistory(tables, kept, end)) {
    digest = point.digest;
    sinceKept = farther(sinceKept, point.entry);
  }
  if (digest !== told.digest)
    throw damaged("table state, history", `what the log holds behind offset ${kept.offset}, up to ${end}, is not what was recorded`);
  return { offset: end, digest, sinceKept };
}
