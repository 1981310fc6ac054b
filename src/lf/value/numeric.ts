/** Numeric as text: the stored form has exactly *scale* fraction digits; scale 0 keeps the dot (`5.`). */
import { Numeric } from "./value.js";

export const numericDigitsMax = 38;
export const numericScaleMax = 37;
const bound = 10n ** BigInt(numericDigitsMax);

export const fitsNumeric = (unscaled: bigint): boolean => unscaled < bound && unscaled > -bound;

export function showNumeric(unscaled: bigint, scale: number): string {
  const negative = unscaled < 0n;
  const digits = (negative ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${negative ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const stored = /^(-?)([1-9][0-9]*|0)\.([0-9]*)$/;

/** Reads the stored form; the scale is the number of fraction digits. Undefined when it is not that form or does not fit. */
export function parseStoredNumeric(text: string): Numeric | undefined {
  if (text.length > numericDigitsMax + 2 + 1) return undefined;
  const match = stored.exec(text);
  if (match === null) return undefined;
  const [, sign, integer, fraction] = match as unknown as [string, string, string, string];
  const digits = integer === "0" ? fraction.length : integer.length + fraction.length;
  if (digits > numericDigitsMax || fraction.length > numericScaleMax) return undefined;
  const magnitude = BigInt(integer + fraction);
  return new Numeric(sign === "-" ? -magnitude : magnitude, fraction.length);
}

const given = /^([+-]?)([0-9]{1,38})(?:\.([0-9]{0,37}))?$/;

/** Reads what commands may say: its sign, and zeros at both ends. The scale is that of the digits that count. */
export function parseGivenNumeric(text: string): Numeric | undefined {
  const match = given.exec(text);
  if (match === null) return undefined;
  const fraction = (match[3] ?? "").replace(/0+$/, ""),
    magnitude = BigInt(match[2]! + fraction);
  return fitsNumeric(magnitude) ? new Numeric(match[1] === "-" ? -magnitude : magnitude, fraction.length) : undefined;
}

/** The same number at another scale: undefined when digits would be lost (`precision`) or there are too many (`bound`). */
export function rescale(unscaled: bigint, from: number, to: number): bigint | "precision" | "bound" {
  let result = unscaled;
  if (to >= from) {
    result *= 10n ** BigInt(to - from);
  } else {
    const divisor = 10n ** BigInt(from - to);
    if (result % divisor !== 0n) return "precision";
    result /= divisor;
  }
  return fitsNumeric(result) ? result : "bound";
}
