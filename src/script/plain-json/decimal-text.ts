/** Decimal numbers as people write them, with exponents, as the texts that the Ledger API takes. */
import { showNumeric } from "../../lf/running-code.js";
import { numericDigitsMax } from "../../lf/value/index.js";

const form = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,9}))?$/;

/** Sign, digits without leading zeros, and the power of ten of the last of them. */
interface Decimal {
  readonly sign: string;
  readonly digits: string;
  readonly exponent: number;
}

function decimalOf(text: string): Decimal | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", behind = "", bare = "", exponent = "0"] = match,
    fraction = behind + bare,
    digits = (whole + fraction).replace(/^0+/, "");
  return { sign: sign === "-" ? "-" : "", digits, exponent: digits === "" ? 0 : Number(exponent) - fraction.length };
}

/** Of a JSON number that is whole, however it is written; any other text as it is. */
export function wholeText(text: string): string {
  const decimal = decimalOf(text);
  if (decimal === undefined) return text;
  const digits = shifted(decimal, 0);
  return digits === undefined || !/^0*$/.test(digits.dropped) ? text : `${decimal.sign}${digits.kept}`;
}

/** Rounded half-even to the scale, as the reference does; what is no number, or does not fit, as it is. */
export function roundedText(text: string, scale: number): string {
  const decimal = decimalOf(text),
    digits = decimal && shifted(decimal, scale);
  if (digits === undefined) return text;
  const kept = BigInt(digits.kept) + (roundsUp(digits) ? 1n : 0n);
  return showNumeric(decimal?.sign === "-" ? -kept : kept, scale);
}

interface Shifted {
  readonly kept: string;
  readonly dropped: string;
}

/** The digits down to so many places behind the point, and those behind them. Undefined of more digits than a number may have. */
function shifted({ digits, exponent }: Decimal, places: number): Shifted | undefined {
  const keptCount = digits.length + exponent + places;
  if (keptCount > numericDigitsMax) return undefined;
  if (keptCount < 0) return { kept: "0", dropped: digits === "" ? "" : `0${digits}` };
  return { kept: digits.slice(0, keptCount).padEnd(keptCount, "0") || "0", dropped: digits.slice(keptCount) };
}

function roundsUp({ kept, dropped }: Shifted): boolean {
  if (!/^50*$/.test(dropped)) return dropped >= "5";
  return Number(kept.at(-1)) % 2 === 1;
}
