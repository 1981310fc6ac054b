/**
 * The compression function of SHA-256 (FIPS 180-4, 6.2.2), one block at a time, as a WebAssembly module that is written here. Node.js
 * hashes much faster once it is at it, but each of its calls costs as much as two of these blocks; and it keeps no state from which
 * several messages could go on.
 *
 * Rounds are written out, the state and the 16 words of the schedule are locals.
 */
import { type Code, constant, get, indices, instantiate, moduleOf, set, tee, unsigned, valueType } from "./wasm-code.js";

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

export const stateBytes = 32,
  blockBytes = 64;

export function instantiateSha256(): Sha256Blocks {
  const { memory, compress, swap } = instantiate<
    Pick<Sha256Blocks, "compress" | "swap"> & { readonly memory: { readonly buffer: ArrayBuffer } }
  >(moduleBytes());
  return { bytes: Buffer.from(memory.buffer), words: new Int32Array(memory.buffer), compress, swap };
}

/** The first 32 bits of the fractional parts of a root of the first primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32) | 0);
}

export const initialState: readonly number[] = fractions(8, Math.sqrt);
export const roundConstants = fractions(64, Math.cbrt);

/** Those of the state and of the schedule (4.1.2), for words as for vectors of them: by what rotates a local, and two instructions. */
export function sigmasOf({ rotated, xor, shiftRight }: SigmaParts) {
  const ofTwo = (local: number, first: number, second: number): Code => [...rotated(local, first), ...rotated(local, second), ...xor];
  return {
    sigma: (local: number, [first, second, third]: readonly [number, number, number]): Code => [
      ...ofTwo(local, first, second),
      ...rotated(local, third),
      ...xor,
    ],
    smallSigma: (local: number, [first, second, shift]: readonly [number, number, number]): Code => [
      ...ofTwo(local, first, second),
      ...get(local),
      ...constant(shift),
      ...shiftRight,
      ...xor,
    ],
  };
}

interface SigmaParts {
  readonly rotated: (local: number, by: number) => Code;
  readonly xor: Code;
  readonly shiftRight: Code;
}

const load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)];
const add: Code = [0x6a],
  and: Code = [0x71],
  or: Code = [0x72],
  xor: Code = [0x73],
  shiftRight: Code = [0x76],
  rotateRight: Code = [0x78];

const rotated = (local: number, by: number): Code => [...get(local), ...constant(by), ...rotateRight];
const { sigma, smallSigma } = sigmasOf({ rotated, xor, shiftRight });
/** The word on the stack with its bytes reversed. */
const swapped = (scratch: number): Code => [
  ...tee(scratch),
  ...constant(8),
  ...rotateRight,
  ...constant(0xff00ff00),
  ...and,
  ...get(scratch),
  ...constant(24),
  ...rotateRight,
  ...constant(0x00ff00ff),
  ...and,
  ...or,
];

function compressCode(): Code {
  const [from, to, block] = [0, 1, 2],
    state = 3,
    schedule = state + 8,
    scratch = schedule + 16;
  const word = (round: number): number => schedule + (round & 15);
  const extended = (round: number): Code =>
    round < 16
      ? []
      : [
          ...get(word(round)),
          ...smallSigma(word(round + 1), [7, 18, 3]),
          ...add,
          ...get(word(round + 9)),
          ...add,
          ...smallSigma(word(round + 14), [17, 19, 10]),
          ...add,
          ...set(word(round)),
        ];
  const oneRound = (round: number): Code => {
    const [a, b, c, d, e, f, g, h] = indices(8).map((place) => state + ((place - round) & 7)) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return [
      ...extended(round),
      ...get(word(round)),
      ...constant(roundConstants[round]!),
      ...add,
      ...get(h),
      ...add,
      ...get(f),
      ...get(g),
      ...xor,
      ...get(e),
      ...and,
      ...get(g),
      ...xor,
      ...add,
      ...sigma(e, [6, 11, 25]),
      ...add,
      ...tee(scratch),
      ...get(d),
      ...add,
      ...set(d),
      ...get(scratch),
      ...get(a),
      ...get(b),
      ...xor,
      ...get(c),
      ...and,
      ...get(a),
      ...get(b),
      ...and,
      ...xor,
      ...add,
      ...sigma(a, [2, 13, 22]),
      ...add,
      ...set(h),
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
  const at = 0,
    scratch = 1;
  return indices(8).flatMap((index) => [...get(at), ...get(at), ...load(4 * index), ...swapped(scratch), ...store(4 * index)]);
}

const moduleBytes = (): number[] =>
  moduleOf([
    { name: "compress", parameters: 3, locals: { count: 8 + 16 + 1, type: valueType.int32 }, code: compressCode() },
    { name: "swap", parameters: 1, locals: { count: 1, type: valueType.int32 }, code: swapCode() },
  ]);
