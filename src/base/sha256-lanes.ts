/**
 * The compression function of SHA-256 on four blocks at once, one in each lane of WebAssembly's vectors: a block takes a third of the time
 * that `sha256-blocks.ts` needs. For many messages that are all at hand.
 *
 * States lie with the same word of all lanes side by side; blocks and digests are bytes as they come, each lane's in a part of memory of
 * its own, `laneBytes` apart.
 */
import { initialState, roundConstants, sigmasOf } from "./sha256-blocks.js";
import { type Code, constant, get, indices, instantiate, isSupported, moduleOf, set, tee, unsigned, valueType } from "./wasm-code.js";

export const laneCount = 4,
  laneBytes = 8192;
const wordBytes = 4,
  vectorBytes = 16;
export const laneStateBytes = 8 * vectorBytes;

/** Where things lie in memory: what the rounds need, then what the user does with it, then the lanes. */
const constantsAt = 0,
  scheduleAt = constantsAt + 64 * vectorBytes;
export const initialStateAt = scheduleAt + 16 * vectorBytes;
export const freeAt = initialStateAt + laneStateBytes;
export const lanesAt = 4096;

export interface Sha256Lanes {
  readonly bytes: Buffer;
  readonly words: Int32Array;
  /** The states that the lanes' blocks make of those at `from`, put down at `to`. `block`: of the first lane. */
  compress(from: number, to: number, block: number): void;
  /** The digests that the states at `from` are, put down at `to` and each `stride` bytes further. */
  digest(from: number, to: number, stride: number): void;
}

/** Undefined where the machine has no such vectors. */
export function instantiateLanes(): Sha256Lanes | undefined {
  const module = moduleOf([
    { name: "compress", parameters: 3, locals: { count: compressLocals, type: valueType.vector }, code: compressCode() },
    { name: "digest", parameters: 3, locals: { count: 12, type: valueType.vector }, code: digestCode() },
  ]);
  if (!isSupported(module)) return undefined;
  const { memory, compress, digest } = instantiate<
    Pick<Sha256Lanes, "compress" | "digest"> & { readonly memory: { readonly buffer: ArrayBuffer } }
  >(module);
  const words = new Int32Array(memory.buffer);
  roundConstants.forEach((word, index) =>
    words.fill(word, constantsAt / wordBytes + laneCount * index, constantsAt / wordBytes + laneCount * (index + 1)),
  );
  initialState.forEach((word, index) =>
    words.fill(word, initialStateAt / wordBytes + laneCount * index, initialStateAt / wordBytes + laneCount * (index + 1)),
  );
  return { bytes: Buffer.from(memory.buffer), words, compress, digest };
}

const vector = (operation: number, ...operands: number[]): Code => [0xfd, ...unsigned(operation), ...operands];
const load = (offset: number): Code => vector(0, 4, ...unsigned(offset));
const store = (offset: number): Code => vector(11, 4, ...unsigned(offset));
const shuffle = (bytes: readonly number[]): Code => vector(13, ...bytes);
const and = vector(0x4e),
  xor = vector(0x51),
  shiftLeft = vector(0xab),
  shiftRight = vector(0xad),
  add = vector(0xae);

/** Words of two vectors, those of the second from 4 on. */
const words = (...chosen: readonly number[]): number[] =>
  chosen.flatMap((word) => indices(wordBytes).map((byte) => wordBytes * word + byte));
const reversedWords = indices(vectorBytes).map((byte) => byte ^ 3);

/** Four rows of a square, in locals, become its columns. */
function transposed([a, b, c, d]: readonly number[], [w, x, y, z]: readonly number[]): Code {
  const merged = (left: number, right: number, chosen: readonly number[], to: number): Code => [
    ...get(left),
    ...get(right),
    ...shuffle(words(...chosen)),
    ...set(to),
  ];
  const low = [0, 4, 1, 5],
    high = [2, 6, 3, 7],
    firsts = [0, 1, 4, 5],
    lasts = [2, 3, 6, 7];
  return [
    ...merged(a!, b!, low, w!),
    ...merged(c!, d!, low, x!),
    ...merged(a!, b!, high, y!),
    ...merged(c!, d!, high, z!),
    ...merged(w!, x!, firsts, a!),
    ...merged(w!, x!, lasts, b!),
    ...merged(y!, z!, firsts, c!),
    ...merged(y!, z!, lasts, d!),
  ];
}

