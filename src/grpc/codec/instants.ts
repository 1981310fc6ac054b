/** `google.protobuf.Timestamp` and the ISO 8601 text that stands for it in JSON. */
import { parseTimestamp } from "../../lf/value/index.js";
import { type ProtoReader, type ProtoWriter, varint, WireFailure, WireType } from "../../lf/wire/index.js";

const secondsField = 1,
  nanosField = 2,
  nanosPerSecond = 1_000_000_000,
  microsPerSecond = 1_000_000n;

/** Years 1 to 9999, as the message's definition has it. */
const secondsMin = -62_135_596_800n,
  secondsMax = 253_402_300_799n;

/** `another`: hears of each field beyond those that it has. */
export function readInstant(input: ProtoReader, another: () => void): string {
  let seconds = 0n,
    nanos = 0,
    fields = 0;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === varint(secondsField)) seconds = BigInt.asIntN(64, input.varint64());
    else if (tag === varint(nanosField)) nanos = input.int32();
    else input.skip(tag);
    if (++fields > 2) another();
  }
  if (seconds < secondsMin || seconds > secondsMax || nanos < 0 || nanos >= nanosPerSecond)
    throw new WireFailure(`a timestamp of ${seconds} s and ${nanos} ns is out of range`);
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return nanos === 0 ? `${text}Z` : `${text}.${nanos.toString().padStart(9, "0")}Z`;
}

/** The fields of the message. */
export function writeInstant(out: ProtoWriter, text: string): void {
  const micros = parseTimestamp(text);
  if (micros === undefined) throw new WireFailure(`${text} is no time`);
  const fraction = ((micros % microsPerSecond) + microsPerSecond) % microsPerSecond,
    seconds = (micros - fraction) / microsPerSecond;
  if (fraction !== 0n) {
    out.int32(Number(fraction) * 1000);
    out.tag(nanosField, WireType.varint);
  }
  if (seconds !== 0n) {
    out.varint64(BigInt.asUintN(64, seconds));
    out.tag(secondsField, WireType.varint);
  }
}
