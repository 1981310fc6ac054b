/** The text forms of Numeric: NUMERIC_TO_TEXT and TEXT_TO_NUMERIC. The stored form is another one, see `lf/value`. */
import { none, Numeric, numericDigitsMax, type Optional, Some } from "../value/index.js";

/** Trailing zeros are stripped, one fraction digit always stays. */
export const numericToText = ({ unscaled, scale }: Numeric): string => {
  const negative = unscaled < 0n;
  const digits = (negative ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${negative ? "-" : ""}${whole}.${fraction === "" ? "0" : fraction}`;
};

const numericText = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;
const zero = 48;

/** Zeros are skipped by hand: a pattern that does it backtracks, which takes quadratic time on a long text. */
export const textToNumeric = (witness: Numeric, text: string): Optional => {
  if (!numericText.test(text)) return none;
  const dot = text.includes(".") ? text.indexOf(".") : text.length;
  let start = text[0] === "-" || text[0] === "+" ? 1 : 0;
  let end = text.length;
  while (start < dot && text.charCodeAt(start) === zero) start += 1;
  while (end > dot + 1 && text.charCodeAt(end - 1) === zero) end -= 1;
  const whole = text.slice(start, dot);
  const fraction = text.slice(dot + 1, end);
  if (whole.length > numericDigitsMax - witness.scale || fraction.length > witness.scale) return none;
  const unscaled = BigInt(`0${whole}${fraction.padEnd(witness.scale, "0")}`);
  return new Some(new Numeric(text[0] === "-" ? -unscaled : unscaled, witness.scale));
};
