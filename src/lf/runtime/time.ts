/** Dates are days, timestamps microseconds since 1970-01-01, both within the years 1 to 9999. */
import { dateMax, dateMin, type Int64, int64Of, timestampMax, timestampMin } from "../value/index.js";
import { arithmeticError } from "./exception.js";

const millisPerDay = 86_400_000;

export const dateToUnixDays = (date: number): Int64 => date;

export const unixDaysToDate = (days: Int64): number =>
  days < dateMin || days > dateMax ? arithmeticError("UNIX_DAYS_TO_DATE", days) : Number(days);

export const timestampToUnixMicroseconds = (timestamp: bigint): Int64 => int64Of(timestamp);

export const unixMicrosecondsToTimestamp = (micros: Int64): bigint =>
  micros < timestampMin || micros > timestampMax ? arithmeticError("UNIX_MICROSECONDS_TO_TIMESTAMP", micros) : BigInt(micros);

// The range of both fits ECMAScript's time values exactly (milliseconds); years below 1000 come padded to four digits.
export const dateToText = (date: number): string => new Date(date * millisPerDay).toISOString().slice(0, 10);

/** ISO 8601 with as many fraction digits as needed, in groups of three: 0, 3 or 6. */
export const timestampToText = (timestamp: bigint): string => {
  const micros = ((timestamp % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (timestamp - micros) / 1_000_000n;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  if (micros === 0n) return `${whole}Z`;
  const digits = micros.toString().padStart(6, "0");
  return `${whole}.${digits.endsWith("000") ? digits.slice(0, 3) : digits}Z`;
};
