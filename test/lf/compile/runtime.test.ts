import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { Decimal } from "decimal.js";
import { compare, comparisonFunctions, equal } from "../../../src/lf/runtime/compare.js";
import { FatalError } from "../../../src/lf/errors.js";
import { Meter } from "../../../src/lf/runtime/budget.js";
import { secp256k1Bool, secp256k1ValidateKey, secp256k1WithEcdsaBool } from "../../../src/lf/runtime/crypto.js";
import { DamlException } from "../../../src/lf/runtime/machine.js";
import { addInt64, divInt64, expInt64, modInt64, mulInt64, subInt64, textToInt64 } from "../../../src/lf/runtime/int64.js";
import { arrayFromList, listFromArray } from "../../../src/lf/runtime/list.js";
import { emptyMap, type OrderedMap } from "../../../src/lf/runtime/map.js";
import { mapOperations } from "../../../src/lf/runtime/map-operations.js";
import { tableFor } from "../../../src/lf/runtime/map-table.js";
import { divNumeric, mulNumeric, roundNumeric } from "../../../src/lf/runtime/numeric.js";
import { clearQuotient, multiplyThenDivide, safePowers } from "../../../src/lf/runtime/numeric-doubles.js";
import { numericToText, textToNumeric } from "../../../src/lf/runtime/numeric-text.js";
import { hexToText, textFunctions } from "../../../src/lf/runtime/text.js";
import { compareText } from "../../../src/lf/value/index.js";
import { type Int64, int64Of } from "../../../src/lf/value/int64.js";
import { ContractId, EnumValue, none, Numeric, Some, type Value } from "../../../src/lf/value/value.js";
import { limits } from "../../../src/config.js";
import { count } from "../../support/knobs.js";
import { drawFrom } from "../../support/random.js";

const seed = count("LEDGERLINE_SEED") ?? 20_240_607;

const byText = (a: number, b: number): number => (String(a) < String(b) ? -1 : 1);

const outcome = (action: () => Numeric): string => {
  try {
    return numericToText(action());
  } catch (error) {
    if (error instanceof DamlException) return "arithmetic error";
    throw error;
  }
};

