/** Scalars of checked requests to domain values. */
import { assert } from "../../base/assert.js";
import { type Int64, int64Of } from "../../base/int64.js";
import type { Base64, Int32Input, Int64Input, Timestamp } from "./types/scalars.js";

/** With all its digits: a body's shape has it as `int64`. */
export const toWholeInt64 = (wire: Int64Input): Int64 => int64Of(String(wire));
export const toOptionalWholeInt64 = (wire: Int64Input | null | undefined): Int64 | undefined =>
  wire == null ? undefined : toWholeInt64(wire);

/** Above 2^53 the number is not exact. */
export const toInt64 = (wire: Int64Input): number => Number(wire);
export const toOptionalInt64 = (wire: Int64Input | null | undefined): number | undefined => (wire == null ? undefined : Number(wire));

export const toInt32 = (wire: Int32Input): number => Number(wire);
export const toOptionalInt32 = (wire: Int32Input | null | undefined): number | undefined => (wire == null ? undefined : Number(wire));

/** Too short for any list. */
const noToken = Uint8Array.of(0);

/** A page's token is taken as it was given: bits that mean nothing to others are as wrong there as any. */
export function toPageToken(wire: Base64): Uint8Array {
  const token = Buffer.from(wire, "base64");
  return token.toString("base64") === wire ? token : noToken;
}

const instant = /^([+-]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d*))?(?:Z|([+-])(\d\d):(\d\d)(?::(\d\d))?)$/i;
const isTimestamp = typia.createIs<Timestamp>();

/** Calendars repeat after so many years. */
const cycleYears = 10_000,
  cycleSeconds = 315_569_520_000n;

/** Microseconds since the epoch, finer digits cut. */
export function toMicroseconds(wire: Timestamp): bigint {
  const parts = instant.exec(wire);
  assert(parts !== null, "a time that was checked is one");
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [number, number, number, number, number, number],
    [fraction = "", sign, ...zone] = parts.slice(7) as (string | undefined)[],
    [zoneHours, zoneMinutes, zoneSeconds] = zone.map((part) => Number(part ?? 0)) as [number, number, number];
  const cycles = Math.floor(year / cycleYears),
    date = new Date(0);
  date.setUTCFullYear(year - cycles * cycleYears, month - 1, day);
  date.setUTCHours(hour, minute, Math.min(second, 59));
  const ahead = (zoneHours * 3600 + zoneMinutes * 60 + zoneSeconds) * (sign === "-" ? -1 : 1);
  const seconds = BigInt(date.getTime() / 1_000 - ahead) + BigInt(cycles) * cycleSeconds;
  return seconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** The same of a text that nobody checked: undefined where it is no time. */
export const readMicroseconds = (text: string): bigint | undefined => (isTimestamp(text) ? toMicroseconds(text) : undefined);
