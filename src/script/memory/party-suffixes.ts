import { hash } from "node:crypto";

/** What makes the names of parties unique on one ledger in memory: the same in each run with that seed. */
export function partySuffixes(seed: string): () => string {
  let count = 0;
  return () => hash("sha256", `${seed}/party/${count++}`, "hex").slice(0, 8);
}
