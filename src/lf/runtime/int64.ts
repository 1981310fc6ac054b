/** Int64 arithmetic: exact, with an ArithmeticError where the result leaves 64 bits. */
import { type Int64, int64Of, none, type Optional, Some } from "../value/index.js";
import { arithmeticError } from "./exception.js";

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

const safeMax = Number.MAX_SAFE_INTEGER;
const safeMin = Number.MIN_SAFE_INTEGER;

// The exact result of two doubles is the rounded one as long as that is safe: rounding is monotonic.

export const addInt64 = (a: Int64, b: Int64): Int64 => {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (sum <= safeMax && sum >= safeMin) return sum;
  }
  return addWide(a, b);
};
export const subInt64 = (a: Int64, b: Int64): Int64 => {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (difference <= safeMax && difference >= safeMin) return difference;
  }
  return subWide(a, b);
};
export const mulInt64 = (a: Int64, b: Int64): Int64 => {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (product <= safeMax && product >= safeMin) return product + 0; // never -0
  }
  return mulWide(a, b);
};

const addWide = (a: Int64, b: Int64): Int64 => inRange("ADD_INT64", a, b, Number(a) + Number(b), BigInt(a) + BigInt(b));
const subWide = (a: Int64, b: Int64): Int64 => inRange("SUB_INT64", a, b, Number(a) - Number(b), BigInt(a) - BigInt(b));
const mulWide = (a: Int64, b: Int64): Int64 => inRange("MUL_INT64", a, b, Number(a) * Number(b), BigInt(a) * BigInt(b));

/** The approximation, in doubles, is off by less than 2^12 below 2^53 and by less than 2^14 below 2^63: between these it decides. */
const surelyWide = 2 ** 53 + 2 ** 12;
const surelyInRange = 2 ** 63 - 2 ** 14;

const inRange = (builtin: string, a: Int64, b: Int64, approximation: number, result: bigint): Int64 => {
  const size = Math.abs(approximation);
  if (size > surelyWide && size < surelyInRange) return result;
  return BigInt.asIntN(64, result) === result ? int64Of(result) : arithmeticError(builtin, a, b);
};

/**
 * Truncates toward zero. Of doubles this is exact: a quotient that is not whole is further from the next whole number than it is rounded.
 */
export const divInt64 = (a: Int64, b: Int64): Int64 => {
  if (b === 0) arithmeticError("DIV_INT64", a, b);
  if (typeof a === "number" && typeof b === "number") return Math.trunc(a / b) + 0;
  if (b === -1 && a === int64Min) arithmeticError("DIV_INT64", a, b);
  return int64Of(BigInt(a) / BigInt(b));
};

/** Takes the sign of the dividend. */
export const modInt64 = (a: Int64, b: Int64): Int64 => {
  if (b === 0) arithmeticError("MOD_INT64", a, b);
  if (typeof b !== "number") return int64Of(BigInt(a) % b);
  return typeof a === "number" ? (a % b) + 0 : Number(a % BigInt(b)); // smaller than b
};

/** `(a * b + c) % m`, with the errors of the three operations, for code that found the product or the sum not safe. */
export const mulAddModInt64 = (a: Int64, b: Int64, c: Int64, m: Int64): Int64 => {
  if (typeof a === "number" && typeof b === "number" && typeof c === "number" && typeof m === "number") {
    const small = remainderByParts(a, b, c, m);
    if (small === small) return small;
  }
  return modInt64(addInt64(mulInt64(a, b), c), m);
};

/** Of this many bits is the low part of the larger factor. */
const partSize = 2 ** 21;

/**
 * (high * part + low) * b + c = ((high * b) mod m) * part + low * b + c mod m. NaN where something is negative or not safe: sums and
 * products of what is not negative are exact when the last of them is safe.
 */
const remainderByParts = (a: number, b: number, c: number, m: number): number => {
  if (!(a >= 0 && b >= 0 && c >= 0 && m > 0 && a * b + c < surelyInRange)) return NaN;
  const large = Math.max(a, b),
    factor = Math.min(a, b),
    high = Math.floor(large / partSize),
    upper = high * factor,
    rest = (upper - Math.floor(upper / m) * m) * partSize + (large - high * partSize) * factor + c;
  return upper <= safeMax && rest <= safeMax ? rest - Math.floor(rest / m) * m : NaN;
};

/** By squaring with a check at each step: the exact power would be an unbounded BigInt. */
export const expInt64 = (base: Int64, exponent: Int64): Int64 => {
  if (exponent < 0) arithmeticError("EXP_INT64", base, exponent);
  if (exponent === 0 || base === 1) return 1;
  if (base === 0) return 0;
  if (base === -1) return BigInt(exponent) % 2n === 0n ? 1 : -1;
  if (exponent > 63) arithmeticError("EXP_INT64", base, exponent);
  return inRange("EXP_INT64", base, exponent, Number(base) ** Number(exponent), BigInt(base) ** BigInt(exponent)); // at most 64 * 63 bits
};

export const int64ToText = (value: Int64): string => value.toString();

const int64Text = /^[+-]?[0-9]+$/;
const int64DigitsMax = 19;

export const textToInt64 = (text: string): Optional => {
  if (!int64Text.test(text)) return none;
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > int64DigitsMax) return none;
  const value = BigInt(digits === "" ? "0" : digits);
  const signed = text.startsWith("-") ? -value : value;
  return signed < int64Min || signed > int64Max ? none : new Some(int64Of(signed));
};
