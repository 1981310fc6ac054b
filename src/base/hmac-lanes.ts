/**
 * HMAC-SHA256 of a message under a key that is itself an HMAC, of a number under a key that has many: four at a time. That is how ids
 * are derived from a seed, and all of them are at hand once they are asked for.
 */
import type { HmacSha256 } from "./sha256.js";
import { blockBytes, stateBytes } from "./sha256-blocks.js";
import {
  freeAt,
  initialStateAt,
  instantiateLanes,
  laneBytes,
  laneCount,
  lanesAt,
  laneStateBytes,
  type Sha256Lanes,
} from "./sha256-lanes.js";

/** Longer contents are for who hashes one after the other. */
const contentBytesMax = 4096;

/** States of the blocks of two keys, the second of which comes from the first, and the one at work. */
const [firstInner, firstOuter, secondInner, secondOuter, work, results] = [0, 1, 2, 3, 4, 5].map(
  (place) => freeAt + place * laneStateBytes,
) as [number, number, number, number, number, number];
/** Where blocks lie in each lane. */
const numberBlock = 0,
  digestBlock = blockBytes,
  innerKey = 2 * blockBytes,
  outerKey = 3 * blockBytes,
  message = 4 * blockBytes;
const stateWords = stateBytes / 4,
  innerWord = 0x36363636,
  outerWord = 0x5c5c5c5c,
  numberBytes = 4;
/** After a message stand a bit and its size in eight bytes. */
const paddingBytesMin = 9;

/** That a content takes; undefined when it is too long. */
export const blocksOf = (content: Uint8Array): number | undefined =>
  content.length > contentBytesMax ? undefined : Math.ceil((content.length + paddingBytesMin) / blockBytes);

let made: HmacLanes | undefined | "unsupported";

/** Undefined where the machine cannot. */
export function hmacLanes(): HmacLanes | undefined {
  if (made === undefined) {
    const lanes = instantiateLanes();
    made = lanes === undefined ? "unsupported" : new HmacLanes(lanes);
  }
  return made === "unsupported" ? undefined : made;
}

export class HmacLanes {
  readonly #lanes: Sha256Lanes;
  /** Whose states lie in the lanes. */
  readonly #keys = new Array<HmacSha256 | undefined>(laneCount).fill(undefined);
  /** What lies at `message` in them. */
  readonly #contents = new Array<Uint8Array | undefined>(laneCount).fill(undefined);

  constructor(lanes: Sha256Lanes) {
    this.#lanes = lanes;
    for (let lane = 0; lane < laneCount; lane++) {
      this.#pad(lane, numberBlock, numberBytes, blockBytes);
      this.#pad(lane, digestBlock, stateBytes, blockBytes);
      const at = (lanesAt + lane * laneBytes) / 4;
      lanes.words.fill(innerWord, at + innerKey / 4 + stateWords, at + (innerKey + blockBytes) / 4);
      lanes.words.fill(outerWord, at + outerKey / 4 + stateWords, at + (outerKey + blockBytes) / 4);
    }
  }

  /**
   * Begins the chain of a lane: HMAC of `index`, four bytes big-endian, under `key` is the key of `content`, whose bytes must never change.
   */
  begin(lane: number, key: HmacSha256, index: number, content: Uint8Array): void {
    const { bytes } = this.#lanes,
      at = lanesAt + lane * laneBytes;
    this.#putKey(lane, key);
    bytes.writeInt32BE(index, at + numberBlock);
    if (this.#contents[lane] === content) return;
    this.#contents[lane] = undefined; // should no stack be left for what follows
    bytes.set(content, at + message);
    this.#pad(lane, message, content.length, blockBytes);
    this.#contents[lane] = content;
  }

  /** Hex of `head` and what comes of a chain for each of the first lanes; `blocks`: of all their contents. */
  finish(head: number, { count, blocks }: { readonly count: number; readonly blocks: number }): string[] {
    this.#hash(firstInner, firstOuter, numberBlock, 1);
    this.#makeKeys(count);
    this.#hash(secondInner, secondOuter, message, blocks);
    return this.#results(head, count);
  }

  /** Leaves the states of the digests at `work`. */
  #hash(inner: number, outer: number, block: number, count: number): void {
    const lanes = this.#lanes;
    for (let i = 0; i < count; i++) lanes.compress(i === 0 ? inner : work, work, lanesAt + block + i * blockBytes);
    lanes.digest(work, lanesAt + digestBlock, laneBytes);
    lanes.compress(outer, work, lanesAt + digestBlock);
  }

  /** Of the digests at `work`. */
  #makeKeys(count: number): void {
    const lanes = this.#lanes,
      { words } = lanes;
    lanes.digest(work, lanesAt + innerKey, laneBytes);
    for (let lane = 0; lane < count; lane++) {
      const at = (lanesAt + lane * laneBytes) / 4;
      for (let i = at + innerKey / 4; i < at + innerKey / 4 + stateWords; i++) {
        const word = words[i]!;
        words[i] = word ^ innerWord;
        words[i + blockBytes / 4] = word ^ outerWord;
      }
    }
    lanes.compress(initialStateAt, secondInner, lanesAt + innerKey);
    lanes.compress(initialStateAt, secondOuter, lanesAt + outerKey);
  }

  /** Of the digests at `work`. One text is cut, as each call into native code costs. */
  #results(head: number, count: number): string[] {
    const { bytes } = this.#lanes,
      size = 1 + stateBytes,
      digits = 2 * size;
    this.#lanes.digest(work, results + 1, size);
    for (let lane = 0; lane < count; lane++) bytes[results + lane * size] = head;
    const all = bytes.toString("hex", results, results + count * size);
    const texts: string[] = [];
    for (let lane = 0; lane < count; lane++) texts.push(all.slice(lane * digits, (lane + 1) * digits));
    return texts;
  }

  /** Fills up the blocks of a message behind a key's. */
  #pad(lane: number, block: number, size: number, before: number): void {
    const { bytes } = this.#lanes,
      at = lanesAt + lane * laneBytes + block,
      end = at + Math.ceil((size + paddingBytesMin) / blockBytes) * blockBytes;
    bytes[at + size] = 0x80;
    for (let i = at + size + 1; i < end - 4; i++) bytes[i] = 0;
    bytes.writeUInt32BE((before + size) * 8, end - 4);
  }

  #putKey(lane: number, key: HmacSha256): void {
    if (this.#keys[lane] === key) return;
    const { words } = this.#lanes,
      { states } = key;
    this.#keys[lane] = key;
    for (let i = 0; i < stateWords; i++) {
      words[firstInner / 4 + laneCount * i + lane] = states[i]!;
      words[firstOuter / 4 + laneCount * i + lane] = states[stateWords + i]!;
    }
  }
}