test(`numeric: multiplication, division and rounding agree with an independent decimal library (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const Exact = Decimal.clone({ precision: 200, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -100, toExpPos: 100 });
  const digits = (): bigint => BigInt(Array.from({ length: 1 + random(38) }, () => random(10)).join("")) * (random(2) === 0 ? 1n : -1n);
  const value = (): Numeric => new Numeric(digits(), random(38));
  const exact = ({ unscaled, scale }: Numeric) => new Exact(unscaled.toString()).div(new Exact(10).pow(scale));
  const expected = (result: Decimal, scale: number): string => {
    const rounded = result.toDecimalPlaces(scale);
    if (rounded.abs().gte(new Exact(10).pow(38 - scale))) return "arithmetic error";
    const text = rounded.isZero() ? "0" : rounded.toFixed();
    return text.includes(".") ? text : `${text}.0`;
  };
  for (let turn = 0; turn < 5_000; turn += 1) {
    const [x, y] = [value(), value()];
    const witness = new Numeric(0n, random(38));
    assert.equal(
      outcome(() => mulNumeric(witness, x, y)),
      expected(exact(x).mul(exact(y)), witness.scale),
    );
    assert.equal(
      outcome(() => divNumeric(witness, x, y)),
      y.unscaled === 0n ? "arithmetic error" : expected(exact(x).div(exact(y)), witness.scale),
    );
    const places = x.scale - random(38);
    const unit = new Exact(10).pow(-places);
    assert.equal(
      outcome(() => roundNumeric(places, x)),
      expected(exact(x).div(unit).toDecimalPlaces(0).mul(unit), x.scale),
    );
  }
});

test(`numeric: what is computed in doubles is what big integers give, ties and edges included (seed ${seed})`, () => {
  const random = drawFrom(seed + 1);
  const integer = (): number => {
    const size = 1 + random(53),
      magnitude = Math.floor(2 ** size * ((random(1 << 22) + random(1 << 22) / 2 ** 22) / 2 ** 22));
    return random(2) === 0 ? magnitude : -magnitude;
  };
  const halfEven = (dividend: bigint, divisor: bigint): bigint => {
    const floor = dividend / divisor - (dividend % divisor < 0n ? 1n : 0n),
      twice = 2n * (dividend - floor * divisor);
    return twice > divisor || (twice === divisor && floor % 2n !== 0n) ? floor + 1n : floor;
  };
  let within = 0,
    clear = 0;
  const check = (a: number, b: number, divisor: number): void => {
    const exact = Number(halfEven(BigInt(a) * BigInt(b), BigInt(divisor))),
      quick = clearQuotient(-a * b, -divisor);
    assert.ok(Number.isNaN(quick) || Object.is(quick, exact), `${-a} * ${b} / ${-divisor} is told to be ${quick}`);
    if (!Number.isNaN(quick)) clear += 1;
    const quotient = multiplyThenDivide(a, b, divisor);
    if (quotient === undefined) return;
    within += 1;
    assert.ok(Object.is(quotient, exact), `${a} * ${b} / ${divisor} gives ${quotient}`);
  };
  for (let turn = 0; turn < 100_000; turn += 1) {
    const a = integer(),
      b = integer(),
      power = safePowers[random(safePowers.length)]!;
    check(a, b, power);
    check(a, power, Math.abs(b) + 1);
    const half = 2 * (1 + random(1 << 20)); // an odd multiple of its half is a tie
    check(2 * Math.trunc(a / 4) + 1, half / 2, half);
    check(a, half + 1, half);
  }
  assert.ok(within > 100_000, `${within} of them are within reach`);
  assert.ok(clear > 50_000, `${clear} of them are clear`);
});

test("numeric: hostile texts are refused quickly and exactly", () => {
  const witness = new Numeric(0n, 10);
  assert.deepEqual(
    textToNumeric(witness, `${"0".repeat(1_000_000)}1.5${"0".repeat(1_000_000)}`),
    new Some(new Numeric(15_000_000_000n, 10)),
  );
  for (const text of [
    "",
    ".",
    "1.",
    ".1",
    "+",
    "1e3",
    "1.00000000001",
    "--1",
    " 1",
    "9".repeat(29),
    "1".repeat(1_000_000),
    `0.${"0".repeat(1_000_000)}1`,
  ])
    assert.equal(textToNumeric(witness, text), none, text.slice(0, 20));
});

test(`int64: arithmetic agrees with big integers, and every result has its one form (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const edges = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 62n, 2n ** 63n];
  const value = (): bigint => {
    const near = edges[random(edges.length)]! + BigInt(random(7) - 3),
      wide = BigInt(random(1 << 22)) << BigInt(random(42));
    const magnitude = [near, wide, BigInt(random(100))][random(3)]!;
    return BigInt.asIntN(64, random(2) === 0 ? magnitude : -magnitude);
  };
  const operations: readonly (readonly [string, (a: Int64, b: Int64) => Int64, (a: bigint, b: bigint) => bigint])[] = [
    ["ADD_INT64", addInt64, (a, b) => a + b],
    ["SUB_INT64", subInt64, (a, b) => a - b],
    ["MUL_INT64", mulInt64, (a, b) => a * b],
    ["DIV_INT64", divInt64, (a, b) => a / b],
    ["MOD_INT64", modInt64, (a, b) => a % b],
    [
      "EXP_INT64",
      expInt64,
      (a, b) =>
        b > 200n && a > 1n
          ? 2n ** 64n
          : b < 0n
            ? 2n ** 64n
            : b > 200n && a < -1n
              ? 2n ** 64n
              : b > 200n
                ? a === 0n || a === 1n
                  ? a
                  : b % 2n === 0n
                    ? 1n
                    : -1n
                : a ** b,
    ],
  ];
  const answer = (operation: () => Int64): Int64 | string => {
    try {
      return operation();
    } catch (error) {
      return ((error as DamlException).exception.value as readonly [string])[0];
    }
  };
  for (let turn = 0; turn < 30_000; turn += 1) {
    const [a, b] = [value(), value()];
    const [name, own, exact] = operations[random(operations.length)]!;
    const fails = (name === "DIV_INT64" || name === "MOD_INT64") && b === 0n;
    const result = fails ? 2n ** 64n : exact(a, b);
    const expected = BigInt.asIntN(64, result) === result ? int64Of(result) : `ArithmeticError while evaluating (${name} ${a} ${b}).`;
    const actual = answer(() => own(int64Of(a), int64Of(b)));
    assert.ok(Object.is(actual, expected), `${name} ${a} ${b} gives ${actual}, not ${expected}`);
  }
});

