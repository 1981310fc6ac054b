/** What is signed for topology transactions: hashes in multihash form, each with the purpose that it serves. */
import { createHash } from "node:crypto";

const transactionPurpose = 11,
  decentralizedNamespacePurpose = 37,
  combinedPurpose = 55;
const sha256Multihash = Buffer.from([0x12, 0x20]);

/** SHA-256 in multihash form, over the purpose and what it is about. */
function purposeHash(purpose: number, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256").update(int32(purpose));
  for (const part of parts) hash.update(part);
  return Buffer.concat([sha256Multihash, hash.digest()]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** What is signed for one transaction. */
export const topologyHash = (transaction: Uint8Array): Buffer => purposeHash(transactionPurpose, transaction);

/** What is signed for several at once. */
export function combinedHash(transactions: readonly Uint8Array[]): Buffer {
  const hashes = [...new Set(transactions.map((transaction) => topologyHash(transaction).toString("hex")))]
    .sort()
    .map((hex) => Buffer.from(hex, "hex"));
  return purposeHash(combinedPurpose, int32(hashes.length), ...hashes.flatMap((hash) => [int32(hash.length), hash]));
}

/** The name of a namespace that these own together. */
export function decentralizedNamespace(owners: readonly string[]): string {
  const names = [...new Set(owners)].sort().map((owner) => Buffer.from(owner));
  return purposeHash(decentralizedNamespacePurpose, ...names.flatMap((name) => [int32(name.length), name])).toString("hex");
}
