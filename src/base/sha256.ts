/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of short messages. Making a hash object of node:crypto costs more than hashing one or
 * two blocks here, and each leaves a native object to the garbage collector; longer messages go there, in one call.
 */
import { hash as nativeHash } from "node:crypto";

const blockBytes = 64;
const digestBytes = 32;
/** The end of the last block: a one bit and the length in bits. */
const paddingBytesMin = 9;
/** Up to two blocks are faster here. */
const ownBytesMax = 2 * blockBytes - paddingBytesMin;

export function sha256(message: Uint8Array, length = message.length): Uint8Array {
  if (length > ownBytesMax) return Buffer.from(nativeHash("sha256", message.length === length ? message : message.subarray(0, length), "binary"), "binary");
  state.set(initialState);
  finish(message, length, 0);
  return digest();
}

/** Lower-case hex. */
export function sha256Hex(message: string | Uint8Array): string { return nativeHash("sha256", message, "hex"); }

/** A key of HMAC-SHA256, ready for many messages: of a message only its own blocks are hashed, and one more. */
export class HmacSha256 {
  readonly #inner = new Int32Array(8);
  readonly #outer = new Int32Array(8);

  constructor(key: Uint8Array) {
    const shortKey = key.length > blockBytes ? sha256(key) : key;
    this.#absorb(shortKey, 0x36, this.#inner);
    this.#absorb(shortKey, 0x5c, this.#outer);
  }

  #absorb(key: Uint8Array, pad: number, into: Int32Array): void {
    block.fill(pad);
    for (let i = 0; i < key.length; i++) block[i] = key[i]! ^ pad;
    state.set(initialState);
    compress(block, 0);
    into.set(state);
  }

  digest(message: Uint8Array, length = message.length): Uint8Array {
    this.#compute(message, length);
    return digest();
  }

  /** Lower-case hex. */
  digestHex(message: Uint8Array, length = message.length): string {
    this.#compute(message, length);
    storeState(scratch);
    return scratch.toString("hex");
  }

  #compute(message: Uint8Array, length: number): void {
    state.set(this.#inner);
    finish(message, length, blockBytes);
    storeState(scratch);
    state.set(this.#outer);
    finish(scratch, digestBytes, blockBytes);
  }
}

const initialState = Int32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
const roundConstants = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

// One hash at a time: everything here is synchronous.
const state = new Int32Array(8);
const schedule = new Int32Array(64);
const block = new Uint8Array(2 * blockBytes);
const scratch = Buffer.alloc(digestBytes);

/** The message, after `before` bytes that the state has seen, with its padding. */
function finish(message: Uint8Array, length: number, before: number): void {
  let at = 0;
  for (; length - at >= blockBytes; at += blockBytes) compress(message, at);
  const rest = length - at;
  for (let i = 0; i < rest; i++) block[i] = message[at + i]!;
  const end = rest + paddingBytesMin <= blockBytes ? blockBytes : 2 * blockBytes;
  block[rest] = 0x80;
  for (let i = rest + 1; i < end - 4; i++) block[i] = 0;
  storeWord(block, end - 4, (before + length) << 3); // messages here are far below 2^29 bytes
  compress(block, 0);
  if (end > blockBytes) compress(block, blockBytes);
}

function compress(bytes: Uint8Array, offset: number): void {
  const w = schedule;
  for (let i = 0, at = offset; i < 16; i++, at += 4) w[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!, y = w[i - 2]!;
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + w[i - 7]! + small0 + small1) | 0;
  }
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!, e = state[4]!, f = state[5]!, g = state[6]!, h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const large1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + large1 + (g ^ (e & (f ^ g))) + roundConstants[i]! + w[i]!) | 0;
    const large0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (large0 + ((a & b) | (c & (a | b)))) | 0;
    h = g; g = f; f = e; e = (d + first) | 0;
    d = c; c = b; b = a; a = (first + second) | 0;
  }
  state[0] = (state[0]! + a) | 0; state[1] = (state[1]! + b) | 0; state[2] = (state[2]! + c) | 0; state[3] = (state[3]! + d) | 0;
  state[4] = (state[4]! + e) | 0; state[5] = (state[5]! + f) | 0; state[6] = (state[6]! + g) | 0; state[7] = (state[7]! + h) | 0;
}

function digest(): Uint8Array {
  const bytes = new Uint8Array(digestBytes); // small enough for V8's own heap
  storeState(bytes);
  return bytes;
}

function storeState(into: Uint8Array): void {
  for (let i = 0; i < 8; i++) storeWord(into, 4 * i, state[i]!);
}

function storeWord(into: Uint8Array, at: number, word: number): void {
  into[at] = word >>> 24;
  into[at + 1] = word >>> 16;
  into[at + 2] = word >>> 8;
  into[at + 3] = word;
}