test("int64: powers and texts at the edges", () => {
  assert.equal(expInt64(2, 62), 2n ** 62n);
  assert.equal(expInt64(-2, 63), -(2n ** 63n));
  assert.equal(expInt64(-1, 2n ** 62n + 1n), -1);
  assert.throws(() => expInt64(2, 63), DamlException);
  assert.throws(() => expInt64(3, 2n ** 62n), DamlException);
  assert.deepEqual(textToInt64(`-${"0".repeat(1_000_000)}9223372036854775808`), new Some(-(2n ** 63n)));
  assert.deepEqual(textToInt64("-0"), new Some(0));
  for (const text of ["9223372036854775808", "", "+", "1_0", "1 ", "9".repeat(1_000_000)]) assert.equal(textToInt64(text), none);
});

test(`text: order is by code point (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const alphabet = ["a", "b", "\u00e9", "\ud7ff", "\ue000", "\uffff", "\ud800", "\udc00", "\u{10000}", "\u{10ffff}"];
  const make = (): string => Array.from({ length: random(5) }, () => alphabet[random(alphabet.length)]!).join("");
  const byCodePoints = (a: string, b: string): number => {
    const [left, right] = [[...a], [...b]];
    for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
      const order = left[index]!.codePointAt(0)! - right[index]!.codePointAt(0)!;
      if (order !== 0) return order;
    }
    return left.length - right.length;
  };
  for (let turn = 0; turn < 50_000; turn += 1) {
    const [a, b] = [make(), make()];
    assert.equal(Math.sign(compareText(a, b)), Math.sign(byCodePoints(a, b)), JSON.stringify([a, b]));
  }
});

const maps = mapOperations(compare);

/** Sizes are right, keys ascend, and no side outweighs the other. */
const checkTree = (map: OrderedMap): void => {
  const walk = (node: OrderedMap["root"]): number => {
    if (node === undefined) return 0;
    const [left, right] = [walk(node.left), walk(node.right)];
    assert.equal(node.size, left + right + 1);
    assert.ok(left + right <= 1 || (left <= 3 * right && right <= 3 * left), `weights ${left} and ${right}`);
    return node.size;
  };
  walk(map.root);
};

test(`map: insertions and deletions agree with a plain map, and old versions stay as they were (seed ${seed})`, () => {
  const random = drawFrom(seed);
  let map = emptyMap;
  const plain = new Map<bigint, number>();
  let snapshot = emptyMap;
  let snapshotEntries: readonly unknown[] = [];
  for (let turn = 0; turn < 20_000; turn += 1) {
    const key = BigInt(random(500));
    if (random(3) > 0) {
      map = maps.insert(key, turn, map);
      plain.set(key, turn);
    } else {
      map = maps.remove(key, map);
      plain.delete(key);
    }
    assert.equal(maps.lookup(key, map), plain.get(key));
    if (turn % 1000 !== 0) continue;
    checkTree(map);
    const sorted = [...plain].sort(([a], [b]) => compare(a, b));
    assert.deepEqual([...map.entries()], sorted);
    assert.deepEqual([map.keys(), map.values()], [sorted.map(([each]) => each), sorted.map(([, each]) => each)]);
    assert.deepEqual([...snapshot.entries()], snapshotEntries);
    [snapshot, snapshotEntries] = [map, sorted];
  }
  const once = maps.fromEntries([
    [1n, 1n],
    [1n, 2n],
  ]);
  assert.deepEqual([...once.entries()], [[1n, 2n]]);
});

test(`map: one that grows by one entry after another can be gone on with from any of its states (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const keys: readonly (() => Value)[] = [
    () => random(300) - 150,
    () => String(random(300)),
    () => (random(50) === 0 ? BigInt(random(9)) + 2n ** 60n : random(300)),
    () => (random(2) === 0 ? 2 ** 52 + random(9) : random(300)),
    () => (random(2) === 0 ? 2 ** 31 + random(9) - 5 : -(2 ** 31) + random(9) - 5),
  ];
  for (const key of keys) {
    for (let turn = 0; turn < 40; turn += 1) {
      const states: { readonly map: OrderedMap; readonly plain: ReadonlyMap<Value, Value> }[] = [{ map: emptyMap, plain: new Map() }];
      const branching = random(40) + 2;
      for (let step = 0; step < 200; step += 1) {
        const from = random(branching) === 0 ? states[random(states.length)]! : states[states.length - 1]!;
        const each = key(),
          plain = new Map(from.plain);
        if (random(5) === 0) plain.delete(each);
        else plain.set(each, step);
        states.push({ map: plain.has(each) ? maps.insert(each, step, from.map) : maps.remove(each, from.map), plain });
        if (random(branching) !== 0) continue;
        const seen = states[random(states.length)]!,
          sought = key();
        assert.equal(maps.lookup(sought, seen.map), seen.plain.get(sought));
        assert.equal(seen.map.size, seen.plain.size);
      }
      for (const { map, plain } of states) {
        assert.deepEqual(
          [...map.entries()],
          [...plain].sort(([a], [b]) => compare(a, b)),
        );
        checkTree(map);
      }
    }
  }
});

