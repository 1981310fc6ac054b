/** Dates (days) and timestamps (microseconds) of years 1 to 9999 as ISO-8601 text. */

export const dateMin = -719_162; // 0001-01-01
export const dateMax = 2_932_896; // 9999-12-31
export const timestampMin = -62_135_596_800_000_000n; // 0001-01-01T00:00:00Z
export const timestampMax = 253_402_300_799_999_999n; // 9999-12-31T23:59:59.999999Z

export const dateInRange = (days: number): boolean => days >= dateMin && days <= dateMax;
export const timestampInRange = (micros: bigint): boolean => micros >= timestampMin && micros <= timestampMax;

const msPerDay = 86_400_000;
const pad = (value: number, size: number): string => value.toString().padStart(size, "0");

/** `YYYY-MM-DD`. */
export function showDate(days: number): string {
  const date = new Date(days * msPerDay);
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
}

/** `YYYY-MM-DDTHH:MM:SS[.f]Z` with only as many fraction digits as are needed, as the JSON Ledger API prints. */
export function showTimestamp(micros: bigint): string {
  const fraction = Number(((micros % 1_000_000n) + 1_000_000n) % 1_000_000n);
  const seconds = (micros - BigInt(fraction)) / 1_000_000n;
  const text = new Date(Number(seconds) * 1000).toISOString();
  const shown = fraction === 0 ? "" : `.${pad(fraction, 6).replace(/0+$/, "")}`;
  return `${text.slice(0, 19)}${shown}Z`;
}

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Days since the epoch of a strict `YYYY-MM-DD`, in the range or not; undefined when it is not a date. */
export function parseDate(text: string): number | undefined {
  const match = dateForm.exec(text);
  return match === null ? undefined : daysOf(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** Undefined when the calendar has no such day. A year begins in March here, so that a leap day is its last. */
function daysOf(year: number, month: number, day: number): number | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return undefined;
  const from = month > 2 ? year : year - 1,
    before = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  return 365 * from + Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400) + before + day - 1 - daysBeforeEpoch;
}

/** From 1 March of the year 0. */
const daysBeforeEpoch = 719_468;

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

const timestampForm =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2}(?::\d{2})?)(?:\[([A-Za-z0-9/_+-]+)\])?$/i;

/**
 * Microseconds of an ISO date-time with zone (digits below a microsecond are cut), in the range or not; undefined when
 * it is not one. Seconds may be left out, a region in brackets must be UTC.
 */
export function parseTimestamp(text: string): bigint | undefined {
  return parseCanonicalTimestamp(text) ?? parseAnyTimestamp(text);
}

/** `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`, which nearly all are, without an expression; undefined of any other text. */
function parseCanonicalTimestamp(text: string): bigint | undefined {
  const end = text.length - 1;
  if (
    end < 19
    || end > 26
    || text[10] !== "T"
    || text[end] !== "Z"
    || text[4] !== "-"
    || text[7] !== "-"
    || text[13] !== ":"
    || text[16] !== ":"
    || (end > 19 && text[19] !== ".")
  )
    return undefined;
  const days = daysOf(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  const hour = digits(text, 11, 13),
    minute = digits(text, 14, 16),
    second = digits(text, 17, 19),
    places = end - 20;
  const fraction = end === 19 ? 0 : places === 0 ? NaN : digits(text, 20, end) * 10 ** (6 - places);
  if (days === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const seconds = days * 86_400 + hour * 3600 + minute * 60 + second,
    micros = seconds * 1e6 + fraction;
  return Number.isSafeInteger(micros) ? BigInt(micros) : undefined;
}

/** NaN if there is another character. */
function digits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) {
    const digit = text.charCodeAt(index) - 0x30;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}

function parseAnyTimestamp(text: string): bigint | undefined {
  const match = timestampForm.exec(text);
  if (match === null) return undefined;
  const [, date, hour, minute, second = "0", fraction = "", zone, region] = match;
  const days = parseDate(date!);
  const offset = zoneSeconds(zone!);
  if (days === undefined || offset === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (region !== undefined && !/^(UTC|GMT|Z|Etc\/UTC)$/i.test(region)) return undefined;
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

function zoneSeconds(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const [hours, minutes, seconds = 0] = zone.slice(1).split(":").map(Number) as [number, number, number?];
  const total = hours * 3600 + minutes * 60 + seconds;
  if (minutes > 59 || seconds > 59 || total > 18 * 3600) return undefined;
  return zone.startsWith("-") ? -total : total;
}
