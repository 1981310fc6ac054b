/** Amounts: decimals of scale 10, as whole numbers of their smallest part. */

const scale = 10;

/** A decimal as the ledger's JSON prints it. */
export function parseDecimal(text: string): bigint {
  const negative = text.startsWith("-"),
    [whole, fraction = ""] = (negative ? text.slice(1) : text).split(".");
  const parts = BigInt(`${whole}${fraction.padEnd(scale, "0").slice(0, scale)}`);
  return negative ? -parts : parts;
}

/** All ten digits. */
export function showDecimal(parts: bigint): string {
  const digits = (parts < 0n ? -parts : parts).toString().padStart(scale + 1, "0");
  return `${parts < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Without zeros at the end, but always with a point. */
export function unscaled(text: string): string {
  if (!text.includes(".")) return `${text}.0`;
  return text.replace(/0+$/, "").replace(/\.$/, ".0");
}

/** More says nothing of an amount, which has ten digits behind its point and 28 before. */
const exponentMax = 100;

/** A number of JSON without its exponent, with all its digits; one that is no amount by far as it is. */
export function plainDecimal(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i.exec(text);
  if (!match) return text;
  const [, sign, whole, fraction = "", exponent] = match as unknown as [string, string, string, string | undefined, string],
    digits = whole + fraction,
    point = whole.length + Number(exponent);
  if (Math.abs(Number(exponent)) > exponentMax) return text;
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  const before = digits
    .slice(0, point)
    .padEnd(point, "0")
    .replace(/^0+(?=\d)/, "");
  return `${sign}${before}.${digits.slice(point) || "0"}`;
}
