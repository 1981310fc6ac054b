/**
 * Records of updates in memory, after their checksum. They lie one behind the other in chunks, and where each is takes a
 * few bytes more: a reader goes through hundreds of them and waits for memory more than for anything else.
 */
import { limits } from "../../config.js";
import type { Offset } from "../model/index.js";

const chunkBytes = limits.updateCacheChunkBytes,
  chunksMax = Math.floor(limits.updateCacheBytesMax / chunkBytes);
const segmentOffsets = 64,
  lengthBytes = 4;

/** A record's bytes start at `at`. */
export interface CachedRecord {
  readonly bytes: Buffer;
  readonly at: number;
}

/**
 * The places of 64 neighbouring offsets, counted through all chunks there ever were; 0 = not here, as a length comes before every record.
 */
interface Segment {
  newestChunk: number;
  readonly places: number[];
}

interface Chunk {
  readonly bytes: Buffer;
  readonly segments: Set<number>;
}

/** What was added first goes first, a chunk at a time; what is read shortly before that is added again. */
export class UpdateCache {
  readonly #segments = new Map<number, Segment>();
  #chunks: Chunk[] = [];
  /** The number of the first of `#chunks`. */
  #first = 0;
  #used = chunkBytes;

  find(offset: Offset): CachedRecord | undefined {
    const place = this.#segments.get(Math.floor(offset / segmentOffsets))?.places[offset % segmentOffsets];
    if (!place) return undefined;
    const age = Math.floor(place / chunkBytes) - this.#first;
    if (age < 0) return undefined; // its chunk is gone
    const { bytes } = this.#chunks[age]!,
      at = place % chunkBytes;
    const isLeavingSoon = this.#chunks.length === chunksMax && age < chunksMax / 4;
    return isLeavingSoon ? this.add(offset, bytes.subarray(at, at + bytes.readUInt32LE(at - lengthBytes))) : { bytes, at };
  }

  /** One huge update must not drive out everything else. */
  takes(record: Uint8Array): boolean {
    return record.length <= chunkBytes / 4;
  }

  add(offset: Offset, record: Uint8Array): CachedRecord {
    if (this.#used + lengthBytes + record.length > chunkBytes) this.#addChunk();
    const number = this.#first + this.#chunks.length - 1,
      { bytes, segments } = this.#chunks[this.#chunks.length - 1]!;
    const at = this.#used + lengthBytes;
    bytes.writeUInt32LE(record.length, this.#used);
    bytes.set(record, at);
    this.#used = at + record.length;
    const index = Math.floor(offset / segmentOffsets);
    segments.add(index);
    const segment = this.#segment(index);
    segment.newestChunk = number;
    segment.places[offset % segmentOffsets] = number * chunkBytes + at;
    return { bytes, at };
  }

  /** The memory of a chunk that leaves is not used again: a reader may still be at it. */
  #addChunk(): void {
    if (this.#chunks.length === chunksMax) {
      for (const index of this.#chunks.shift()!.segments)
        if (this.#segments.get(index)?.newestChunk === this.#first) this.#segments.delete(index);
      this.#first++;
    }
    this.#chunks.push({ bytes: Buffer.allocUnsafeSlow(chunkBytes), segments: new Set() });
    this.#used = 0;
  }

  #segment(index: number): Segment {
    let segment = this.#segments.get(index);
    if (!segment) this.#segments.set(index, (segment = { newestChunk: 0, places: new Array<number>(segmentOffsets).fill(0) }));
    return segment;
  }
}
