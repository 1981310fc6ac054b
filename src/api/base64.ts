/** Bytes as requests and answers have them. */
import type { Base64 } from "./ledger/types/scalars.js";

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
export const toBytes = (wire: Base64): Uint8Array => Buffer.from(wire, "base64");
