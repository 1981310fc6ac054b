/**
 * How payloads of packages lie in their table. A short one is one record. A longer one lies in parts, so that no commit has much of it, and
 * its own record, written behind them, tells how many bytes they are: until it is there nobody sees them.
 */
import { damaged } from "../../base/damage.js";
import { limits } from "../../config.js";
import { placeText, RecordReader, RecordWriter, sealBytes, type Tables, unseal } from "../../store/index.js";

/** Of a record with bytes: all of a payload or a part of it. */
const version = 1,
  versionInParts = 2;

const tableName = "packagePayloads",
  lengthBytes = 4;

/** What is to be written of a payload. */
export interface PayloadRecord {
  readonly key: string;
  /** Of the payload. */
  readonly bytes: number;
  encode(): Buffer;
}

const partKey = (packageId: string, number: number): string => `${packageId}/${number}`;
export const isKeyOfPart = (key: string): boolean => key.includes("/");

function encodeBytes(bytes: Uint8Array): Buffer {
  return new RecordWriter(sealBytes + lengthBytes + bytes.length).bytes(bytes).finish(version);
}
const decodeBytes = (record: Buffer): Buffer => new RecordReader(unseal(record, version, tableName)).bytes();

/** In the order in which they are to be written. */
export function* payloadRecords(packageId: string, payload: Uint8Array): Generator<PayloadRecord> {
  const partBytes = limits.packageBytesPerCommit,
    { length } = payload;
  if (length <= partBytes) {
    yield { key: packageId, bytes: length, encode: () => encodeBytes(payload) };
    return;
  }
  let parts = 0;
  for (let at = 0; at < length; at += partBytes) {
    const part = payload.subarray(at, at + partBytes);
    yield { key: partKey(packageId, parts++), bytes: part.length, encode: () => encodeBytes(part) };
  }
  yield { key: packageId, bytes: 0, encode: () => new RecordWriter().u32(length).u32(parts).finish(versionInParts) };
}

/** How many bytes it has: both kinds of records begin with that. */
export function payloadBytes({ packagePayloads }: Pick<Tables, "packagePayloads">, packageId: string): number | undefined {
  const record = packagePayloads.readShared(packageId);
  return record && new RecordReader(unseal(record, versionInParts, tableName)).u32();
}

/** In memory of its own; undefined where the ledger has no such package. */
export function readPayload({ packagePayloads }: Pick<Tables, "packagePayloads">, packageId: string): Buffer | undefined {
  const record = packagePayloads.read(packageId);
  if (record === undefined) return undefined;
  const reader = new RecordReader(unseal(record, versionInParts, tableName));
  if (record[0] === version) return reader.bytes();
  const length = reader.u32(),
    parts = reader.u32(),
    payload = Buffer.allocUnsafeSlow(length);
  let read = 0;
  for (let number = 0; number < parts; number++) {
    const part = packagePayloads.readShared(partKey(packageId, number));
    if (part === undefined) throw damaged(placeText(tableName, packageId), `part ${number} of ${parts} is missing`);
    read += decodeBytes(part).copy(payload, read);
  }
  if (read !== length) throw damaged(placeText(tableName, packageId), `its parts have ${read} bytes instead of ${length}`);
  return payload;
}

/** Of a part by itself, for who checks them all. */
export const checkPart = (record: Buffer): unknown => decodeBytes(record);
