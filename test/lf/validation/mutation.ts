/**
 * Damage to the bytes of a package that often leaves it readable. Nearly every number in an archive is an index into a
 * table, so another number is another name, type or expression.
 */
import type { Random } from "../../support/random.js";

const numberMax = 0x7f; // one byte

/** Where numbers of one byte stand, in whatever can be read as a message inside a message. */
export function numberPositions(bytes: Uint8Array): readonly number[] {
  const positions: number[] = [];
  collect(bytes, 0, bytes.length, positions);
  return positions;
}

/** False, and nothing collected, where the bytes are no message. */
function collect(bytes: Uint8Array, start: number, end: number, positions: number[]): boolean {
  const before = positions.length;
  let at = start;
  while (at < end) {
    const tag = varint(bytes, at, end);
    const field = tag && readField(bytes, tag, end, positions);
    if (field === undefined) {
      positions.length = before;
      return false;
    }
    at = field;
  }
  return true;
}

interface Varint {
  readonly value: number;
  readonly next: number;
}

function varint(bytes: Uint8Array, start: number, end: number): Varint | undefined {
  let value = 0;
  for (let at = start; at < end && at < start + 5; at++) {
    value += (bytes[at]! & 0x7f) * 2 ** (7 * (at - start));
    if (bytes[at]! < 0x80) return { value, next: at + 1 };
  }
  return undefined;
}

/** The end of a field; undefined where there is none. */
function readField(bytes: Uint8Array, tag: Varint, end: number, positions: number[]): number | undefined {
  if (tag.value < 8) return undefined;
  const value = varint(bytes, tag.next, end);
  switch (tag.value % 8) {
    case 0:
      if (value?.next === tag.next + 1) positions.push(tag.next);
      return value?.next;
    case 2: {
      const last = value && value.next + value.value;
      if (last === undefined || last > end) return undefined;
      collect(bytes, value!.next, last, positions);
      return last;
    }
    default:
      return undefined;
  }
}

type Operation = (bytes: Buffer, at: number, random: Random) => void;
const renumber: readonly Operation[] = [
  (bytes, at, random) => {
    bytes[at] = Math.max(0, bytes[at]! - 1 - random.below(4));
  },
  (bytes, at, random) => {
    bytes[at] = Math.min(numberMax, bytes[at]! + 1 + random.below(4));
  },
  (bytes, at, random) => {
    bytes[at] = random.below(numberMax);
  },
];
const disturb: readonly Operation[] = [
  (bytes, at, random) => {
    bytes[at] = bytes[at]! ^ (1 << random.below(8));
  },
  (bytes, at, random) => {
    bytes[at] = bytes[random.below(bytes.length)]!;
  },
];

export function mutate(payload: Uint8Array, numbers: readonly number[], random: Random): Uint8Array {
  const bytes = Buffer.from(payload);
  for (let count = 1 + random.below(2); count > 0; count--) {
    if (random.below(8) === 0) random.one(disturb)(bytes, random.below(bytes.length), random);
    else random.one(renumber)(bytes, random.one(numbers), random);
  }
  return bytes;
}
