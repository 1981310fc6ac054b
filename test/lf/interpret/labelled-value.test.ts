/** Values in the details of errors: of one that is too large to be shown, no more is made than is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Type } from "../../../src/lf/ast.js";
import { fromStoredValue, toJson, type ValueType } from "../../../src/lf/conversion/index.js";
import { labelledValue } from "../../../src/lf/interpret/labelled-value.js";
import { listFromArray } from "../../../src/lf/runtime/list.js";
import { emptyMap } from "../../../src/lf/runtime/map.js";
import { mapOperations } from "../../../src/lf/runtime/map-operations.js";
import { compare } from "../../../src/lf/runtime/compare.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import type { Value } from "../../../src/lf/value/value.js";
import { generator } from "../value/random.js";
import { con, genMapT, int64T, listT, optionalT, textMapT, textT, unitT, valueTypes } from "../value/types.js";

const types = valueTypes(),
  rounds = 60;
const everyType: readonly Type[] = [
  ...[int64T, textT, unitT, con("Colour"), con("Person"), optionalT(textT), optionalT(optionalT(unitT))].flatMap((of) => [
    optionalT(of),
    listT(of),
    textMapT(of),
    genMapT(con("Point"), of),
    con("Box", of),
    con("Tree", of),
    con("Pair", listT(of), con("Box", optionalT(of))),
    listT(con("Pair", of, con("Person"))),
  ]),
  con("Pair", listT(textT), con("Pair", optionalT(textT), con("Person"))),
];

test("values in errors: what is shown of one that was cut is the beginning of the whole", () => {
  const random = generator(11);
  for (const type of everyType)
    for (let round = 0; round < rounds; round++) {
      const of = types.of(type),
        read = fromStoredValue(of, random.ofType(of, 5), { forbidTrailingNone: true });
      assert.ok(read.ok !== undefined, read.error?.message);
      const whole = toJson(of, labelledValue(of, read.ok));
      for (const chars of [1, 2, 5, 17, random.below(whole.length + 2) + 1]) {
        const shown = toJson(of, labelledValue(of, read.ok, { charsLeft: chars }));
        assert.equal(shown.slice(0, chars), whole.slice(0, chars), whole);
      }
    }
});

/** Parts of a value, texts by their characters. */
function partsOf(value: LedgerValue): number {
  const all = (values: readonly LedgerValue[]): number => values.reduce((count, each) => count + partsOf(each), 1);
  switch (value.kind) {
    case "text":
      return 1 + value.value.length;
    case "optional":
      return value.value === undefined ? 1 : all([value.value]);
    case "list":
      return all(value.elements);
    case "textMap":
      return all(value.entries.map(([, item]) => item)) + value.entries.reduce((count, [key]) => count + key.length, 0);
    case "genMap":
      return all(value.entries.flat());
    case "record":
      return all(value.fields.map((field) => field.value));
    case "variant":
      return all([value.value]);
    default:
      return 1;
  }
}

test("values in errors: however large one is, of what is not shown nothing is made", () => {
  const ints = listFromArray(Array.from({ length: 100_000 }, (_, index) => index)),
    long = "x".repeat(1_000_000),
    { insert } = mapOperations(compare);
  const map = (key: (index: number) => Value): Value =>
    Array.from({ length: 10_000 }, (_, index) => index).reduce((grown, index) => insert(key(index), index, grown), emptyMap);
  const large: readonly (readonly [ValueType, Value])[] = [
    [types.of(listT(int64T)), ints],
    [types.of(listT(listT(int64T))), listFromArray(Array<Value>(100).fill(ints))],
    [types.of(textT), long],
    [types.of(listT(textT)), listFromArray(Array<Value>(1_000).fill(long))],
    [types.of(con("Pair", textT, listT(int64T))), [long, ints]],
    [types.of(genMapT(int64T, int64T)), map((index) => index)],
    [types.of(textMapT(int64T)), map((index) => `${index}`)],
    [types.of(textMapT(int64T)), insert(long, 1, emptyMap)],
  ];
  const chars = 1_000;
  for (const [type, value] of large) {
    const cut = labelledValue(type, value, { charsLeft: chars });
    assert.ok(partsOf(cut) <= 2 * chars + 10, `${type.kind}: ${partsOf(cut)} parts`);
    assert.ok(toJson(type, cut).length >= chars, type.kind);
  }
});
