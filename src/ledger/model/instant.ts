/** Timestamps of the Ledger API: ISO instants with 0, 3 or 6 fraction digits. */

/** Most instants are of the second before. */
let lastSecond = 0,
  lastText = "1970-01-01T00:00:00";

export function instantText(micros: bigint): string {
  let fraction = Number(micros % 1_000_000n);
  if (fraction < 0) fraction += 1_000_000;
  const second = Number((micros - BigInt(fraction)) / 1_000_000n);
  if (second !== lastSecond) {
    lastText = new Date(second * 1_000).toISOString().slice(0, -".000Z".length);
    lastSecond = second;
  }
  if (fraction === 0) return `${lastText}Z`;
  const digits = String(fraction).padStart(6, "0");
  return `${lastText}.${digits.endsWith("000") ? digits.slice(0, 3) : digits}Z`;
}
