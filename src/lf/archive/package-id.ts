import { createHash } from "node:crypto";
import type { PackageId } from "../ast.js";
import { parsing } from "./failure.js";

/** A package id is the SHA-256 of the payload of its archive, in lower-case hexadecimal. */
export const packageIdOf = (payload: Uint8Array): PackageId => createHash("sha256").update(payload).digest("hex");

/** What is told of a hash that a file claims: one has 64, a file may say anything. */
const claimedCharsMax = 80;

export function checkPackageHash(payload: Uint8Array, claimed: string): PackageId {
  const id = packageIdOf(payload);
  if (claimed !== id) throw parsing(`Mismatching hashes! Expected ${id} but got ${claimed.slice(0, claimedCharsMax)}`);
  return id;
}
