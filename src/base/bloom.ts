/**
 * Tells of most keys that are not in a set that they are not, by a few bits for each that is (a Bloom filter). A key is known by two
 * numbers of 32 bits that differ by chance. Files have such bits: their places must not change.
 */
const bitsPerKey = 10,
  probes = 5,
  numbers = 2 ** 32;

/** For so many keys: one of a hundred that are not there is taken for one that is. */
export const bloomBytes = (keys: number): number => Math.ceil((keys * bitsPerKey) / 8);

export function addToBloom(bits: Uint8Array, first: number, step: number): void {
  for (let probe = 0; probe < probes; probe++) {
    const bit = bitOf(first, step, probe, bits.length * 8);
    bits[bit >>> 3]! |= 1 << (bit & 7);
  }
}

/** False: it was not added. `from`: where the bits begin. */
export function mayBeInBloom(bits: Uint8Array, first: number, step: number, from = 0): boolean {
  const count = (bits.length - from) * 8;
  if (count === 0) return false;
  for (let probe = 0; probe < probes; probe++) {
    const bit = bitOf(first, step, probe, count);
    if ((bits[from + (bit >>> 3)]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

const bitOf = (first: number, step: number, probe: number, count: number): number =>
  Math.floor((((first + probe * (step | 1)) >>> 0) / numbers) * count);
