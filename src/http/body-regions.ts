/** Regions of address space in which large bodies grow; those of clients who left serve the next ones for a moment. */
import { limits } from "../config.js";

/** Part of the language since V8 11.1; the declarations of the compiler's ES2023 do not have it. */
export interface Region extends ArrayBuffer {
  readonly maxByteLength: number;
  resize(bytes: number): void;
}
const Region = ArrayBuffer as unknown as new (bytes: number, options: { readonly maxByteLength: number }) => Region;

export class BodyRegions {
  #spare: Region[] = [];
  #bytes = 0;
  #forgetting: NodeJS.Timeout | undefined;

  /** As large as it is; what is in it does not matter. Throws a `RangeError` where there is no memory for it. */
  take(bytesMax: number): Region {
    const at = this.#spare.findIndex(({ maxByteLength }) => maxByteLength === bytesMax),
      [spare] = at < 0 ? [] : this.#spare.splice(at, 1);
    if (spare === undefined) return new Region(0, { maxByteLength: bytesMax });
    this.#bytes -= spare.byteLength;
    return spare;
  }

  /** Nobody reads in it any more, and nobody ever will. */
  giveBack(region: Region): void {
    if (this.#bytes + region.byteLength > limits.spareBodyRegionsBytesMax) return region.resize(0);
    this.#spare.push(region);
    this.#bytes += region.byteLength;
    this.#forgetting ??= setTimeout(this.#forget, limits.spareBodyRegionsMs).unref();
  }

  /** A node that has nothing to do collects no garbage, and would have the memory for ever. */
  readonly #forget = (): void => {
    for (const region of this.#spare) region.resize(0);
    this.#spare = [];
    this.#bytes = 0;
    this.#forgetting = undefined;
  };
}

/** For the thread that receives. */
export const bodyRegions = new BodyRegions();
