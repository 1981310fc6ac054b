/** Numeric arithmetic: at most 38 digits, the scale of a result comes from its witness argument. */
import { type Int64, int64Of, Numeric, numericDigitsMax } from "../value/index.js";
import { arithmeticError } from "./exception.js";
import { int64Max, int64Min } from "./int64.js";
import { clearQuotient, multiplyThenDivide, safePowerMax, safePowers } from "./numeric-doubles.js";

const powersOfTen: readonly bigint[] = Array.from({ length: 2 * numericDigitsMax + 1 }, (_, exponent) => 10n ** BigInt(exponent));
const powerOfTen = (exponent: number): bigint => powersOfTen[exponent] ?? 10n ** BigInt(exponent);

/** Of at least one digit. */
const halvesOfPowers: readonly bigint[] = powersOfTen.map((power) => power / 2n);
const halfPowerOfTen = (exponent: number): bigint => halvesOfPowers[exponent] ?? powerOfTen(exponent) / 2n;

const bound = powerOfTen(numericDigitsMax);
/** Numbers of 64 bits fit, and that test is the quicker one. */
const fits = (unscaled: bigint): boolean => BigInt.asIntN(64, unscaled) === unscaled || (unscaled < bound && unscaled > -bound);

/** Nearest integer, ties to the even one. The divisor is not zero. */
const divideHalfEven = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor;
  const rest = dividend - quotient * divisor; // cheaper than a second division
  if (rest === 0n) return quotient;
  const doubled = rest < 0n ? -2n * rest : 2n * rest;
  const size = divisor < 0n ? -divisor : divisor;
  if (doubled < size || (doubled === size && quotient % 2n === 0n)) return quotient;
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
};

/** `unscaled` at one scale, rounded to another. */
const rescale = (unscaled: bigint, from: number, to: number): bigint =>
  to >= from ? unscaled * powerOfTen(to - from) : dropDigits(unscaled, from - to);

/** Division by a power of ten, half-even: with the half at hand, one comparison decides most cases. */
const dropDigits = (unscaled: bigint, digits: number): bigint => {
  const divisor = powerOfTen(digits);
  const half = halfPowerOfTen(digits);
  const quotient = unscaled / divisor;
  const rest = unscaled - quotient * divisor;
  if (rest < half && rest > -half) return quotient;
  if ((rest === half || rest === -half) && quotient % 2n === 0n) return quotient;
  return rest > 0n ? quotient + 1n : quotient - 1n;
};

export const addNumeric = (x: Numeric, y: Numeric): Numeric => {
  const a = x.digits,
    b = y.digits;
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return new Numeric(sum, x.scale);
  }
  const sum = BigInt(a) + BigInt(b);
  return fits(sum) ? new Numeric(sum, x.scale) : arithmeticError("ADD_NUMERIC", x, y);
};

export const subNumeric = (x: Numeric, y: Numeric): Numeric => {
  const a = x.digits,
    b = y.digits;
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return new Numeric(difference, x.scale);
  }
  const difference = BigInt(a) - BigInt(b);
  return fits(difference) ? new Numeric(difference, x.scale) : arithmeticError("SUB_NUMERIC", x, y);
};

// What is short and common comes first, and the rest apart, so that V8 can put it into the code that calls it.

export const mulNumeric = (witness: Numeric, x: Numeric, y: Numeric): Numeric => {
  const a = x.digits,
    b = y.digits,
    dropped = x.scale + y.scale - witness.scale;
  if (typeof a === "number" && typeof b === "number" && dropped >= 0 && dropped <= safePowerMax) {
    const product = clearQuotient(a * b, safePowers[dropped]!);
    if (product === product) return new Numeric(product, witness.scale);
  }
  return mulExactly(witness, x, y);
};