/** There is no instruction for it. */
const rotated = (local: number, by: number): Code => [
  ...get(local),
  ...constant(by),
  ...shiftRight,
  ...get(local),
  ...constant(32 - by),
  ...shiftLeft,
  ...xor,
];
const { sigma, smallSigma } = sigmasOf({ rotated, xor, shiftRight });

const compressLocals = 8 + 7 + 4;

/** The schedule lies in memory: with its 16 words, the state would not fit the registers. */
function compressCode(): Code {
  const [from, to, block] = [0, 1, 2],
    state = 3,
    rows = state + 8,
    scratch = rows + 7,
    next = rows + 4;
  const [one, other] = [rows + 5, rows + 6]; // "xor" of two neighbours of the state, of this round and the one before
  const put = (round: number, local: number): Code => [...constant(scheduleAt), ...get(local), ...store(vectorBytes * (round & 15))];
  const take = (round: number): Code => [...constant(scheduleAt), ...load(vectorBytes * (round & 15))];
  const columns = (group: number): Code => [
    ...indices(laneCount).flatMap((lane) => [
      ...[1, 2].flatMap(() => [...get(block), ...load(lane * laneBytes + vectorBytes * group)]),
      ...shuffle(reversedWords),
      ...set(rows + lane),
    ]),
    ...transposed(
      indices(4).map((lane) => rows + lane),
      indices(4).map((index) => scratch + index),
    ),
    ...indices(4).flatMap((index) => put(4 * group + index, rows + index)),
  ];
  const word = (round: number): Code =>
    round < 16
      ? [...take(round), ...set(next)]
      : [
          ...take(round + 1),
          ...set(scratch + 1),
          ...take(round + 14),
          ...set(scratch + 2),
          ...take(round),
          ...smallSigma(scratch + 1, [7, 18, 3]),
          ...add,
          ...take(round + 9),
          ...add,
          ...smallSigma(scratch + 2, [17, 19, 10]),
          ...add,
          ...set(next),
          ...put(round, next),
        ];
  const oneRound = (round: number): Code => {
    const [a, b, , d, e, f, g, h] = indices(8).map((place) => state + ((place - round) & 7)) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const [ab, bc] = round % 2 === 0 ? [one, other] : [other, one];
    return [
      ...word(round),
      ...get(next),
      ...constant(constantsAt),
      ...load(vectorBytes * round),
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
      ...tee(ab),
      ...get(bc),
      ...and,
      ...get(b),
      ...xor,
      ...add,
      ...sigma(a, [2, 13, 22]),
      ...add,
      ...set(h),
    ];
  };
  return [
    ...indices(4).flatMap(columns),
    ...indices(8).flatMap((index) => [...get(from), ...load(vectorBytes * index), ...set(state + index)]),
    ...get(state + 1),
    ...get(state + 2),
    ...xor,
    ...set(other),
    ...indices(64).flatMap(oneRound),
    ...indices(8).flatMap((index) => [
      ...get(to),
      ...get(from),
      ...load(vectorBytes * index),
      ...get(state + index),
      ...add,
      ...store(vectorBytes * index),
    ]),
  ];
}

function digestCode(): Code {
  const [from, to, stride] = [0, 1, 2],
    rows = 3,
    scratch = rows + 8,
    addInt32: Code = [0x6a];
  return [
    ...indices(8).flatMap((index) => [
      ...[1, 2].flatMap(() => [...get(from), ...load(vectorBytes * index)]),
      ...shuffle(reversedWords),
      ...set(rows + index),
    ]),
    ...indices(2).flatMap((half) =>
      transposed(
        indices(4).map((index) => rows + 4 * half + index),
        indices(4).map((index) => scratch + index),
      ),
    ),
    ...indices(laneCount).flatMap((lane) => [
      ...indices(2).flatMap((half) => [...get(to), ...get(rows + 4 * half + lane), ...store(vectorBytes * half)]),
      ...get(to),
      ...get(stride),
      ...addInt32,
      ...set(to),
    ]),
  ];
}
