/** Timestamps of the Ledger API: ISO instants with 0, 3 or 6 fraction digits. */

export function instantText(micros: bigint): string {
  const millis = micros >= 0n ? micros / 1_000n : (micros - 999n) / 1_000n;
  const rest = Number(micros - millis * 1_000n);
  const text = new Date(Number(millis)).toISOString();
  if (rest !== 0) return `${text.slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
  return text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text;
}
