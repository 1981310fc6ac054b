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

/** A number without an exponent, with all the digits by which it is known. */
export function plainDecimal(amount: number): string {
  const text = String(amount),
    match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, whole, fraction = "", exponent] = match as unknown as [string, string, string, string | undefined, string],
    digits = whole + fraction,
    point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, "0")}.${digits.slice(point) || "0"}`;
}