test(`map: keys that are records find their entries and come in their order, from any state (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const text = (): string => ["", "a", "b", "a\u{10000}", "x".repeat(300)][random(5)]!;
  const keys: readonly (() => readonly Value[])[] = [
    () => [text(), random(30)],
    () => [random(2) === 0, new EnumValue(random(3), "E"), random(20) - 10],
    () => [[random(4), [text()]], 2 ** 31 * (random(5) - 2) + random(3)],
    () => [random(20) === 0 ? 2n ** 60n : random(200)],
    () => [[[[[[random(100)]]]]]],
    () => [],
  ];
  for (const key of keys) {
    for (let turn = 0; turn < 20; turn += 1) {
      const plain = new Map<string, readonly [Value, Value]>();
      const shown = (each: Value): string => JSON.stringify(each, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
      let map = emptyMap;
      for (let step = 0; step < 300; step += 1) {
        const each = key(),
          before = map;
        if (random(5) === 0) {
          map = maps.remove(each, map);
          plain.delete(shown(each));
        } else {
          map = maps.insert(each, step, map);
          plain.set(shown(each), [each, step]);
        }
        const sought = key();
        assert.equal(maps.lookup(sought, map), plain.get(shown(sought))?.[1]);
        assert.equal(map.size, plain.size);
        if (random(100) === 0)
          assert.equal(maps.insert(each, -1, before).size, before.size + (maps.lookup(each, before) === undefined ? 1 : 0));
      }
      const found = new Map([...map.entries()].map(([each, value]) => [shown(each), [each, value] as const]));
      assert.deepEqual(found, new Map([...plain].sort(([, [a]], [, [b]]) => compare(a, b))));
      assert.deepEqual(
        [...found.keys()],
        [...plain.entries()].sort(([, [a]], [, [b]]) => compare(a, b)).map(([name]) => name),
      );
      checkTree(map);
    }
  }
});

test(`map: a run that ends anywhere within a change of a map leaves the map as it was (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const flag = new EnumValue(0, "E"),
    deep = (depth: number, inner: Value): Value => (depth === 0 ? inner : [deep(depth - 1, inner)]);
  /** Enough fields and levels for a comparison to be paid for: not by recursion alone, and one step for each field. */
  const keys: readonly ((key: number) => Value)[] = [
    (key) => [key, ...Array.from({ length: 6 }, () => flag)],
    (key) => [[[[[flag, flag, key]]]]],
    (key) => deep(9, [key, flag]),
    (key) => `${key}`,
    (key) => key,
  ];
  const meter = new Meter({ steps: Infinity, allocation: Infinity }, limits),
    metered = comparisonFunctions(meter),
    ofTexts: typeof metered.compare = (a, b) => (meter.work(1), compareText(a as string, b as string)),
    isEnded = (error: unknown): boolean => error instanceof FatalError && error.error.class === "LimitExceeded";
  let ended = 0;
  for (const key of keys) {
    const { insert, lookup, remove } = mapOperations(typeof key(0) === "string" ? ofTexts : metered.compare);
    for (let turn = 0; turn < 12; turn += 1) {
      const size = [3, 40, 40, 100][random(4)]!,
        states = [emptyMap];
      for (let next = 0; next < size; next += 1) states.push(insert(key(next), next, states[next]!));
      if (random(3) === 0) states[size]!.root; // not as a table any more
      const constant = states[random(4) === 0 ? random(size) + 1 : size]!,
        entries = [...Array(constant.size).keys()],
        changed = random(constant.size + 1);
      const changes = [
        () => insert(key(changed), -1, constant),
        () => remove(key(changed), constant),
        () => lookup(key(changed), constant),
      ];
      const change = changes[random(changes.length)]!;
      for (let steps = 0; ; steps += 1) {
        meter.budget.steps = steps;
        try {
          change();
          break;
        } catch (error) {
          assert.ok(isEnded(error), String(error));
          ended += 1;
        } finally {
          meter.budget.steps = Infinity;
        }
        for (const each of [changed, random(constant.size)]) assert.equal(lookup(key(each), constant), entries[each]);
        assert.equal(constant.size, entries.length);
      }
      assert.deepEqual(constant.values(), typeof key(0) === "string" ? [...entries].sort(byText) : entries);
      assert.equal(states[size]!.size, size);
    }
  }
  assert.ok(ended > 100, `${ended} runs ended within a change`);
});

