import { ChunkMemory } from "../base/chunk-memory.js";
import { limits } from "../config.js";
import { bodyRegions, type Region } from "./body-regions.js";

const { bodyBlockBytes: blockBytes } = limits,
  /** For the thread that receives. Nobody but a body that comes in sees them, so that those of clients who leave serve the next. */
  blocks = new ChunkMemory(blockBytes, limits.spareBodyBlocksMax);

/**
 * A body while it comes in. A small one is kept as it is, a longer one in blocks. A large one gets a region of address space, in which it
 * grows: the memory of what was aborted goes back to the system at once, where new memory would stay until V8 collects its garbage, which
 * a node that has nothing to do does not.
 */
export class BodyMemory {
  readonly #bytesMax: number;
  /** As long as it is shorter than a block. */
  #small: Buffer | undefined;
  readonly #blocks: Buffer[] = [];
  #region: Region | undefined;
  #bytes = 0;
  /** Somebody got the bytes of it. */
  #isGiven = false;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Copies what it takes; false if there is no memory for it. */
  append(chunk: Uint8Array): boolean {
    try {
      if (this.#blocks.length === 0 && this.#region === undefined && this.#bytes + chunk.length <= blockBytes) this.#writeSmall(chunk);
      else if (this.#region === undefined && this.#bytes + chunk.length <= limits.bodyInBlocksBytesMax) this.#writeInBlocks(chunk);
      else this.#write((this.#region ??= this.#regionOfAll()), chunk);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** All of it, without a copy of a large one: its bytes are gone once it is freed. */
  whole(): Uint8Array {
    this.#isGiven = true;
    if (this.#region !== undefined) {
      this.#region.resize(this.#bytes); // whoever gets all of it can give it to another thread without a copy
      return new Uint8Array(this.#region);
    }
    if (this.#small !== undefined) return this.#small.subarray(0, this.#bytes);
    const whole = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const part of this.#takeParts()) at += part.copy(whole, at);
    return whole;
  }

  free(): void {
    this.#takeParts();
    const region = this.#region;
    if (region !== undefined && !this.#isGiven) bodyRegions.giveBack(region);
    else if (region !== undefined && region.maxByteLength > 0) region.resize(0); // else another thread has it
    this.#region = undefined;
    this.#bytes = 0;
  }

  /** What came so far, where it is in no region. Its blocks are others' in a later turn. */
  #takeParts(): readonly Buffer[] {
    const small = this.#small,
      used = this.#blocks.splice(0);
    this.#small = undefined;
    for (const block of used) blocks.giveBack(block);
    if (small !== undefined) return [small.subarray(0, this.#bytes)];
    return used.map((block, index) => block.subarray(0, this.#bytes - index * blockBytes));
  }

  #writeSmall(chunk: Uint8Array): void {
    const before = this.#small,
      bytes = this.#bytes + chunk.length;
    if (before === undefined) this.#small = Buffer.from(chunk);
    else {
      this.#small = bytes <= before.length ? before : grown(before, Math.min(blockBytes, 2 * bytes));
      this.#small.set(chunk, this.#bytes);
    }
    this.#bytes = bytes;
  }

  #writeInBlocks(chunk: Uint8Array): void {
    if (this.#small !== undefined) {
      const [small] = this.#takeParts();
      this.#bytes = 0;
      this.#writeInBlocks(small!);
    }
    for (let from = 0; from < chunk.length;) {
      const at = this.#bytes % blockBytes;
      if (at === 0) this.#blocks.push(blocks.take());
      const part = chunk.subarray(from, from + blockBytes - at);
      this.#blocks.at(-1)!.set(part, at);
      this.#bytes += part.length;
      from += part.length;
    }
  }

  #regionOfAll(): Region {
    const region = bodyRegions.take(this.#bytesMax),
      parts = this.#takeParts();
    this.#bytes = 0;
    for (const part of parts) this.#write(region, part);
    return region;
  }

  #write(region: Region, chunk: Uint8Array): void {
    const end = this.#bytes + chunk.length;
    if (end > region.byteLength) region.resize(Math.min(this.#bytesMax, end + limits.bodyGrowthBytes));
    new Uint8Array(region, this.#bytes, chunk.length).set(chunk);
    this.#bytes = end;
  }
}

function grown(before: Buffer, bytes: number): Buffer {
  const after = Buffer.allocUnsafe(bytes);
  before.copy(after);
  return after;
}
