/**
 * Update ids look like the multihashes of a Canton node (12 20 and 32 bytes). The last bytes are the offset: an id needs no index to be
 * found.
 */
import { randomHex } from "../../base/random.js";
import type { Offset } from "./model.js";

const prefix = "1220",
  randomCount = 26,
  offsetHexChars = 12;
/** Of every update id. */
export const updateIdChars = prefix.length + 2 * randomCount + offsetHexChars;
const pattern = /^1220[0-9a-f]{64}$/;

export const newUpdateId = (offset: Offset): string =>
  `${prefix}${randomHex(randomCount)}${offset.toString(16).padStart(offsetHexChars, "0")}`;

/** Where an update of this id would be; undefined when no update can have it. */
export function offsetOfUpdateId(updateId: string): Offset | undefined {
  return pattern.test(updateId) ? offsetTold(updateId) : undefined;
}

/** The same of an id that is one. */
export const offsetTold = (updateId: string): Offset => Number.parseInt(updateId.slice(-offsetHexChars), 16);