test("map: records with one hash stand beside each other", () => {
  const table = tableFor([0], compare);
  for (let key = 0; key < 5; key += 1) assert.equal(table.put([key], 7, key), undefined);
  assert.equal(table.put([2], 7, 20), 2);
  for (const key of [4, 0, 2]) assert.equal(table.put([key], 7, undefined), key === 2 ? 20 : key);
  assert.equal(table.put([9], 7, undefined), undefined);
  assert.deepEqual([table.size, table.get([1], 7), table.get([3], 7), table.get([2], 7)], [2, 1, 3, undefined]);
  assert.deepEqual(
    table.entries().sort(([a], [b]) => compare(a, b)),
    [
      [[1], 1],
      [[3], 3],
    ],
  );
});

test("map: one whose keys are records has a table once it grew in a row", () => {
  let map = emptyMap;
  for (let key = 0; key < 100; key += 1) map = maps.insert(["party", key], key, map);
  assert.ok(map.table !== undefined);
});

test("map: who goes on with each state of a map has no table made for any: that would copy all of it each time", () => {
  const states = [emptyMap];
  for (let key = 0; key < 1_000; key += 1) states.push(maps.insert(key, key, states[key]!));
  assert.ok(states[1_000]!.table !== undefined, "a map that grew in a row has one");
  const further = states.map((state) => maps.insert(-2, 0, state));
  assert.deepEqual(
    further.filter(({ table }) => table !== undefined),
    [],
  );
  assert.deepEqual(
    further.map((map) => maps.insert(-1, 0, map)).filter(({ table }) => table !== undefined),
    [],
  );
  assert.ok(further.every(({ size }, index) => size === index + 1));
  assert.ok(states.every(({ size }, index) => size === index));
});

test(`map: keys come in their order, whatever a search compares first (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const units = [0, 1, 0x61, 0x62, 0x7e, 0x7f, 0x80, 0xe9, 0xd83d, 0xde00, 0xe000, 0xffff];
  const int = (): Int64 =>
    int64Of(BigInt.asIntN(64, [1n, 2n ** 31n, 2n ** 53n, 2n ** 62n][random(4)]! * BigInt(random(3) - 1) + BigInt(random(5) - 2)));
  const keys: readonly (() => Value)[] = [
    () => String.fromCharCode(...Array.from({ length: random(7) }, () => units[random(units.length)]!)),
    int,
    () => random(2) === 0,
    () => (random(4) === 0 ? none : new Some(int())),
  ];
  for (const key of keys) {
    const entries = Array.from({ length: 400 }, (_, index) => [key(), index] as const);
    const map = maps.fromEntries(entries);
    const found = map.keys();
    assert.ok(found.every((each, index) => index === 0 || compare(found[index - 1]!, each) < 0));
    for (const [each] of entries) assert.equal(maps.lookup(each, map), entries.findLast(([other]) => equal(other, each))![1]);
  }
});

test(`Int64: where doubles give way to big integers, results and their form are exact (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const edges = [0n, 2n ** 31n, 2n ** 52n, 2n ** 53n, 2n ** 62n, 2n ** 63n];
  const make = (): bigint => BigInt.asIntN(64, (random(2) === 0 ? 1n : -1n) * edges[random(edges.length)]! + BigInt(random(9_000) - 4_500));
  const operations: readonly (readonly [(a: Int64, b: Int64) => Int64, (a: bigint, b: bigint) => bigint])[] = [
    [addInt64, (a, b) => a + b],
    [subInt64, (a, b) => a - b],
    [mulInt64, (a, b) => a * b],
    [divInt64, (a, b) => a / b],
    [modInt64, (a, b) => a % b],
  ];
  for (let turn = 0; turn < 40_000; turn += 1) {
    const a = make();
    const b = random(3) === 0 ? BigInt.asIntN(64, make() - a) : make();
    if (b === 0n) continue;
    for (const [ours, exact] of operations) {
      const expected = exact(a, b);
      if (BigInt.asIntN(64, expected) !== expected) assert.throws(() => ours(int64Of(a), int64Of(b)), DamlException);
      else assert.ok(Object.is(ours(int64Of(a), int64Of(b)), int64Of(expected)), `${ours.name} ${a} ${b}`);
    }
  }
});

