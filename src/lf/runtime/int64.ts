/** Int64 arithmetic: exact, with an ArithmeticError where the result leaves 64 bits. */
import { none, type Optional, Some } from "../value/value.js";
import { arithmeticError } from "./exception.js";

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

// `asIntN` and compare: V8 then keeps the arithmetic in machine words.
export const addInt64 = (a: bigint, b: bigint): bigint => {
  const result = a + b;
  return BigInt.asIntN(64, result) === result ? result : arithmeticError("ADD_INT64", a, b);
};
export const subInt64 = (a: bigint, b: bigint): bigint => {
  const result = a - b;
  return BigInt.asIntN(64, result) === result ? result : arithmeticError("SUB_INT64", a, b);
};
export const mulInt64 = (a: bigint, b: bigint): bigint => {
  const result = a * b;
  return BigInt.asIntN(64, result) === result ? result : arithmeticError("MUL_INT64", a, b);
};

/** Truncates toward zero. */
export const divInt64 = (a: bigint, b: bigint): bigint => {
  if (b === 0n || (b === -1n && a === int64Min)) arithmeticError("DIV_INT64", a, b);
  return a / b;
};

/** Takes the sign of the dividend. */
export const modInt64 = (a: bigint, b: bigint): bigint => {
  if (b === 0n) arithmeticError("MOD_INT64", a, b);
  return a % b;
};

/** By squaring with a check at each step: the exact power would be an unbounded BigInt. */
export const expInt64 = (base: bigint, exponent: bigint): bigint => {
  if (exponent < 0n) arithmeticError("EXP_INT64", base, exponent);
  if (exponent === 0n || base === 1n) return 1n;
  if (base === 0n) return 0n;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent > 63n) arithmeticError("EXP_INT64", base, exponent);
  const result = base ** exponent; // at most 64 * 63 bits
  return BigInt.asIntN(64, result) === result ? result : arithmeticError("EXP_INT64", base, exponent);
};

export const int64ToText = (value: bigint): string => value.toString();

const int64Text = /^[+-]?[0-9]+$/;
const int64DigitsMax = 19;

export const textToInt64 = (text: string): Optional => {
  if (!int64Text.test(text)) return none;
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > int64DigitsMax) return none;
  const value = BigInt(digits === "" ? "0" : digits);
  const signed = text.startsWith("-") ? -value : value;
  return signed < int64Min || signed > int64Max ? none : new Some(signed);
};
