/**
 * The rounds of SHA-256 (FIPS 180-4, 6.2.2) as WebAssembly, which rotates words in one instruction and keeps all of them in
 * registers: half the time of the same rounds in JavaScript. The module is put together here, every round written out: the
 * working variables change their names instead of moving.
 */

/** What is used of it; the library of types for servers leaves it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: { readonly memory: { readonly buffer: ArrayBuffer }; readonly compress: Rounds["compress"] } };
};

interface Rounds {
  /** One page. */
  readonly memory: ArrayBuffer;
  /** Brings the eight words at `state` on by `blocks` > 0 blocks of 64 bytes at `message`; both are addresses in the memory. */
  readonly compress: (state: number, message: number, blocks: number) => void;
}

export function instantiateRounds(): Rounds {
  const { memory, compress } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes())).exports;
  return { memory: memory.buffer, compress };
}

const roundConstants = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
] as const;

type Code = readonly number[];

const unsigned = (value: number): Code => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]);
const signed = (value: number): Code => (value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]);

// WebAssembly core specification 1.0, 5.4: instructions
const i32 = 0x7f;
const add = 0x6a, and = 0x71, or = 0x72, xor = 0x73, shiftRight = 0x76, rotateRight = 0x78;
const constant = (value: number): Code => [0x41, ...signed(value | 0)];
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const tee = (local: number): Code => [0x22, local];
const load = (offset: number): Code => [0x28, 2, ...unsigned(offset)];
const store = (offset: number): Code => [0x36, 2, ...unsigned(offset)];
const loop = (body: Code): Code => [0x03, 0x40, ...body, 0x0b];
const againIfTrue: Code = [0x0d, 0];
const end = 0x0b;

// Locals: the three parameters, the working variables, the last sixteen words of the schedule, one for the moment.
const state = 0, message = 1, blocks = 2;
const firstVariable = 3, firstWord = 11, temporary = 27, localCount = 25;
const word = (i: number): number => firstWord + (i & 15);

const rotated = (local: number, first: number, second: number): Code =>
  [...get(local), ...constant(first), rotateRight, ...get(local), ...constant(second), rotateRight, xor];
const large = (local: number, first: number, second: number, third: number): Code =>
  [...rotated(local, first, second), ...get(local), ...constant(third), rotateRight, xor];
const small = (local: number, first: number, second: number, shift: number): Code =>
  [...rotated(local, first, second), ...get(local), ...constant(shift), shiftRight, xor];

const eight = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Messages are big-endian, WebAssembly is not. */
const loadWord = (i: number): Code => [
  ...get(message), ...load(4 * i), ...tee(temporary), ...constant(24), rotateRight, ...constant(0x00ff00ff), and,
  ...get(temporary), ...constant(8), rotateRight, ...constant(0xff00ff00), and, or, ...set(word(i)),
];

const nextWord = (i: number): Code =>
  [...get(word(i)), ...get(word(i - 7)), add, ...small(word(i - 15), 7, 18, 3), add, ...small(word(i - 2), 17, 19, 10), add, ...set(word(i))];

/** The variable that is `h` before the round holds what is `a` after it. */
function round(i: number): Code {
  const [a, b, c, d, e, f, g, h] = eight.map((place) => firstVariable + ((place - i) & 7)) as unknown as readonly [number, number, number, number, number, number, number, number];
  return [
    ...get(h), ...large(e, 6, 11, 25), add, ...get(g), ...get(e), ...get(f), ...get(g), xor, and, xor, add,
    ...constant(roundConstants[i]!), add, ...get(word(i)), add, ...tee(temporary), ...get(d), add, ...set(d),
    ...get(temporary), ...large(a, 2, 13, 22), add, ...get(a), ...get(b), and, ...get(c), ...get(a), ...get(b), or, and, or, add, ...set(h),
  ];
}

function compressCode(): Code {
  const block = [
    ...roundConstants.flatMap((_, i) => [...(i < 16 ? loadWord(i) : nextWord(i)), ...round(i)]),
    ...eight.flatMap((i) => [...get(state), ...get(state), ...load(4 * i), ...get(firstVariable + i), add, ...tee(firstVariable + i), ...store(4 * i)]),
    ...get(message), ...constant(64), add, ...set(message),
    ...get(blocks), ...constant(-1), add, ...tee(blocks), ...againIfTrue,
  ];
  return [1, localCount, i32, ...eight.flatMap((i) => [...get(state), ...load(4 * i), ...set(firstVariable + i)]), ...loop(block), end];
}

// WebAssembly core specification 1.0, 5.5: modules
function moduleBytes(): Uint8Array {
  const sized = (content: Code): Code => [...unsigned(content.length), ...content];
  const name = (text: string): Code => sized([...Buffer.from(text)]);
  const typeSection = 1, functionSection = 3, memorySection = 5, exportSection = 7, codeSection = 10;
  return Uint8Array.from([
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    typeSection, ...sized([1, 0x60, 3, i32, i32, i32, 0]),
    functionSection, ...sized([1, 0]),
    memorySection, ...sized([1, 1, 1, 1]),
    exportSection, ...sized([2, ...name("memory"), 2, 0, ...name("compress"), 0, 0]),
    codeSection, ...sized([1, ...sized(compressCode())]),
  ]);
}