test("comparison: values nest deeper than the stack allows", () => {
  const nest = (depth: number, inner: Value): Value => {
    let value = inner;
    for (let index = 0; index < depth; index += 1) value = new Some(value);
    return value;
  };
  assert.equal(equal(nest(200_000, 1n), nest(200_000, 1n)), true);
  assert.ok(compare(nest(200_000, 1n), nest(200_000, 2n)) < 0);
  const long = Array.from({ length: 200_000 }, (_, index) => BigInt(index));
  assert.equal(equal(listFromArray(long), listFromArray(long)), true);
});

test("comparison: contract ids that differ only by a missing suffix have no order", () => {
  const local = `00${"11".repeat(32)}`;
  const suffixed = new ContractId(`${local}ca12`);
  assert.throws(() => compare(new ContractId(local), suffixed), /ca12/);
  assert.ok(compare(new ContractId(`${local}ca11`), suffixed) < 0);
  assert.ok(compare(new ContractId(`00${"10".repeat(32)}`), suffixed) < 0);
});

test("contract ids of version 2: two suffixes of one local part are compared only where both are absolute", () => {
  const local = `01${"11".repeat(12)}`;
  const id = (suffix: string): ContractId => new ContractId(`${local}${suffix}`);
  assert.ok(compare(id("80"), id("ca")) < 0);
  assert.equal(compare(id("01"), id("01")), 0);
  for (const [a, b] of [
    ["00", "01"],
    ["00", "ca"],
    ["ca", "7f"],
    ["", "ca"],
    ["ca", ""],
  ] as const)
    assert.throws(() => compare(id(a), id(b)), { message: new RegExp(`${a === "" ? b : a} cannot be compared`) }, `${a} and ${b}`);
  assert.ok(compare(id("00"), new ContractId(`01${"22".repeat(12)}ca`)) < 0);
});

test("texts: bytes that are no UTF-8 become as many replacement characters as on the JVM", () => {
  const codePoints = (hex: string): string => [...hexToText(hex)].map((character) => character.codePointAt(0)!.toString(16)).join(" ");
  for (const [hex, expected] of [
    ["eda080", "fffd"],
    ["eda0", "fffd"],
    ["eda041", "fffd 41"],
    ["edb0c3a9", "fffd e9"],
    ["eda0eda0", "fffd fffd"],
    ["ed9fbf", "d7ff"],
    ["ede0", "fffd fffd"],
    ["f4908080", "fffd fffd fffd fffd"],
    ["f0908041", "fffd 41"],
  ] as const)
    assert.equal(codePoints(hex), expected, hex);
});

test("texts: whatever follows a high surrogate is exploded with it", () => {
  const meter = new Meter({ steps: 1_000, allocation: 1_000 }, limits);
  const explode = (text: string): readonly Value[] => arrayFromList(textFunctions(meter).explodeText(text));
  assert.deepEqual(explode("a\ud83d\ude00b"), ["a", "\ud83d\ude00", "b"]);
  assert.deepEqual(explode("\ud800x\udc00"), ["\ud800x", "\udc00"]);
  assert.deepEqual(explode("\ud800\ud800\udc00"), ["\ud800\ud800", "\udc00"]);
  assert.throws(() => explode("x\ud800"), /lone high surrogate/);
});

