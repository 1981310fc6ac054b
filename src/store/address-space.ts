/** LMDB maps a file at once as large as it may become. That takes addresses, no memory; where there are too few, the process would end by a signal. */
import { readFileSync } from "node:fs";
import { limits } from "../config.js";

/** The process may have fewer addresses than the file may need. */
export class StoreNeedsAddresses extends Error {
  override readonly name = "StoreNeedsAddresses";
}

export function requireAddresses(): void {
  const bytes = addressesMax();
  if (bytes >= limits.addressSpaceBytesMin) return;
  const [may, needs] = [bytes, limits.addressSpaceBytesMin].map((count) => `${Math.floor(count / gigabyte).toLocaleString("en-US")} GB`);
  throw new StoreNeedsAddresses(
    `This process may have ${may} of addresses, and the file of a ledger is mapped into ${needs}, of which it takes no memory: `
      + "start it without that bound (ulimit -v unlimited, LimitAS=infinity in a unit)",
  );
}

const gigabyte = 1024 ** 3;

/** As Linux tells it; elsewhere nothing is known of a bound. */
function addressesMax(): number {
  try {
    const [, soft] = /^Max address space\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
