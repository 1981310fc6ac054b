/** Times as Splice reads and prints them. Inside they are microseconds since the epoch. */
import { assert } from "../base/assert.js";
import { microsPerSecond } from "../base/clock.js";

const pattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/** An ISO 8601 date-time with its offset, cut to microseconds; undefined for any other text. */
export function parseInstant(text: string): bigint | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, date, time, fraction = "", zone] = match;
  const millis = Date.parse(`${date}T${time!.length === 5 ? `${time}:00` : time}${zone}`);
  // Date.parse takes the 30th of February for a day of March.
  if (Number.isNaN(millis) || !isDay(date!)) return undefined;
  return BigInt(millis) * 1_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

/** The parts of an instant, in their order. */
const instantParts = [
  /\d{4}/y,
  /-/y,
  /\d{2}/y,
  /-/y,
  /\d{2}/y,
  /T/iy,
  /\d{2}/y,
  /:/y,
  /\d{2}/y,
  /:/y,
  /\d{2}/y,
  /(?:\.\d{0,9})?/y,
  /Z|[+-]\d{2}:\d{2}/iy,
];
const toldLength = 64;

/** Of a text that is no instant, in Java's words: where the first part that it lacks should begin; a day or hour that there is not counts from the start. */
export function instantProblem(text: string): string {
  const told = `Text '${text.length > toldLength ? `${text.slice(0, toldLength)}...` : text}' could not be parsed`;
  let index = 0;
  for (const part of instantParts) {
    part.lastIndex = index;
    if (!part.test(text)) return `${told} at index ${index}`;
    index = part.lastIndex;
  }
  return index < text.length ? `${told}, unparsed text found at index ${index}` : `${told} at index 0`;
}

/** Of a text that the ledger wrote. */
export function instantOf(ledgerText: string): bigint {
  const micros = parseInstant(ledgerText);
  assert(micros !== undefined, `${ledgerText} is a time`);
  return micros;
}

function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

function parts(micros: bigint): { readonly seconds: string; readonly fraction: bigint } {
  const fraction = ((micros % microsPerSecond) + microsPerSecond) % microsPerSecond;
  return { seconds: new Date(Number((micros - fraction) / 1_000n)).toISOString().slice(0, 19), fraction };
}

/** As Java's Instant: no, three or six digits. */
export function javaInstant(micros: bigint): string {
  const { seconds, fraction } = parts(micros),
    digits = fraction.toString().padStart(6, "0");
  if (fraction === 0n) return `${seconds}Z`;
  return `${seconds}.${digits.endsWith("000") ? digits.slice(0, 3) : digits}Z`;
}

/** As Java writes a time with its offset: as few digits as it takes. */
export function isoTime(micros: bigint): string {
  const { seconds, fraction } = parts(micros),
    digits = fraction.toString().padStart(6, "0").replace(/0+$/, "");
  return digits === "" ? `${seconds}Z` : `${seconds}.${digits}Z`;
}

/** Always six digits: record times of updates and verdicts. */
export function recordTimeText(micros: bigint): string {
  const { seconds, fraction } = parts(micros);
  return `${seconds}.${fraction.toString().padStart(6, "0")}Z`;
}

/** A time that a client gave as Java's OffsetDateTime prints it: at its offset, without seconds that are zero, no, three, six or nine digits. */
export function offsetDateTimeText(text: string): string {
  const match = pattern.exec(text);
  assert(match !== null, `${text} is a time`);
  const [, date, time, fraction = "", zone] = match,
    digits = fraction.replace(/0+$/, "");
  const minutes = time!.slice(0, "00:00".length),
    seconds = time!.slice("00:00".length) || ":00",
    shown = digits === "" ? "" : `.${digits.padEnd(Math.ceil(digits.length / 3) * 3, "0")}`;
  return `${date}T${minutes}${seconds === ":00" && shown === "" ? "" : `${seconds}${shown}`}${/^[+-]00:00$/.test(zone!) ? "Z" : zone}`;
}

/** Digits behind the point, filled up to one of these counts. The ledger prints as few as it can, always with Z. */
function withDigits(text: string, none: string, counts: readonly number[]): string {
  const point = text.indexOf(".");
  if (point < 0) return none === "" ? text : `${text.slice(0, -1)}.${none}Z`;
  const digits = text.slice(point + 1, -1),
    count = counts.find((each) => each >= digits.length) ?? digits.length;
  return `${text.slice(0, point + 1)}${digits.padEnd(count, "0")}Z`;
}

/** Whether one time is before another, both with as few digits as it takes: without the Z such texts are in the order of times. */
export const isEarlier = (ledgerText: string, another: string): boolean => ledgerText.slice(0, -1) < another.slice(0, -1);

/** A time of the ledger's JSON as Java's Instant prints it. */
export const asJavaInstant = (ledgerText: string): string => withDigits(ledgerText, "", [3, 6]);
/** The same with six digits. */
export const asRecordTime = (ledgerText: string): string => withDigits(ledgerText, "000000", [6]);
/** The same with as few digits as it takes. */
export const asIsoTime = (ledgerText: string): string => (ledgerText.includes(".") ? ledgerText.replace(/0+Z$/, "Z") : ledgerText);