test("signatures: of two texts that are no hex, the message is told before the signature where it is hashed", () => {
  const told = (verify: typeof secp256k1Bool): RegExp => (verify === secp256k1Bool ? /message/ : /signature/);
  for (const verify of [secp256k1Bool, secp256k1WithEcdsaBool]) assert.throws(() => verify("zz", "0", "yy"), told(verify));
  assert.throws(() => secp256k1Bool("zz", "00", "yy"), /signature/);
});

test("signatures: bytes that are none are refused in the words of the reference's library", () => {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" }),
    key = publicKey.export({ format: "der", type: "spki" }).toString("hex");
  for (const verify of [secp256k1Bool, secp256k1WithEcdsaBool])
    for (const signature of ["", "30", key])
      assert.throws(() => verify(signature, "00", key), {
        message: `Malformed signature for ${signature}: error decoding signature bytes.`,
      });
});

const crypto = (verify: () => boolean): boolean | string => {
  try {
    return verify();
  } catch (error) {
    if (error instanceof FatalError) return error.error.class;
    throw error;
  }
};

test("signatures: a key may be on a NIST curve, and then so is its signature", () => {
  const message = Buffer.from("deadbeef", "hex");
  for (const namedCurve of ["secp256k1", "prime256v1", "secp384r1", "secp521r1"]) {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve });
    const key = publicKey.export({ format: "der", type: "spki" }).toString("hex"),
      signature = sign("sha256", message, privateKey).toString("hex");
    assert.equal(secp256k1Bool(signature, "deadbeef", key), true, namedCurve);
    assert.equal(secp256k1Bool(signature, "deadbeee", key), false, namedCurve);
    assert.equal(secp256k1WithEcdsaBool(signature, createHash("sha256").update(message).digest("hex"), key), true, namedCurve);
    const isLarge = namedCurve === "secp384r1" || namedCurve === "secp521r1",
      isValid = isLarge ? "Crypto.MalformedByteEncoding" : namedCurve === "secp256k1";
    assert.equal(
      crypto(() => secp256k1ValidateKey(key)),
      isValid,
      namedCurve,
    );
  }
});

test("signatures: the forms of a key that the reference takes", () => {
  const x = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"; // even
  const spki = (point: string, { unusedBits = "00", behind = "", after = "" } = {}): string => {
    const element = (tag: string, content: string): string => `${tag}${(content.length / 2).toString(16).padStart(2, "0")}${content}`;
    return element("30", `301006072a8648ce3d020106052b8104000a${element("03", `${unusedBits}${point}`)}${behind}`) + after;
  };
  for (const [key, expected] of [
    [spki(`04${x}${y}`), true],
    [spki(`04${x}${y}`, { after: "00" }), true],
    [spki(`04${x}${y}00`), true], // a byte more
    [spki(`04${x}${y}0000`), "Crypto.MalformedKey"],
    [spki(`04${x}${y}`, { unusedBits: "03" }), true], // which are 0
    [spki(`04${x}${y}`, { unusedBits: "04" }), false],
    [spki(`04${x}${y}`, { unusedBits: "08" }), "Crypto.MalformedKey"],
    [spki(`04${x}${y}`, { behind: "0500" }), "Crypto.MalformedKey"],
    [spki(`04${x}${x}`), false],
    [spki(`02${x}`), true],
    [spki(`02${x}`, { after: "00" }), "Crypto.MalformedKey"],
    [spki(`02${"ff".repeat(32)}`), "Crypto.MalformedKey"],
    [spki(`06${x}${y}`), true],
    [spki(`07${x}${y}`), "Crypto.MalformedKey"],
    [spki(`06${x}${x}`), "Crypto.MalformedKey"],
    [spki("00"), "Crypto.MalformedKey"],
    [spki(""), "Crypto.MalformedKey"],
  ] as const)
    assert.equal(
      crypto(() => secp256k1ValidateKey(key)),
      expected,
      key,
    );
  assert.equal(
    crypto(() => secp256k1Bool("3006020101020101", "", spki(`04${x}${x}`))),
    "Crypto.MalformedByteEncoding",
  );
});