const mulExactly = (witness: Numeric, x: Numeric, y: Numeric): Numeric => {
  const a = x.digits,
    b = y.digits,
    dropped = x.scale + y.scale - witness.scale;
  if (typeof a === "number" && typeof b === "number" && dropped >= 0 && dropped <= safePowerMax) {
    const product = multiplyThenDivide(a, b, safePowers[dropped]!);
    if (product !== undefined) return new Numeric(product, witness.scale);
  }
  const product = rescale(x.unscaled * y.unscaled, x.scale + y.scale, witness.scale);
  return fits(product) ? new Numeric(product, witness.scale) : arithmeticError("MUL_NUMERIC", witness, x, y);
};

export const divNumeric = (witness: Numeric, x: Numeric, y: Numeric): Numeric => {
  const a = x.digits,
    b = y.digits,
    shift = witness.scale + y.scale - x.scale;
  if (typeof a === "number" && typeof b === "number" && b !== 0 && shift >= 0 && shift <= safePowerMax) {
    const quotient = clearQuotient(a * safePowers[shift]!, b);
    if (quotient === quotient) return new Numeric(quotient, witness.scale);
  }
  return divExactly(witness, x, y);
};

const divExactly = (witness: Numeric, x: Numeric, y: Numeric): Numeric => {
  const a = x.digits,
    b = y.digits,
    shift = witness.scale + y.scale - x.scale;
  if (b === 0) arithmeticError("DIV_NUMERIC", witness, x, y);
  if (typeof a === "number" && typeof b === "number" && shift >= 0 && shift <= safePowerMax) {
    const quotient = b < 0 ? multiplyThenDivide(-a, safePowers[shift]!, -b) : multiplyThenDivide(a, safePowers[shift]!, b);
    if (quotient !== undefined) return new Numeric(quotient, witness.scale);
  }
  const quotient =
    shift >= 0 ? divideHalfEven(x.unscaled * powerOfTen(shift), y.unscaled) : divideHalfEven(x.unscaled, y.unscaled * powerOfTen(-shift));
  return fits(quotient) ? new Numeric(quotient, witness.scale) : arithmeticError("DIV_NUMERIC", witness, x, y);
};

/** Rounds at 10^-places and keeps the scale. */
export const roundNumeric = (places: Int64, x: Numeric): Numeric => {
  if (places > x.scale || places <= x.scale - numericDigitsMax) arithmeticError("ROUND_NUMERIC", places, x);
  const unit = powerOfTen(x.scale - Number(places));
  const rounded = divideHalfEven(x.unscaled, unit) * unit;
  return fits(rounded) ? new Numeric(rounded, x.scale) : arithmeticError("ROUND_NUMERIC", places, x);
};

/** Changes the scale without changing the number. */
export const castNumeric = (witness: Numeric, x: Numeric): Numeric => {
  const drop = powerOfTen(Math.max(0, x.scale - witness.scale));
  if (x.unscaled % drop !== 0n) arithmeticError("CAST_NUMERIC", witness, x);
  const unscaled = (x.unscaled / drop) * powerOfTen(Math.max(0, witness.scale - x.scale));
  return fits(unscaled) ? new Numeric(unscaled, witness.scale) : arithmeticError("CAST_NUMERIC", witness, x);
};

/** Keeps the digits and changes the scale: cannot fail. */
export const shiftNumeric = (witness: Numeric, x: Numeric): Numeric => new Numeric(x.unscaled, witness.scale);

export const int64ToNumeric = (witness: Numeric, value: Int64): Numeric => {
  const unscaled = BigInt(value) * powerOfTen(witness.scale);
  return fits(unscaled) ? new Numeric(unscaled, witness.scale) : arithmeticError("INT64_TO_NUMERIC", witness, value);
};

/** Truncates toward zero. */
export const numericToInt64 = (x: Numeric): Int64 => {
  const whole = x.unscaled / powerOfTen(x.scale);
  return whole < int64Min || whole > int64Max ? arithmeticError("NUMERIC_TO_INT64", x) : int64Of(whole);
};
