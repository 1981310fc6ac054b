/** Scalars as the JSON Ledger API writes them: the recorded cases of test/data/values say what is taken and what is refused. */
import {
  contractIdKind,
  malformedContractId,
  checkParty,
  type Int64,
  int64Of,
  fitsNumeric,
  numericDigitsMax,
  numericScaleMax,
  rescale,
  malformedText,
  dateInRange,
  parseDate,
  parseTimestamp,
  timestampInRange,
  ContractId,
  EnumValue,
  Numeric,
} from "../value/index.js";
import { forbiddenContractId } from "./command-contract-id.js";
import { excerpt, expected, invalid, malformed, refused } from "./json-failure.js";
import type { EnumType } from "./value-type.js";

const int64Form = /^[+-]?[0-9]+$/;
/** More digits than any Int64 has, leading zeros aside. */
const int64CharsMax = 1000;

/** So few characters are a number that a double holds exactly. */
const exactCharsMax = 15;

export function int64(source: string): Int64 {
  const short = shortInteger(source);
  if (short !== undefined) return short;
  if (source.length <= int64CharsMax && int64Form.test(source)) {
    if (source.length <= exactCharsMax) return Number(source) + 0; // never -0
    const value = BigInt(source.startsWith("+") ? source.slice(1) : source);
    if (BigInt.asIntN(64, value) === value) return int64Of(value);
  }
  throw invalid(`${excerpt(source)} is not an Int64`);
}

const numericForm = /^([+-]?)([0-9]{1,38})(?:\.([0-9]{0,37}))?$/;

/** Text, or a JSON number as the reference prints it again: in plain notation from 0.001 up to 10,000,000. */
export function numeric(json: unknown, scale: number): Numeric {
  const source = typeof json === "number" ? numberText(json) : json;
  if (typeof source !== "string") throw expected("a Numeric as text or number", json);
  const digits = shortDigits(source, scale);
  if (digits !== undefined) return new Numeric(digits, scale);
  const match = numericForm.exec(source);
  if (match === null) throw malformed(`could not read Numeric ${excerpt(json)}`);
  const fraction = (match[3] ?? "").replace(/0+$/, "");
  const magnitude = BigInt(match[2]! + fraction);
  if (!fitsNumeric(magnitude) || fraction.length > numericScaleMax)
    throw malformed(`Numeric ${excerpt(json)} has more than ${numericDigitsMax} digits`);
  const unscaled = rescale(match[1] === "-" ? -magnitude : magnitude, fraction.length, scale);
  if (unscaled === "precision") throw refused("TypeMismatch", `Cannot represent ${source} as (Numeric ${scale}) without loss of precision`);
  if (unscaled === "bound") throw refused("TypeMismatch", `Out-of-bounds (Numeric ${scale}) ${source}`);
  return new Numeric(unscaled, scale);
}

const shortPowers = Array.from({ length: exactCharsMax + 1 }, (_, exponent) => 10 ** exponent);

const zero = 0x30,
  dot = 0x2e,
  minus = 0x2d;

/** Without a sign; undefined of any other text. */
function shortInteger(source: string): number | undefined {
  if (source.length === 0 || source.length > exactCharsMax) return undefined;
  let value = 0;
  for (let index = 0; index < source.length; index += 1) {
    const digit = source.charCodeAt(index) - zero;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

/** All digits as a number, of one that is no longer than a double holds exactly; undefined of any other text. */
function shortDigits(source: string, scale: number): number | undefined {
  const start = source.charCodeAt(0) === minus ? 1 : 0;
  if (source.length - start > exactCharsMax) return undefined;
  let digits = 0,
    places = -1;
  for (let index = start; index < source.length; index += 1) {
    const digit = source.charCodeAt(index) - zero;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      if (places >= 0) places += 1;
    } else if (digit === dot - zero && places < 0 && index > start) places = 0;
    else return undefined;
  }
  const shift = scale - Math.max(places, 0);
  // A fraction that is longer than the scale may end in zeros; that and what becomes too long is for big integers.
  if (source.length === start || shift < 0 || source.length - start + shift > exactCharsMax) return undefined;
  return (start === 1 ? -digits : digits) * shortPowers[shift]! + 0; // never -0
}

function numberText(json: number): string {
  const magnitude = Math.abs(json);
  return magnitude !== 0 && (magnitude < 1e-3 || magnitude >= 1e7) ? json.toExponential() : String(json);
}

export function date(source: string): number {
  const days = parseDate(source);
  if (days === undefined) throw invalid(`${excerpt(source)} is not a date`);
  if (!dateInRange(days)) throw malformed(`${excerpt(source)} is not a date of the years 1 to 9999`);
  return days;
}

export function timestamp(source: string): bigint {
  const micros = parseTimestamp(source);
  if (micros === undefined || !timestampInRange(micros))
    throw invalid(`${excerpt(source)} is not a timestamp with zone of the years 1 to 9999`);
  return micros;
}

export function party(source: string): string {
  const wrong = checkParty(source);
  if (wrong !== undefined) throw malformed(wrong);
  return source;
}

/** The reference's JSON layer makes a question mark of half a surrogate pair; what cannot be kept is refused here. */
export function text(source: string): string {
  const problem = malformedText(source);
  if (problem !== undefined) throw refused("MalformedText", problem);
  return source;
}

export function contractId(source: string): ContractId {
  const kind = contractIdKind(source);
  if (kind === "absolute") return new ContractId(source);
  throw kind === "malformed" ? malformed(malformedContractId(source)) : refused("IllegalContractId", forbiddenContractId(source, kind));
}

export function enumeration(type: EnumType, source: string): EnumValue {
  const rank = type.rankOf(source);
  if (rank === undefined) throw invalid(`unknown constructor ${JSON.stringify(source)} of ${type.id.module}:${type.id.name}`);
  return new EnumValue(rank, source);
}
