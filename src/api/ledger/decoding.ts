/** Scalars of checked requests to domain values. */
import type { Base64, Instant, Int32Input, Int64Input } from "./types/scalars.js";

/** Above 2^53 the number is not exact: it is then far beyond any ledger end, whatever its last digits. */
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

const instant = /^([+-]?\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;

/** As the reference's library has it (java.time.ZoneOffset). */
const zoneSecondsMax = 18 * 3600;

/** Microseconds since the epoch, finer digits cut; undefined when there is no such day or time. */
export function toMicroseconds(wire: Instant): bigint | undefined {
  const parts = instant.exec(wire);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [fraction = "", sign = "+", zoneHours = "0", zoneMinutes = "0"] = parts.slice(7) as (string | undefined)[];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  if (
    Number.isNaN(date.getTime())
    || date.getUTCMonth() !== month - 1
    || date.getUTCDate() !== day
    || date.getUTCMinutes() !== minute
    || date.getUTCHours() !== hour
    || second > 59
  )
    return undefined;
  const zoneSeconds = (Number(zoneHours) * 3600 + Number(zoneMinutes) * 60) * (sign === "-" ? -1 : 1);
  if (Number(zoneMinutes) > 59 || Math.abs(zoneSeconds) > zoneSecondsMax) return undefined;
  return BigInt(date.getTime() - zoneSeconds * 1_000) * 1_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
