import { limits } from "../config.js";

/** Part of the language since V8 11.1; the declarations of the compiler's ES2023 do not have it. */
interface Region extends ArrayBuffer {
  resize(bytes: number): void;
}
const Region = ArrayBuffer as unknown as new (bytes: number, options: { readonly maxByteLength: number }) => Region;

/**
 * A body while it comes in. A small one is kept in the pieces in which it came. A large one gets a region of address space, in which
 * it grows: the memory of what was aborted goes back to the system at once, where pieces would stay until V8 collects its
 * garbage, which a node that has nothing to do does not.
 */
export class BodyMemory {
  readonly #bytesMax: number;
  readonly #pieces: Uint8Array[] = [];
  #region: Region | undefined;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Copies what it takes; false if there is no memory for it. */
  append(chunk: Uint8Array): boolean {
    if (this.#region === undefined && this.#bytes + chunk.length <= limits.bodyInPiecesBytesMax) {
      this.#pieces.push(Buffer.from(chunk));
      this.#bytes += chunk.length;
      return true;
    }
    try {
      this.#region ??= this.#regionOfPieces();
      this.#write(this.#region, chunk);
      return true;
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** All of it, without a copy of a large one: its bytes are gone once it is freed. */
  whole(): Uint8Array {
    return this.#region === undefined ? joined(this.#pieces, this.#bytes) : new Uint8Array(this.#region, 0, this.#bytes);
  }

  free(): void {
    this.#pieces.length = 0;
    this.#region?.resize(0);
    this.#region = undefined;
    this.#bytes = 0;
  }

  #regionOfPieces(): Region {
    const region = new Region(0, { maxByteLength: this.#bytesMax });
    const pieces = this.#pieces.splice(0);
    this.#bytes = 0;
    for (const piece of pieces) this.#write(region, piece);
    return region;
  }

  #write(region: Region, chunk: Uint8Array): void {
    const end = this.#bytes + chunk.length;
    if (end > region.byteLength) region.resize(Math.min(this.#bytesMax, end + limits.bodyGrowthBytes));
    new Uint8Array(region, this.#bytes, chunk.length).set(chunk);
    this.#bytes = end;
  }
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
