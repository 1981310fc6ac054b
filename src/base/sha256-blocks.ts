/**
 * The compression function of SHA-256 (FIPS 180-4, 6.2.2), one block at a time, as a WebAssembly module that is written here. Node.js
 * hashes much faster once it is at it, but each of its calls costs as much as two of these blocks; and it keeps no state from which
 * several messages could go on.
 *
 * Rounds are written out, the state and the 16 words of the schedule are locals.
 */

/** Memory in which states and blocks lie, by their offsets in bytes; both are multiples of 4. */
export interface Sha256Blocks {
  readonly bytes: Buffer;
  /** States have their eight words in the order of this machine. */
  readonly words: Int32Array;
  /** The state that `block` makes of the one at `from`, put down at `to`. */
  compress(from: number, to: number, block: number): void;
  /** A state as its digest, in place. */
  swap(at: number): void;
}

/** The part of a global that the compiler's libraries for Node.js leave out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Pick<Sha256Blocks, "compress" | "swap"> & { readonly memory: { readonly buffer: ArrayBuffer } } };
};

export const stateBytes = 32, blockBytes = 64;

export function instantiateSha256(): Sha256Blocks {
  const { memory, compress, swap } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(moduleBytes()))).exports;
  return { bytes: Buffer.from(memory.buffer), words: new Int32Array(memory.buffer), compress, swap };
}

/** The first 32 bits of the fractional parts of a root of the first primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32) | 0);
}

export const initialState: readonly number[] = fractions(8, Math.sqrt);
const roundConstants = fractions(64, Math.cbrt);

/** Instructions as bytes. A name ends in its operands' place: they lie on the stack. */
type Code = readonly number[];

const unsigned = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]);
const signed = (value: number): number[] => (value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]);

const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number): Code => [0x21, ...unsigned(local)];
const tee = (local: number): Code => [0x22, ...unsigned(local)];
const constant = (value: number): Code => [0x41, ...signed(value | 0)];
const load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)];
const add: Code = [0x6a], and: Code = [0x71], or: Code = [0x72], xor: Code = [0x73], shiftRight: Code = [0x76], rotateRight: Code = [0x78];

const rotated = (local: number, by: number): Code => [...get(local), ...constant(by), ...rotateRight];
const sigma = (local: number, [first, second, third]: readonly [number, number, number]): Code =>
  [...rotated(local, first), ...rotated(local, second), ...xor, ...rotated(local, third), ...xor];
const smallSigma = (local: number, [first, second, shift]: readonly [number, number, number]): Code =>
  [...rotated(local, first), ...rotated(local, second), ...xor, ...get(local), ...constant(shift), ...shiftRight, ...xor];
/** The word on the stack with its bytes reversed. */
const swapped = (scratch: number): Code =>
  [...tee(scratch), ...constant(8), ...rotateRight, ...constant(0xff00ff00), ...and, ...get(scratch), ...constant(24), ...rotateRight, ...constant(0x00ff00ff), ...and, ...or];

const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function compressCode(): Code {
  const [from, to, block] = [0, 1, 2], state = 3, schedule = state + 8, scratch = schedule + 16;
  const word = (round: number): number => schedule + (round & 15);
  const extended = (round: number): Code => (round < 16 ? [] : [
    ...get(word(round)), ...smallSigma(word(round + 1), [7, 18, 3]), ...add, ...get(word(round + 9)), ...add, ...smallSigma(word(round + 14), [17, 19, 10]), ...add, ...set(word(round)),
  ]);
  const oneRound = (round: number): Code => {
    const [a, b, c, d, e, f, g, h] = indices(8).map((place) => state + ((place - round) & 7)) as [number, number, number, number, number, number, number, number];
    return [
      ...extended(round),
      ...get(word(round)), ...constant(roundConstants[round]!), ...add, ...get(h), ...add,
      ...get(f), ...get(g), ...xor, ...get(e), ...and, ...get(g), ...xor, ...add, ...sigma(e, [6, 11, 25]), ...add, ...tee(scratch),
      ...get(d), ...add, ...set(d),
      ...get(scratch), ...get(a), ...get(b), ...xor, ...get(c), ...and, ...get(a), ...get(b), ...and, ...xor, ...add, ...sigma(a, [2, 13, 22]), ...add, ...set(h),
    ];
  };
  return [
    ...indices(8).flatMap((index) => [...get(from), ...load(4 * index), ...set(state + index)]),
    ...indices(16).flatMap((index) => [...get(block), ...load(4 * index), ...swapped(scratch), ...set(schedule + index)]),
    ...indices(64).flatMap(oneRound),
    ...indices(8).flatMap((index) => [...get(to), ...get(from), ...load(4 * index), ...get(state + index), ...add, ...store(4 * index)]),
  ];
}

function swapCode(): Code {
  const at = 0, scratch = 1;
  return indices(8).flatMap((index) => [...get(at), ...get(at), ...load(4 * index), ...swapped(scratch), ...store(4 * index)]);
}

function moduleBytes(): number[] {
  const int32 = 0x7f, magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  const section = (id: number, items: readonly Code[]): Code => sized([id], [...unsigned(items.length), ...items.flat()]);
  const sized = (head: Code, content: Code): Code => [...head, ...unsigned(content.length), ...content];
  const type = (parameters: number): Code => [0x60, ...unsigned(parameters), ...new Array<number>(parameters).fill(int32), 0];
  const named = (name: string, kind: number, index: number): Code => [...sized([], [...Buffer.from(name)]), kind, index];
  const body = (locals: number, code: Code): Code => sized([], [1, ...unsigned(locals), int32, ...code, 0x0b]);
  return [
    ...magicAndVersion,
    ...section(1, [type(3), type(1)]), ...section(3, [[0], [1]]), ...section(5, [[0, 1]]), // one page of memory
    ...section(7, [named("memory", 2, 0), named("compress", 0, 0), named("swap", 0, 1)]),
    ...section(10, [body(8 + 16 + 1, compressCode()), body(1, swapCode())]),
  ];
}
