/**
 * Texts of active contracts as most readers get them, in memory: one behind the other with commas between, in the order in which they
 * were kept, so that neighbours are copied in one piece. A text depends on nothing but the event that made the contract active and the
 * head of its update, which never change; who gets it as it is can be told from its kind.
 */
import { ChunkMemory } from "../../base/chunk-memory.js";
import type { ElementWriter } from "../../base/element-writer.js";
import { comma } from "../../base/json-bytes.js";
import { limits } from "../../config.js";
import type { EventPlace } from "../../store/index.js";
import { placeNumbers } from "../records/index.js";
import { ElementBuffer } from "./element-buffer.js";

const chunkBytes = limits.contractTextsChunkBytes,
  chunksMax = Math.floor(limits.contractTextsBytesMax / chunkBytes);
const { numberOf, hasOwnNumber } = placeNumbers;

/** All of a contract that it depends on whether a reader gets its text. */
export interface ContractKind {
  readonly template: number;
  readonly stakeholders: readonly number[];
}

export class ContractText {
  /** Of the contract whose text lies behind this one. */
  next: ContractText | undefined;

  constructor(
    readonly offset: number,
    readonly nodeId: number,
    readonly kind: ContractKind,
    readonly chunk: Chunk,
    readonly start: number,
    readonly end: number,
  ) {}

  /** They may be others in a later turn of the event loop. */
  get bytes(): Buffer {
    return this.chunk.bytes;
  }
  isOf({ offset, nodeId }: EventPlace): boolean {
    return this.offset === offset && this.nodeId === nodeId;
  }
}

class Chunk {
  readonly texts: ContractText[] = [];
  length = 0;

  /** `number`: counted through all chunks there ever were. */
  constructor(
    readonly number: number,
    readonly bytes: Buffer,
  ) {}
}

/** What was kept first goes first, a chunk at a time; what is read shortly before that is kept again. */
export class ContractTexts {
  readonly #texts = new Map<number, ContractText>();
  readonly #kinds = new Map<string, ContractKind>();
  /** Of all of these. */
  #stakeholders = 0;
  readonly #chunks: Chunk[] = [];
  readonly #memory = new ChunkMemory(chunkBytes, limits.spareChunksMax);
  /** What is to be kept is written here. */
  #out = new ElementBuffer();

  /** `before`: the text that was read before it; most readers go on to the one behind that. */
  find(place: EventPlace, before: ContractText | undefined): ContractText | undefined {
    const next = before?.next;
    if (next?.isOf(place) && !this.#isLeavingSoon(next.chunk)) return next;
    const found = hasOwnNumber(place) ? this.#texts.get(numberOf(place)) : undefined;
    if (found === undefined || !this.#isLeavingSoon(found.chunk)) return found;
    return this.#add(place, found.kind, found.bytes.subarray(found.start, found.end));
  }

  #isLeavingSoon({ number }: Chunk): boolean {
    return this.#chunks.length === chunksMax && number - this.#chunks[0]!.number < chunksMax / 4;
  }

  /** It would drive out too much else. */
  isTooLong(bytes: number): boolean {
    return bytes > chunkBytes / 4;
  }

  /** Undefined where it is too long. */
  keep(place: EventPlace, kind: ContractKind, write: (out: ElementWriter) => void): ContractText | undefined {
    this.#out.clear();
    write(this.#out);
    const text = this.#out.finish();
    if (this.isTooLong(text.length)) {
      this.#out = new ElementBuffer(); // that has grown as large
      return undefined;
    }
    return this.#add(place, this.#shared(kind), text);
  }

  #add(place: EventPlace, kind: ContractKind, text: Uint8Array): ContractText | undefined {
    if (!hasOwnNumber(place)) return undefined;
    const chunk = this.#chunkFor(text.length + 1),
      start = chunk.length,
      end = start + text.length,
      added = new ContractText(place.offset, place.nodeId, kind, chunk, start, end);
    chunk.bytes.set(text, start);
    chunk.bytes[end] = comma;
    chunk.length = end + 1;
    const last = chunk.texts[chunk.texts.length - 1];
    if (last) last.next = added;
    chunk.texts.push(added);
    this.#texts.set(numberOf(place), added);
    return added;
  }

  #chunkFor(bytes: number): Chunk {
    const last = this.#chunks[this.#chunks.length - 1];
    if (last && last.length + bytes <= chunkBytes) return last;
    if (this.#chunks.length === chunksMax) this.#forget(this.#chunks.shift()!);
    const chunk = new Chunk(last ? last.number + 1 : 0, this.#memory.take());
    this.#chunks.push(chunk);
    return chunk;
  }

  #forget({ texts, bytes }: Chunk): void {
    this.#memory.giveBack(bytes);
    for (const text of texts) {
      const number = numberOf(text);
      if (this.#texts.get(number) === text) this.#texts.delete(number);
    }
  }

  /** Equal kinds as one object, by which readers know them again. */
  #shared(kind: ContractKind): ContractKind {
    const key = `${kind.template}/${kind.stakeholders.join()}`,
      known = this.#kinds.get(key);
    if (known) return known;
    const { length } = kind.stakeholders;
    if (this.#kinds.size >= limits.contractKindsKeptMax || this.#stakeholders + length > limits.contractKindPartiesKeptMax) {
      this.#kinds.clear();
      this.#stakeholders = 0;
    }
    this.#kinds.set(key, kind);
    this.#stakeholders += length;
    return kind;
  }
}
