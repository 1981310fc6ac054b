/**
 * Records of updates in memory, after their checksum: in chunks, in which heads and texts lie apart. Texts lie one behind the other
 * with commas between, so that neighbours are copied in one piece; where each is takes a few bytes more: a reader goes through hundreds
 * of them and waits for memory more than for anything else.
 */
import { ChunkMemory } from "../../base/chunk-memory.js";
import { comma } from "../../base/json-bytes.js";
import { limits } from "../../config.js";
import type { Offset } from "../model/index.js";
import type { UpdateKind } from "./update-kinds.js";

const chunkBytes = limits.updateCacheChunkBytes,
  chunksMax = Math.floor(limits.updateCacheBytesMax / chunkBytes);
/** Of one that is kept. */
export const recordBytesMax = chunkBytes / 4;
const segmentOffsets = 64,
  /** Before each head: where its text is, and how long the two are. */
  entryBytes = 12;

/** A record's head starts at `head`, its text lies from `text` to `textEnd`. Its bytes may be others in a later turn of the event loop. */
export interface LoggedRecord {
  readonly bytes: Buffer;
  readonly head: number;
  readonly text: number;
  readonly textEnd: number;
  readonly kind: UpdateKind | undefined;
}

/**
 * The places of the entries of 64 neighbouring offsets, counted through all chunks there ever were; 0 = not here, as a chunk begins with
 * texts.
 */
interface Segment {
  newestChunk: number;
  readonly places: number[];
  readonly kinds: (UpdateKind | undefined)[];
}

interface Chunk {
  readonly bytes: Buffer;
  readonly segments: Set<number>;
}

/** What was added first goes first, a chunk at a time; what is read shortly before that is added again. */
export class UpdateCache {
  readonly #segments = new Map<number, Segment>();
  readonly #memory = new ChunkMemory(chunkBytes, limits.spareChunksMax);
  #chunks: Chunk[] = [];
  /** The segment that was looked for last. */
  #lastIndex = -1;
  #last: Segment | undefined;
  /** The number of the first of `#chunks`. */
  #first = 0;
  /** Of the last chunk: texts are in front of the one, heads from the other on. */
  #textsEnd = 0;
  #headsStart = 0;

  find(offset: Offset): LoggedRecord | undefined {
    const segment = this.#segmentAt(Math.floor(offset / segmentOffsets)),
      place = segment?.places[offset % segmentOffsets];
    if (!segment || !place) return undefined;
    const age = Math.floor(place / chunkBytes) - this.#first;
    if (age < 0) return undefined; // its chunk is gone
    const { bytes } = this.#chunks[age]!,
      entry = place % chunkBytes,
      head = entry + entryBytes,
      text = bytes.readUInt32LE(entry),
      textEnd = text + bytes.readUInt32LE(entry + 8),
      kind = segment.kinds[offset % segmentOffsets];
    const isLeavingSoon = this.#chunks.length === chunksMax && age < chunksMax / 4;
    if (!isLeavingSoon) return { bytes, head, text, textEnd, kind };
    const headEnd = head + bytes.readUInt32LE(entry + 4);
    return this.#add(offset, bytes.subarray(head, headEnd), bytes.subarray(text, textEnd), kind);
  }

  /** Most readers go on to the next offset. */
  #segmentAt(index: number): Segment | undefined {
    if (index !== this.#lastIndex) {
      this.#last = this.#segments.get(index);
      this.#lastIndex = index;
    }
    return this.#last;
  }

  /** One huge update must not drive out everything else. */
  takes(record: Uint8Array): boolean {
    return record.length <= recordBytesMax;
  }

  /** `textStart`: in the record. */
  add(offset: Offset, record: Uint8Array, textStart: number, kind: UpdateKind | undefined): LoggedRecord {
    return this.#add(offset, record.subarray(0, textStart), record.subarray(textStart), kind);
  }

  #add(offset: Offset, head: Uint8Array, text: Uint8Array, kind: UpdateKind | undefined): LoggedRecord {
    if (this.#textsEnd + text.length + 1 + entryBytes + head.length > this.#headsStart) this.#addChunk();
    const number = this.#first + this.#chunks.length - 1,
      { bytes, segments } = this.#chunks[this.#chunks.length - 1]!;
    const textAt = this.#textsEnd,
      textEnd = textAt + text.length,
      entry = this.#headsStart - entryBytes - head.length;
    bytes.set(text, textAt);
    bytes[textEnd] = comma;
    this.#textsEnd = textEnd + 1;
    bytes.writeUInt32LE(textAt, entry);
    bytes.writeUInt32LE(head.length, entry + 4);
    bytes.writeUInt32LE(text.length, entry + 8);
    bytes.set(head, entry + entryBytes);
    this.#headsStart = entry;
    const index = Math.floor(offset / segmentOffsets);
    segments.add(index);
    const segment = this.#segment(index);
    segment.newestChunk = number;
    segment.places[offset % segmentOffsets] = number * chunkBytes + entry;
    segment.kinds[offset % segmentOffsets] = kind;
    return { bytes, head: entry + entryBytes, text: textAt, textEnd, kind };
  }

  /** Whether these are bytes of a chunk, which may be others in a later turn. */
  owns(bytes: Buffer): boolean {
    return this.#memory.owns(bytes);
  }

  #addChunk(): void {
    if (this.#chunks.length === chunksMax) {
      const { bytes, segments } = this.#chunks.shift()!;
      for (const index of segments) if (this.#segments.get(index)?.newestChunk === this.#first) this.#segments.delete(index);
      this.#lastIndex = -1;
      this.#first++;
      this.#memory.giveBack(bytes);
    }
    this.#chunks.push({ bytes: this.#memory.take(), segments: new Set() });
    this.#textsEnd = 0;
    this.#headsStart = chunkBytes;
  }

  #segment(index: number): Segment {
    let segment = this.#segments.get(index);
    if (!segment) {
      const places = new Array<number>(segmentOffsets).fill(0),
        kinds = new Array<UpdateKind | undefined>(segmentOffsets).fill(undefined);
      this.#segments.set(index, (segment = { newestChunk: 0, places, kinds }));
      this.#lastIndex = -1;
    }
    return segment;
  }
}
