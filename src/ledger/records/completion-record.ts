/**
 * How a completion is kept: the JSON bytes of `/v2/commands/completions` with the parties' place marked, since a reader sees only the
 * parties asked for.
 */
import { damaged } from "../../base/damage.js";
import { quote } from "../../base/json-bytes.js";
import { jsonText } from "../../base/json-text.js";
import { offsetBytes, placeText, RecordReader, RecordWriter, seal, sealBytes, unseal } from "../../store/index.js";
import { type Completion, type EffectiveDeduplication, instantText, okStatus, statusJson, traceIdOf } from "../model/index.js";
import { instantChars, traceText, type UpdatePlace, withoutSpare } from "./update-record.js";

const version = 1;

export interface CompletionMarks {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly recordTime: bigint;
  readonly actAs: readonly number[];
  readonly userId: string;
  readonly deduplicationKey: string;
  readonly start: number;
  /** Inside the brackets of `"actAs":[]`. */
  readonly actAsSlot: number;
  readonly end: number;
}

const deduplicationText = (period: EffectiveDeduplication): string =>
  period.kind === "none"
    ? `{"Empty":{}}`
    : period.kind === "offset"
      ? `{"DeduplicationOffset":{"value":${period.offset}}}`
      : `{"DeduplicationDuration":{"value":{"seconds":${period.seconds},"nanos":${period.nanos},"unknownFields":{"fields":{}}}}}`;

export const encodeCompletion = (...parts: Parameters<typeof encodeUnsealedCompletion>): Buffer =>
  seal(encodeUnsealedCompletion(...parts), version);

/** For `placeCompletion`. */
export function encodeUnsealedCompletion(
  writer: RecordWriter,
  completion: Completion,
  actAs: readonly number[],
  deduplicationKey: string,
  synchronizerIdJson: string,
): Buffer {
  const { error, participant } = completion.status,
    status = error ? statusJson(error, traceIdOf(completion.trace.traceparent), participant) : okStatus;
  const before = `{"completionResponse":{"Completion":{"value":{"commandId":${jsonText(completion.commandId)},"status":${status},"updateId":"${completion.updateId}","userId":${jsonText(completion.userId)},"actAs":[`;
  const after =
    `],"submissionId":${jsonText(completion.submissionId)},"deduplicationPeriod":${deduplicationText(completion.deduplication)},"traceContext":${traceText(completion.trace)},"offset":${completion.offset}`
    + `${beforeSynchronizer}${synchronizerIdJson}${beforeTime}${instantText(completion.recordTime)}${behindTime}`;
  writer.reset().offset(completion.offset).i64(completion.recordTime).text(completion.userId).text(deduplicationKey).u32(actAs.length);
  for (const party of actAs) writer.u32(party);
  const start = writer.position + 8;
  return writer
    .u32(start)
    .u32(start + Buffer.byteLength(before))
    .rawText(before + after)
    .finishUnsealed();
}
const beforeSynchronizer = `,"synchronizerTime":{"synchronizerId":`,
  beforeTime = `,"recordTime":"`,
  behindTime = `"},"paidTrafficCost":0}}}}`;

/**
 * Fills in what was not known when the record was made: there it had an offset of as many digits, and a record time with six digits of a
 * second.
 */
export function placeCompletion(record: Buffer, updateId: string, { offset, recordTime }: UpdatePlace, synchronizerIdJson: string): Buffer {
  const time = instantText(recordTime),
    digits = String(offset),
    timeAt = record.length - behindTime.length - instantChars,
    spare = instantChars - time.length;
  record.writeUIntLE(offset, sealBytes, offsetBytes);
  record.writeBigInt64LE(recordTime, sealBytes + offsetBytes);
  record.write(updateId, record.indexOf(updateIdMember) + updateIdMember.length, "latin1");
  record.write(
    digits,
    timeAt - beforeTime.length - Buffer.byteLength(synchronizerIdJson) - beforeSynchronizer.length - digits.length,
    "latin1",
  );
  record.write(time, timeAt, "latin1");
  return seal(spare === 0 ? record : withoutSpare(record, timeAt + time.length, spare), version);
}

/** Checks a record, and that it is of this offset, and gives it back. */
export function unsealCompletion(record: Buffer, offset: number): Buffer {
  unseal(record, version, "completions", { offset });
  const found = record.readUIntLE(sealBytes, offsetBytes);
  if (found !== offset) throw damaged(placeText("completions", { offset }), `the completion of offset ${found} lies here`);
  return record;
}

const userAt = sealBytes + offsetBytes + 8;

/** A user's id as records have it. */
export const userBytes = (userId: string): Uint8Array => new RecordWriter().text(userId).finishUnsealed().subarray(sealBytes);

/** Of a record that was checked. Asked of every completion of a party, so nothing is made of it. */
export function isOfUser(record: Buffer, user: Uint8Array): boolean {
  for (let index = 0; index < user.length; index++) if (record[userAt + index] !== user[index]) return false;
  return true;
}

export const decodeCompletion = (record: Buffer, offset: number): CompletionMarks => marksOfCompletion(unsealCompletion(record, offset));

/** Of a record that was checked. */
export function marksOfCompletion(record: Buffer): CompletionMarks {
  const reader = new RecordReader(record),
    offset = reader.offset(),
    recordTime = reader.i64(),
    userId = reader.text(),
    deduplicationKey = reader.text();
  const actAs = Array.from({ length: reader.u32() }, () => reader.u32());
  return {
    bytes: record,
    offset,
    recordTime,
    userId,
    deduplicationKey,
    actAs,
    start: reader.u32(),
    actAsSlot: reader.u32(),
    end: record.length,
  };
}

/** A ledger string, so nothing in it is escaped. */
export function submissionIdOf({ bytes, actAsSlot }: CompletionMarks): string {
  const from = actAsSlot + beforeSubmissionId.length;
  return bytes.toString("latin1", from, bytes.indexOf(quote, from));
}
const beforeSubmissionId = `],"submissionId":"`;

/** Where a transaction has its update's id, a rejection has none. Quotes inside of texts are escaped. */
export const isRejection = ({ bytes, start }: CompletionMarks): boolean => bytes.indexOf(noUpdateId, start) >= 0;
const noUpdateId = Buffer.from(`"updateId":""`);

/** Undefined of a rejection. Read in place, where most are. */
export function acceptedUpdateId({ bytes, start }: CompletionMarks): string | undefined {
  const at = bytes.indexOf(updateIdMember, start) + updateIdMember.length;
  return bytes[at] === quote ? undefined : bytes.toString("latin1", at, bytes.indexOf(quote, at));
}
const updateIdMember = Buffer.from(`"updateId":"`);
