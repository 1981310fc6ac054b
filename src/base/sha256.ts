/**
 * SHA-256 (FIPS 180-4) and HMAC (RFC 2104) of messages at hand: by node:crypto in one call each, without hash objects, which would cost
 * more than a few blocks do and leave a native object each to the garbage collector. Only where a key has many short messages is it
 * quicker to keep the states of its blocks, and to go on from them here.
 */
import { hash } from "node:crypto";
import { blockBytes, initialState, instantiateSha256, type Sha256Blocks, stateBytes } from "./sha256-blocks.js";

const algorithm = "sha256";
const stateWords = stateBytes / 4;
/** Of a digest. */
export const sha256Bytes = stateBytes;
const innerByte = 0x36,
  outerByte = 0x5c;

/** Lower-case hex. */
export const sha256Hex = (message: string | Uint8Array): string => hash(algorithm, message, "hex");

export const sha256 = (message: Uint8Array): Uint8Array => fromBinary(hash(algorithm, message, "binary"));

/** Puts the digest down in `target`, where there is room for it. */
export const putSha256 = (message: Uint8Array, target: Uint8Array, at: number): void =>
  putBinary(hash(algorithm, message, "binary"), target, at);

function fromBinary(digest: string): Uint8Array {
  const bytes = new Uint8Array(stateBytes); // small enough for V8's own heap
  putBinary(digest, bytes, 0);
  return bytes;
}

/** The fastest way out of node:crypto is a string with a character for each byte; a loop over few of them costs less than a call. */
function putBinary(digest: string, target: Uint8Array, at: number): void {
  for (let i = 0; i < stateBytes; i++) target[at + i] = digest.charCodeAt(i);
}

// One HMAC at a time: everything here is synchronous. Two messages are hashed for it, each behind a block of the key.
const innerMessages = Buffer.alloc(4096);
const outerMessage = Buffer.alloc(blockBytes + stateBytes);
/** Of the key whose blocks these are. */
let keyBytes = blockBytes;

function putKey(key: Uint8Array): void {
  const shortKey = key.length > blockBytes ? sha256(key) : key,
    size = shortKey.length;
  for (let i = 0; i < size; i++) {
    const byte = shortKey[i]!;
    innerMessages[i] = byte ^ innerByte;
    outerMessage[i] = byte ^ outerByte;
  }
  for (let i = size; i < keyBytes; i++) {
    innerMessages[i] = innerByte;
    outerMessage[i] = outerByte;
  }
  keyBytes = size;
}

let made: Sha256Blocks | undefined;

/** Made when a key has its second message: most threads start without one. */
function blocks(): Sha256Blocks {
  if (made !== undefined) return made;
  made = instantiateSha256();
  made.words.set(initialState, initial / 4);
  pad(made.bytes, outerBlock, stateBytes);
  return made;
}

/** Where states and blocks lie. */
const initial = 0,
  inner = stateBytes,
  outer = 2 * stateBytes,
  result = 3 * stateBytes,
  outerBlock = 4 * stateBytes,
  messageBlocks = outerBlock + blockBytes;
/** After a message stand a bit and its size in eight bytes, of which the last three count here. */
const paddingBytesMin = 9,
  sizeBytes = 3;
const ownBytesMax = 1024;

/** Fills up the blocks of a message behind a key's and gives their number. */
function pad(bytes: Buffer, at: number, length: number): number {
  const count = Math.ceil((length + paddingBytesMin) / blockBytes),
    end = at + count * blockBytes,
    bits = (blockBytes + length) * 8;
  bytes[at + length] = 0x80;
  for (let i = at + length + 1; i < end - sizeBytes; i++) bytes[i] = 0;
  bytes[end - 3] = bits >>> 16;
  bytes[end - 2] = bits >>> 8;
  bytes[end - 1] = bits;
  return count;
}

/** A key of HMAC-SHA256. */
export class HmacSha256 {
  readonly #key: Uint8Array;
  /** Of its inner and its outer block, once it has a second message. */
  #states: Int32Array | undefined;
  #isUsed = false;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** What comes of its inner block, and behind that what comes of its outer one. */
  get states(): Int32Array {
    return (this.#states ??= keyStates(this.#key));
  }

  /** Of the first `length` bytes. */
  digest(message: Uint8Array, length = message.length): Uint8Array {
    if (!this.#isUsed || length > ownBytesMax) {
      this.#isUsed = true;
      return fromBinary(hash(algorithm, putOuterMessage(this.#key, message, length), "binary"));
    }
    const { states } = this,
      own = blocks(),
      { bytes, words } = own;
    for (let i = 0; i < 2 * stateWords; i++) words[inner / 4 + i] = states[i]!;
    for (let i = 0; i < length; i++) bytes[messageBlocks + i] = message[i]!;
    const count = pad(bytes, messageBlocks, length);
    own.compress(inner, outerBlock, messageBlocks);
    for (let i = 1; i < count; i++) own.compress(outerBlock, outerBlock, messageBlocks + i * blockBytes);
    own.swap(outerBlock);
    own.compress(outer, result, outerBlock);
    own.swap(result);
    const digest = new Uint8Array(stateBytes);
    for (let i = 0; i < stateBytes; i++) digest[i] = bytes[result + i]!;
    return digest;
  }
}

function keyStates(key: Uint8Array): Int32Array {
  const { bytes, words, compress } = blocks();
  putKey(key);
  for (let i = 0; i < blockBytes; i++) bytes[messageBlocks + i] = innerMessages[i]!;
  compress(initial, inner, messageBlocks);
  for (let i = 0; i < blockBytes; i++) bytes[messageBlocks + i] = outerMessage[i]!;
  compress(initial, outer, messageBlocks);
  return words.slice(inner / 4, inner / 4 + 2 * stateWords);
}

/** Under a key that is not used again; lower-case hex. */
export const hmacSha256Hex = (key: Uint8Array, message: Uint8Array, length = message.length): string =>
  hash(algorithm, putOuterMessage(key, message, length), "hex");

/** What is hashed in the end. */
function putOuterMessage(key: Uint8Array, message: Uint8Array, length: number): Uint8Array {
  putKey(key);
  putSha256(innerMessage(message, length), outerMessage, blockBytes);
  return outerMessage;
}

/** The first bytes of the buffer, by their number: most messages have a few dozen. */
const innerViews: Uint8Array[] = [];
const viewedBytesMax = 512;

function innerMessage(message: Uint8Array, length: number): Uint8Array {
  const size = blockBytes + length;
  if (size > innerMessages.length) return Buffer.concat([innerMessages.subarray(0, blockBytes), message.subarray(0, length)]);
  for (let i = 0; i < length; i++) innerMessages[blockBytes + i] = message[i]!;
  return size > viewedBytesMax ? innerMessages.subarray(0, size) : (innerViews[size] ??= innerMessages.subarray(0, size));
}
