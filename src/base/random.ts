/** Random bytes out of a stock: asking the system for each small id costs a quarter of a small request. */
import { randomFillSync } from "node:crypto";

const stock = Buffer.allocUnsafeSlow(16 * 1024);
let used = stock.length;

/** A place in the stock, never given out again. `count` is small. */
function take(count: number): number {
  if (used + count > stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  used += count;
  return used - count;
}

export function randomHex(bytes: number): string {
  const at = take(bytes);
  return stock.toString("hex", at, at + bytes);
}

/** A copy of its own. */
export function randomBytes(bytes: number): Uint8Array {
  const at = take(bytes);
  return Uint8Array.prototype.slice.call(stock, at, at + bytes);
}
