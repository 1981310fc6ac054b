/** Scalars as the JSON Ledger API writes them: the recorded cases of test/data/values say what is taken and what is refused. */
import { isRelative, parseContractId } from "./contract-id-format.js";
import { checkParty } from "./identifiers.js";
import { excerpt, expected, invalid, malformed, refused } from "./json-failure.js";
import { type Int64, int64Of } from "./int64.js";
import { fitsNumeric, numericDigitsMax, numericScaleMax, rescale } from "./numeric.js";
import { malformedText } from "./text.js";
import { dateInRange, parseDate, parseTimestamp, timestampInRange } from "./time.js";
import type { EnumType } from "./value-type.js";
import { ContractId, EnumValue, Numeric } from "./value.js";

const int64Form = /^[+-]?[0-9]+$/;
/** More digits than any Int64 has, leading zeros aside. */
const int64CharsMax = 1000;

/** So few characters are a number that a double holds exactly. */
const exactCharsMax = 15;

export function int64(source: string): Int64 {
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
  const match = numericForm.exec(source);
  if (match === null) throw malformed(`could not read Numeric ${excerpt(json)}`);
  const fraction = (match[3] ?? "").replace(/0+$/, "");
  const magnitude = BigInt(match[2]! + fraction);
  if (!fitsNumeric(magnitude) || fraction.length > numericScaleMax) throw malformed(`Numeric ${excerpt(json)} has more than ${numericDigitsMax} digits`);
  const unscaled = rescale(match[1] === "-" ? -magnitude : magnitude, fraction.length, scale);
  if (unscaled === "precision") throw refused("TypeMismatch", `cannot represent ${source} as Numeric ${scale} without loss of precision`);
  if (unscaled === "bound") throw refused("TypeMismatch", `${source} is out of bounds of Numeric ${scale}`);
  return new Numeric(unscaled, scale);
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
  if (micros === undefined || !timestampInRange(micros)) throw invalid(`${excerpt(source)} is not a timestamp with zone of the years 1 to 9999`);
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
  const { ok: parts, error } = parseContractId(source);
  if (error !== undefined) throw malformed(error.message);
  if (parts.suffix === "" || isRelative(parts)) throw refused("IllegalContractId", `contract id ${source} is local to a transaction`);
  return new ContractId(source);
}

export function enumeration(type: EnumType, source: string): EnumValue {
  const rank = type.rankOf(source);
  if (rank === undefined) throw invalid(`unknown constructor ${JSON.stringify(source)} of ${type.id.module}:${type.id.name}`);
  return new EnumValue(rank, source);
}
