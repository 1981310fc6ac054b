/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of short messages. Making a hash object of node:crypto costs more than hashing a few
 * blocks here, and each leaves a native object to the garbage collector; longer messages go there, in one call.
 */
import { hash as nativeHash } from "node:crypto";
import { instantiateRounds } from "./sha256-rounds.js";

const blockBytes = 64;
const digestBytes = 32;
const stateWords = 8;
/** The end of the last block: a one bit and the length in bits. */
const paddingBytesMin = 9;
/** Up to two blocks are faster here. */
const ownBytesMax = 2 * blockBytes - paddingBytesMin;

// One hash at a time: everything here is synchronous. Addresses in the memory of the rounds:
const innerAt = 0, outerAt = innerAt + digestBytes; // states
const keyAt = blockBytes; // a block
const digestAt = 2 * blockBytes; // the last block of an HMAC
const messageAt = 4 * blockBytes;
/** So much of a message is hashed at a time. */
const chunkBytes = 256 * blockBytes;

const { memory, compress } = instantiateRounds();
const words = new Int32Array(memory);
const bytes = Buffer.from(memory);

/** Lower-case hex. */
export function sha256Hex(message: string | Uint8Array): string { return nativeHash("sha256", message, "hex"); }

export function sha256(message: Uint8Array, length = message.length): Uint8Array {
  if (length > ownBytesMax) return Buffer.from(nativeHash("sha256", message.length === length ? message : message.subarray(0, length), "binary"), "binary");
  startState(innerAt);
  absorb(message, length, 0);
  storeDigest(innerAt, digestAt);
  return copyOfDigest();
}

/** A key of HMAC-SHA256, ready for many messages: of a message only its own blocks are hashed, and one more. */
export class HmacSha256 {
  /** The states after the key's two blocks. */
  readonly #states = new Int32Array(2 * stateWords);

  constructor(key: Uint8Array) {
    absorbKey(key);
    for (let i = 0; i < 2 * stateWords; i++) this.#states[i] = words[i]!;
  }

  digest(message: Uint8Array, length = message.length): Uint8Array {
    this.#compute(message, length);
    return copyOfDigest();
  }

  /** Lower-case hex. */
  digestHex(message: Uint8Array, length = message.length): string {
    this.#compute(message, length);
    return hexOfDigest();
  }

  #compute(message: Uint8Array, length: number): void {
    for (let i = 0; i < 2 * stateWords; i++) words[i] = this.#states[i]!;
    finishHmac(message, length);
  }
}

/** Of one message under a key that is not used again; lower-case hex. */
export function hmacSha256Hex(key: Uint8Array, message: Uint8Array, length = message.length): string {
  absorbKey(key);
  finishHmac(message, length);
  return hexOfDigest();
}

function absorbKey(key: Uint8Array): void {
  const shortKey = key.length > blockBytes ? sha256(key) : key;
  absorbPad(shortKey, 0x36, innerAt);
  absorbPad(shortKey, 0x5c, outerAt);
}

function absorbPad(key: Uint8Array, pad: number, state: number): void {
  for (let i = 0; i < key.length; i++) bytes[keyAt + i] = key[i]! ^ pad;
  for (let i = key.length; i < blockBytes; i++) bytes[keyAt + i] = pad;
  startState(state);
  compress(state, keyAt, 1);
}

/** From the two states of a key to the digest. */
function finishHmac(message: Uint8Array, length: number): void {
  absorb(message, length, blockBytes);
  storeDigest(innerAt, digestAt);
  compress(outerAt, digestAt, 1);
  storeDigest(outerAt, digestAt);
}

// Behind a digest in its block stands the padding of the outer hash: a one bit, and the length of key block and digest in bits.
bytes[digestAt + digestBytes] = 0x80;
words[(digestAt + blockBytes) / 4 - 1] = swapped((blockBytes + digestBytes) << 3);

function startState(at: number): void {
  const i = at >>> 2;
  words[i] = 0x6a09e667; words[i + 1] = 0xbb67ae85; words[i + 2] = 0x3c6ef372; words[i + 3] = 0xa54ff53a;
  words[i + 4] = 0x510e527f; words[i + 5] = 0x9b05688c; words[i + 6] = 0x1f83d9ab; words[i + 7] = 0x5be0cd19;
}

/** The message with its padding, after `before` bytes that the inner state has seen. */
function absorb(message: Uint8Array, length: number, before: number): void {
  let start = 0;
  for (; length - start > chunkBytes; start += chunkBytes) {
    bytes.set(message.subarray(start, start + chunkBytes), messageAt);
    compress(innerAt, messageAt, chunkBytes / blockBytes);
  }
  const rest = length - start;
  if (rest <= blockBytes) for (let i = 0; i < rest; i++) bytes[messageAt + i] = message[start + i]!; // a call costs more
  else bytes.set(message.subarray(start, length), messageAt);
  const blocks = Math.ceil((rest + paddingBytesMin) / blockBytes), end = messageAt + blocks * blockBytes;
  bytes[messageAt + rest] = 0x80;
  for (let i = messageAt + rest + 1; i < end - 4; i++) bytes[i] = 0;
  words[(end >>> 2) - 1] = swapped((before + length) << 3); // messages here are far below 2^29 bytes
  compress(innerAt, messageAt, blocks);
}

function storeDigest(state: number, at: number): void {
  for (let from = state >>> 2, to = at >>> 2, last = from + stateWords; from < last; from++, to++) words[to] = swapped(words[from]!);
}

/** Digests are big-endian, WebAssembly's memory is not. */
function swapped(word: number): number {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

function copyOfDigest(): Uint8Array {
  const digest = new Uint8Array(digestBytes); // small enough for V8's own heap
  for (let i = 0; i < digestBytes; i++) digest[i] = bytes[digestAt + i]!;
  return digest;
}

const hexOfDigest = (): string => bytes.toString("hex", digestAt, digestAt + digestBytes);
