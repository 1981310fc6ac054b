/** Tells of most keys that are not in a piece of a run that they are not, in a few bits for each that is (a Bloom filter). */
import { type RecordWriter, sealBytes } from "../../store/index.js";

export const filterVersion = 1;

/** One of a hundred keys that are not there is looked for in vain. */
const bitsPerKey = 10,
  probes = 5,
  numbers = 2 ** 32;

/** `hashes`: two numbers of each key. */
export function encodeFilter(writer: RecordWriter, hashes: readonly number[]): Buffer {
  const bits = Buffer.alloc(Math.ceil(((hashes.length / 2) * bitsPerKey) / 8)),
    count = bits.length * 8;
  for (let index = 0; index < hashes.length; index += 2)
    for (let probe = 0; probe < probes; probe++) {
      const bit = bitOf(hashes[index]!, hashes[index + 1]!, probe, count);
      bits[bit >>> 3]! |= 1 << (bit & 7);
    }
  return writer.reset().raw(bits).finish(filterVersion);
}

/** `record`: as it was encoded. */
export function mayHave(record: Buffer, first: number, step: number): boolean {
  const count = (record.length - sealBytes) * 8;
  if (count === 0) return false;
  for (let probe = 0; probe < probes; probe++) {
    const bit = bitOf(first, step, probe, count);
    if ((record[sealBytes + (bit >>> 3)]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

const bitOf = (first: number, step: number, probe: number, count: number): number =>
  Math.floor((((first + probe * (step | 1)) >>> 0) / numbers) * count);
