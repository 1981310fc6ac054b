/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of messages at hand, by node:crypto in one call: no hash objects, which would cost
 * more than a few blocks do and leave a native object each to the garbage collector.
 */
import { hash } from "node:crypto";

const algorithm = "sha256";
const blockBytes = 64;
const blockWords = blockBytes / 4;
const digestBytes = 32;

/** Lower-case hex. */
export const sha256Hex = (message: string | Uint8Array): string => hash(algorithm, message, "hex");

export const sha256 = (message: Uint8Array): Uint8Array => fromBinary(hash(algorithm, message, "binary"));

/** The fastest way out of node:crypto is a string with a character for each byte; a loop over few of them costs less than a call. */
function fromBinary(digest: string): Uint8Array {
  const bytes = new Uint8Array(digestBytes); // small enough for V8's own heap
  for (let i = 0; i < digestBytes; i++) bytes[i] = digest.charCodeAt(i);
  return bytes;
}

/** A key of HMAC-SHA256. */
export class HmacSha256 {
  /** Its block. */
  readonly #words: Uint32Array;

  constructor(key: Uint8Array) {
    putKey(key);
    this.#words = keyWords.slice();
  }

  digest(message: Uint8Array, length = message.length): Uint8Array {
    keyWords.set(this.#words);
    return fromBinary(hash(algorithm, outerMessage(message, length), "binary"));
  }
}

/** Under a key that is not used again; lower-case hex. */
export function hmacSha256Hex(key: Uint8Array, message: Uint8Array, length = message.length): string {
  putKey(key);
  return hash(algorithm, outerMessage(message, length), "hex");
}

// One HMAC at a time: everything here is synchronous. The two messages that are hashed start with the key's block.
const keyWords = new Uint32Array(blockWords);
const keyBlock = new Uint8Array(keyWords.buffer);
const inner = Buffer.alloc(4096);
const innerWords = new Uint32Array(inner.buffer, inner.byteOffset, blockWords);
const outer = Buffer.alloc(blockBytes + digestBytes);
const outerWords = new Uint32Array(outer.buffer, outer.byteOffset, blockWords);
/** The first bytes of `inner`, by their number: most messages have a few dozen. */
const innerViews: Uint8Array[] = [];
const viewedBytesMax = 512;

function putKey(key: Uint8Array): void {
  const shortKey = key.length > blockBytes ? sha256(key) : key;
  for (let i = 0; i < shortKey.length; i++) keyBlock[i] = shortKey[i]!;
  for (let i = shortKey.length; i < blockBytes; i++) keyBlock[i] = 0;
}

/** What is hashed in the end, under the key that was put. */
function outerMessage(message: Uint8Array, length: number): Uint8Array {
  for (let i = 0; i < blockWords; i++) {
    const word = keyWords[i]!;
    innerWords[i] = word ^ 0x36363636;
    outerWords[i] = word ^ 0x5c5c5c5c;
  }
  const digest = hash(algorithm, innerMessage(message, length), "binary");
  for (let i = 0; i < digestBytes; i++) outer[blockBytes + i] = digest.charCodeAt(i);
  return outer;
}

function innerMessage(message: Uint8Array, length: number): Uint8Array {
  const size = blockBytes + length;
  if (size > inner.length) return Buffer.concat([inner.subarray(0, blockBytes), message.subarray(0, length)]);
  for (let i = 0; i < length; i++) inner[blockBytes + i] = message[i]!;
  return size > viewedBytesMax ? inner.subarray(0, size) : (innerViews[size] ??= inner.subarray(0, size));
}
