/**
 * The programs of the package `bench` as somebody would write them in JavaScript: doubles without a check, arrays for lists that are
 * walked once, hash tables for maps whose order nobody asks for. What is above their time is the price of Daml's values and of us.
 */
import { createHash } from "node:crypto";

type Program = (size: number) => unknown;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index + 1);

const nfib = (n: number): number => (n < 2 ? 1 : 1 + nfib(n - 1) + nfib(n - 2));
const deepSum = (n: number): number => (n === 0 ? 0 : n + deepSum(n - 1));

interface Cell {
  readonly head: number;
  readonly tail: Cell | undefined;
}
const deepRange = (from: number, to: number): Cell | undefined => (from > to ? undefined : { head: from, tail: deepRange(from + 1, to) });
function deepList(size: number): number {
  let total = 0;
  for (let cell = deepRange(1, size); cell !== undefined; cell = cell.tail) total += cell.head;
  return total;
}

/** The last one first. */
function randoms(count: number, seed: number): number[] {
  const found: number[] = [];
  for (let last = seed; found.length < count;) found.push((last = (Math.imul(last, 1103515245) + 12345) & 0x7fffffff));
  return found.reverse();
}
const checksum = (numbers: readonly number[]): number => numbers.reduce((total, each) => (total * 31 + each) % 1_000_000_007, 7);
const sort = (size: number): number => checksum(randoms(size, 42).sort((left, right) => left - right));

function textJoinSplit(size: number): number {
  let count = 0;
  for (const character of range(size)
    .map((each) => `${each},`)
    .join(""))
    if (character === ",") count += 1;
  return count;
}

/** Ten digits behind the point, ties to the even one. */
const one = 10n ** 10n;
function rounded(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor,
    doubled = 2n * (dividend % divisor);
  return doubled > divisor || (doubled === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}
function numericLoop(size: number): string {
  let x = one;
  for (let turn = 0; turn < size; turn++) x = rounded(rounded(x * 10_000_100_000n, one) * one, 10_000_050_000n) + 1n;
  return `${x / one}.${String(x % one).padStart(10, "0")}`;
}

function mapped<K>(keys: readonly K[], value: (key: K) => number): number {
  const map = new Map<K, number>();
  for (const key of keys) map.set(key, value(key));
  return keys.reduce((total, key) => total + (map.get(key) ?? 0), 0);
}
function mappedRecords(size: number): number {
  const map = new Map<string, number>(),
    nameOf = (b: number): string => `key ${b}`,
    all = randoms(size, 7);
  for (const b of all) map.set(nameOf(b), b % 100);
  return all.reduce((total, b) => total + (map.get(nameOf(b)) ?? 0), 0);
}

interface Big {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: string;
  readonly e: number;
  readonly f: number;
}
function recordUpdate(size: number): Readonly<Record<string, string>> {
  let big: Big = { a: 0, b: 0, c: 0, d: "d", e: 0, f: 0 };
  for (let n = size; n > 0; n--) big = { ...big, a: n, c: big.c + big.a };
  return Object.fromEntries(Object.entries(big).map(([name, value]) => [name, String(value)]));
}

interface Tree {
  readonly left: Tree | undefined;
  readonly x: number;
  readonly right: Tree | undefined;
}
const insert = (x: number, tree: Tree | undefined): Tree => {
  if (tree === undefined) return { left: undefined, x, right: undefined };
  const { left, x: here, right } = tree;
  return x < here ? { left: insert(x, left), x: here, right } : { left, x: here, right: insert(x, right) };
};
const depth = (tree: Tree | undefined): number => (tree === undefined ? 0 : 1 + Math.max(depth(tree.left), depth(tree.right)));

export const byHand: Readonly<Record<string, Program>> = {
  nfib,
  deepSum,
  deepList,
  sortRandom: sort,
  sortDict: sort,
  textJoinSplit,
  numericLoop,
  recordUpdate,
  foldlSum: (size) => sum(range(size)),
  foldrSum: (size) => range(size).reduceRight((total, each) => each + total, 0),
  mapFilterSum: (size) =>
    sum(
      range(size)
        .filter((each) => each % 3 === 0)
        .map((each) => each * each),
    ),
  textAppend: (size) => createHash("sha256").update(range(size).join("")).digest("hex"),
  genMap: (size) => mapped(randoms(size, 7), (key) => key % 100),
  genMapRecord: mappedRecords,
  textMap: (size) => mapped(randoms(size, 7).map(String), () => 3),
  treeInsert: (size) => depth(randoms(size, 3).reduce<Tree | undefined>((tree, x) => insert(x, tree), undefined)),
};
