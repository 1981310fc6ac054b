import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError } from "../../../src/lf/errors.js";
import { apply1, type Fn } from "../../../src/lf/runtime/function.js";
import { arrayFromList, listFromArray } from "../../../src/lf/runtime/list.js";
import type { Expr, Type } from "../../../src/lf/ast.js";
import { compare } from "../../../src/lf/runtime/compare.js";
import { emptyMap, type OrderedMap } from "../../../src/lf/runtime/map.js";
import { EnumValue, type List, none, Numeric, Some, type Value, Variant } from "../../../src/lf/value/value.js";
import {
  app,
  builtin,
  builtinType,
  compile,
  con,
  fail,
  id,
  ifThenElse,
  int,
  int64,
  lambda,
  letIn,
  listOf,
  text,
  val,
  variable,
} from "./sample-package.js";

const add = (a: Parameters<typeof app>[1], b: Parameters<typeof app>[1]) => app(builtin("ADD_INT64"), a, b);
const isZero = (name: string) => app(builtin("EQUAL", int64), variable(name), int(0n));
const decrement = (name: string) => app(builtin("SUB_INT64"), variable(name), int(1n));

const errorOf = (action: () => unknown): FatalError["error"] => {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof FatalError, String(error));
    return error.error;
  }
  return assert.fail("it succeeded");
};

test("compile: names of packages never become identifiers", () => {
  const names = ["__proto__", "constructor", "arguments", "await", "eval", "self", "R", "K", "budget", "v0", "k0", "$"];
  const record = {
    name: "R",
    params: [],
    serializable: true,
    cons: { kind: "record" as const, fields: names.map((name) => ({ name, type: int64 })) },
  };
  const values = Object.fromEntries(names.map((name, index) => [name, lambda([name], add(variable(name), int(BigInt(index))))]));
  const struct = { kind: "structCon" as const, fields: names.map((name, index) => ({ name, expr: int(BigInt(index)) })) };
  const { call } = compile({
    dataTypes: [record],
    values: {
      ...values,
      made: lambda(
        ["x"],
        names.reduceRight((sum, name) => add(sum, { kind: "structProj", field: name, struct }), variable("x")),
      ),
    },
  });
  for (const [index, name] of names.entries()) assert.equal(call(name, 10), 10 + index);
  assert.equal(call("made", 0), 66);
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});

test("lists: EQUAL_LIST hands its predicate the second list's element first, and exchanges the lists from pair to pair", () => {
  const list = (...elements: readonly number[]) => listOf(...elements.map((each) => int(BigInt(each))));
  const isOneMore = lambda(["a", "b"], app(builtin("EQUAL", int64), app(builtin("SUB_INT64"), variable("a"), variable("b")), int(1n)));
  const shows = lambda(
    ["a", "b"],
    ifThenElse(
      app(builtin("EQUAL", int64), variable("a"), int(9n)),
      app(builtin("ERROR", builtinType("BOOL")), app(builtin("INT64_TO_TEXT"), variable("b"))),
      { kind: "bool", value: true },
    ),
  );
  const equal = (predicate: Expr, left: Expr, right: Expr) => app(builtin("EQUAL_LIST", int64), predicate, left, right);
  const { call } = compile({
    values: {
      alternating: equal(isOneMore, list(1, 4, 1, 4), list(2, 3, 2, 3)),
      oneSided: equal(isOneMore, list(1, 3, 1), list(2, 4, 2)),
      first: equal(shows, list(1), list(9)),
      second: equal(shows, list(1, 9), list(2, 5)),
      never: equal(shows, list(9, 5), list(1, 9)),
      shorter: equal(isOneMore, list(1, 4), list(2)),
      empty: equal(shows, { kind: "nil", type: int64 }, list(9)),
    },
  });
  assert.deepEqual(
    ["alternating", "oneSided", "never", "shorter", "empty"].map((name) => call(name)),
    [true, false, true, false, false],
  );
  assert.deepEqual(
    ["first", "second"].map((name) => errorOf(() => call(name)).message.replace(/^.*: /, "")),
    ["1", "5"],
  );
});

test("compile: text literals survive quoting", () => {
  const literals = ["\u2028\u2029", "`${1}`", "*/ //", "\"'\\", "\0", "\ud800", "😀", "</script>"];
  const { call } = compile({ values: Object.fromEntries(literals.map((literal, index) => [`t${index}`, text(literal)])) });
  for (const [index, literal] of literals.entries()) assert.equal(call(`t${index}`), literal);
});

test("compile: a self tail call is a loop, and closures keep the variables of their own turn", () => {
  const body = ifThenElse(
    isZero("n"),
    variable("acc"),
    app(val("collect"), decrement("n"), {
      kind: "cons",
      type: int64,
      front: [lambda(["x"], letIn("y", variable("n"), add(variable("x"), variable("y"))))],
      tail: variable("acc"),
    }),
  );
  const { call, budget } = compile({
    values: { collect: lambda(["n", "acc"], body), closures: app(val("collect"), int(3n), { kind: "nil", type: int64 }) },
  });
  const functions = arrayFromList(call("closures") as List) as Fn[];
  assert.deepEqual(
    functions.map((f) => apply1(f, 10)),
    [11, 12, 13],
  );
  budget.steps = 2_000_000;
  budget.allocation = 5_000_000;
  assert.ok(call("collect", 200_000, compile({ values: { nil: { kind: "nil", type: int64 } } }).call("nil")));
});

test("compile: a function that goes on with the result of itself recurses deeper than the stack and pays for each call", () => {
  const sum = ifThenElse(isZero("n"), int(0n), add(variable("n"), app(val("sum"), decrement("n"))));
  const { call, budget } = compile({ values: { sum: lambda(["n"], sum) } });
  budget.steps = 2_000_000;
  assert.equal(call("sum", 1_000_000), 500_000_500_000);
  assert.equal(budget.steps, 999_999);
});

test("compile: a list whose tail is a call of its own function is as long as memory allows and pays for each cell", () => {
  const range: Expr = { kind: "cons", type: int64, front: [variable("n"), int(7n)], tail: app(val("range"), decrement("n")) };
  const { call, budget } = compile({ values: { range: lambda(["n"], ifThenElse(isZero("n"), { kind: "nil", type: int64 }, range)) } });
  [budget.steps, budget.allocation] = [1_000_000, 1_000_000];
  assert.deepEqual(arrayFromList(call("range", 3) as List), [3, 7, 2, 7, 1, 7]);
  assert.deepEqual([budget.steps, budget.allocation], [999_996, 999_992]);
  assert.equal(arrayFromList(call("range", 200_000) as List).length, 400_000);
});

test("compile: what waits for a call of its own function keeps the variables of its own turn", () => {
  // f n k = k (f (n - 1) (\x -> x + n))
  const body = ifThenElse(
    isZero("n"),
    int(0n),
    app(variable("k"), app(val("f"), decrement("n"), lambda(["x"], add(variable("x"), variable("n"))))),
  );
  const { call } = compile({ values: { f: lambda(["n", "k"], body), start: app(val("f"), int(4n), lambda(["x"], variable("x"))) } });
  assert.equal(call("start"), 2 + 3 + 4);
});

test("compile: an expression that waits in two places, with a name that means another function in each, is right in both", () => {
  const shared = app(variable("k"), app(val("f"), decrement("n")), variable("n"));
  const atOnce = lambda(["x", "y"], add(variable("x"), variable("y")));
  const oneByOne = lambda(
    ["x"],
    letIn("z", variable("x"), lambda(["y"], add(variable("z"), app(builtin("MUL_INT64"), variable("y"), int(10n))))),
  );
  const isEven = app(builtin("EQUAL", int64), app(builtin("MOD_INT64"), variable("n"), int(2n)), int(0n));
  const body = ifThenElse(isZero("n"), int(0n), ifThenElse(isEven, letIn("k", atOnce, shared), letIn("k", oneByOne, shared)));
  const { call } = compile({ values: { f: lambda(["n"], body) } });
  assert.equal(call("f", 4), 10 + 2 + 30 + 4);
});

test("compile: a map orders keys of every type as a comparison does", () => {
  const of = (builtin_: "OPTIONAL" | "LIST", element: Type): Type => ({ kind: "app", fun: builtinType(builtin_), arg: element });
  const parameter = { name: "a", kind: { kind: "star" as const } };
  const dataTypes = [
    {
      name: "Pair",
      params: [parameter],
      serializable: true,
      cons: {
        kind: "record" as const,
        fields: [
          { name: "x", type: { kind: "var" as const, name: "a" } },
          { name: "y", type: int64 },
        ],
      },
    },
    { name: "Color", params: [], serializable: true, cons: { kind: "enum" as const, constructors: ["Red", "Blue"] } },
  ];
  const pair = (element: Type): Type => ({ kind: "app", fun: con("Pair"), arg: element });
  const samples: readonly (readonly [Type, readonly Value[]])[] = [
    [int64, [-5, 0, 3, 2 ** 40, 2n ** 60n, -(2n ** 60n)]],
    [builtinType("TEXT"), ["", "a", "ab", "abcd", "abcde", "abcdf", "\uffff", "\u{1f600}"]],
    [builtinType("BOOL"), [true, false]],
    [builtinType("NUMERIC"), [new Numeric(5, 2), new Numeric(-5, 2), new Numeric(10n ** 30n, 2)]],
    [of("OPTIONAL", int64), [none, new Some(1), new Some(-1)]],
    [
      pair(builtinType("TEXT")),
      [
        ["a", 1],
        ["a", 2],
        ["", 9],
        ["b", 0],
      ],
    ],
    [
      pair(pair(of("OPTIONAL", int64))),
      [
        [[none, 1], 2],
        [[new Some(4), 1], 2],
        [[none, 1], 1],
        [[new Some(3), 5], 2],
      ],
    ],
    [of("LIST", int64), [listFromArray([1, 2]), listFromArray([1]), listFromArray([]), listFromArray([0, 5])]],
    [con("Color"), [new EnumValue(1, "Blue"), new EnumValue(0, "Red")]],
  ];
  samples.forEach(([type, keys]) => {
    const insert = lambda(["k", "m"], app(builtin("GENMAP_INSERT", type, int64), variable("k"), int(1n), variable("m")));
    const lookup = lambda(["k", "m"], app(builtin("GENMAP_LOOKUP", type, int64), variable("k"), variable("m")));
    const { call } = compile({ values: { insert, lookup }, dataTypes });
    const map = keys.reduce<Value>((made, key) => call("insert", key, made), emptyMap) as OrderedMap;
    assert.deepEqual(map.keys(), [...keys].sort(compare), JSON.stringify(type));
    for (const key of keys) assert.ok(call("lookup", key, map) instanceof Some);
  });
});

test("compile: functions apply partially, exactly and beyond their arity", () => {
  const { call } = compile({
    values: {
      three: lambda(["a", "b", "c"], add(variable("a"), add(variable("b"), variable("c")))),
      choose: lambda(["b"], ifThenElse(isZero("b"), builtin("ADD_INT64"), builtin("SUB_INT64"))),
      partial: letIn("f", app(val("three"), int(1n)), app(variable("f"), int(2n), int(3n))),
      stepwise: letIn("f", app(val("three"), int(1n)), letIn("g", app(variable("f"), int(2n)), app(variable("g"), int(4n)))),
      beyond: app(val("choose"), int(1n), int(10n), int(3n)),
    },
  });
  assert.equal(call("partial"), 6);
  assert.equal(call("stepwise"), 7);
  assert.equal(call("beyond"), 7);
  assert.equal(call("three", 1, 2, 3), 6);
});

test("compile: arguments are evaluated from right to left, those of a call beyond the arity too", () => {
  const { call } = compile({
    values: {
      two: lambda(["a", "b"], fail("body")),
      one: lambda(["a"], fail("body of one")),
      pair: app(val("two"), fail("left"), fail("right")),
      extra: app(val("one"), int(1n), fail("second")),
      applied: app(lambda(["a", "b"], int(1n)), fail("left"), fail("right")),
      list: listOf(fail("first"), fail("last")),
    },
  });
  const messages = ["pair", "extra", "applied", "list"].map((name) => errorOf(() => call(name)));
  assert.deepEqual(
    messages.map((error) => (error.phase === "interpretation" && error.class === "UserError" ? error.detail.message : error)),
    ["right", "second", "right", "last"],
  );
});

test("compile: a case that reads nothing still evaluates its scrutinee", () => {
  const { call } = compile({
    values: {
      wildcard: { kind: "case", scrutinee: fail("scrutinee"), alternatives: [{ pattern: { kind: "default" }, body: int(1n) }] },
      both: {
        kind: "case",
        scrutinee: fail("scrutinee"),
        alternatives: [
          { pattern: { kind: "default" }, body: int(1n) },
          { pattern: { kind: "nil" }, body: int(2n) },
        ],
      },
      nested: add(int(1n), { kind: "case", scrutinee: fail("scrutinee"), alternatives: [{ pattern: { kind: "unit" }, body: int(1n) }] }),
    },
  });
  for (const name of ["wildcard", "both", "nested"]) assert.equal(errorOf(() => call(name)).message, "User abort: scrutinee");
});

test("compile: an unsupported builtin and a missing definition fail only where they are reached", () => {
  const { call } = compile({
    values: {
      guarded: lambda(["x"], ifThenElse(isZero("x"), int(0n), app(builtin("ADD_BIGNUMERIC"), int(1n), int(2n)))),
      lost: lambda(["x"], ifThenElse(isZero("x"), int(0n), app(val("nowhere"), int(1n)))),
    },
  });
  assert.equal(call("guarded", 0), 0);
  assert.deepEqual(
    { ...errorOf(() => call("guarded", 1)), message: "" },
    { phase: "interpretation", class: "Unsupported", message: "", detail: { builtin: "ADD_BIGNUMERIC" } },
  );
  assert.equal(call("lost", 0), 0);
  assert.equal((errorOf(() => call("lost", 1)) as { reference?: string }).reference, "p0:M:nowhere");
});

test("compile: constants are evaluated once, failing ones at each use, and one that needs itself is refused", () => {
  const { call, packages } = compile({
    values: { list: listOf(int(1n)), bad: fail("constant"), loop: add(val("loop"), int(1n)), a: val("b"), b: val("a") },
  });
  assert.equal(packages.value(id("list")), packages.value(id("list")));
  for (let turn = 0; turn < 2; turn += 1) assert.equal(errorOf(() => call("bad")).message, "User abort: constant");
  for (const name of ["loop", "a"]) assert.equal(errorOf(() => call(name)).class, "LimitExceeded");
});

test("compile: definitions that name a builtin are called as the builtin", () => {
  const { call } = compile({
    values: {
      plus: builtin("ADD_INT64"),
      alias: val("plus"),
      same: { kind: "tyAbs", params: [], body: builtin("EQUAL", int64) },
      use: lambda(["x"], app(val("alias"), variable("x"), int(2n))),
    },
  });
  assert.equal(call("use", 3), 5);
  assert.equal(call("same", 3, 3), true);
});

test("compile: records keep their field order under update, also wide ones", () => {
  const fields = Array.from({ length: 20 }, (_, index) => `f${index}`);
  const type = { id: id("Wide"), args: [] };
  const made = { kind: "recCon" as const, type, fields: fields.map((name, index) => ({ name, expr: int(BigInt(index)) })) };
  const update = (record: Parameters<typeof app>[0], field: string, value: bigint) => ({
    kind: "recUpd" as const,
    type,
    field,
    record,
    update: int(value),
  });
  const { call } = compile({
    dataTypes: [
      { name: "Wide", params: [], serializable: true, cons: { kind: "record", fields: fields.map((name) => ({ name, type: int64 })) } },
    ],
    values: { wide: update(update(update(made, "f1", 100n), "f19", 200n), "f1", 300n), original: made },
  });
  const expected: Value[] = fields.map((_, index) => index);
  assert.deepEqual(call("original"), expected);
  assert.deepEqual(call("wide"), expected.with(1, 300).with(19, 200));
});

test("compile: what an update gives a field counts, also where a later update of the field replaces it", () => {
  const type = { id: id("Pair"), args: [] },
    fields = ["a", "b"];
  const update = (record: Expr, field: string, value: Expr): Expr => ({ kind: "recUpd", type, field, record, update: value });
  const made: Expr = { kind: "recCon", type, fields: fields.map((name) => ({ name, expr: variable(name) })) };
  const divided = app(builtin("DIV_INT64"), int(1n), variable("a"));
  const { call } = compile({
    dataTypes: [
      { name: "Pair", params: [], serializable: true, cons: { kind: "record", fields: fields.map((name) => ({ name, type: int64 })) } },
    ],
    values: {
      replaced: lambda(fields, update(update(made, "a", divided), "a", int(9n))),
      replacedLater: lambda(fields, update(update(update(made, "a", divided), "b", divided), "a", int(9n))),
    },
  });
  assert.deepEqual(call("replaced", 1, 2), [9, 2]);
  assert.deepEqual(call("replacedLater", 1, 2), [9, 1]);
  for (const name of ["replaced", "replacedLater"]) assert.throws(() => call(name, 0, 2), `${name} divides by zero`);
});

test("compile: a variant around a record is the same value whether it holds the record or its fields", () => {
  const a = variable("a"),
    node = { id: id("Node"), args: [] },
    tree = { id: id("Tree"), args: [] };
  const record = (left: Expr, x: Expr): Expr => ({
    kind: "recCon",
    type: node,
    fields: [
      { name: "left", expr: left },
      { name: "x", expr: x },
    ],
  });
  const variant = (arg: Expr): Expr => ({ kind: "variantCon", type: tree, constructor_: "Node", arg });
  const leaf: Expr = { kind: "variantCon", type: tree, constructor_: "Leaf", arg: { kind: "unit" } };
  const field = (name: string, of: Expr): Expr => ({ kind: "recProj", type: node, field: name, record: of });
  const replaced = (of: Expr, name: string, update: Expr): Expr => ({ kind: "recUpd", type: node, field: name, record: of, update });
  const match = (name: string, ofLeaf: Expr, ofNode: Expr): Expr => ({
    kind: "case",
    scrutinee: variable(name),
    alternatives: [
      { pattern: { kind: "variant", id: id("Tree"), constructor_: "Leaf", binder: "u" }, body: ofLeaf },
      { pattern: { kind: "variant", id: id("Tree"), constructor_: "Node", binder: "n" }, body: ofNode },
    ],
  });
  const n = variable("n");
  const { call, budget } = compile({
    dataTypes: [
      {
        name: "Node",
        params: [],
        serializable: true,
        cons: {
          kind: "record",
          fields: [
            { name: "left", type: con("Tree") },
            { name: "x", type: int64 },
          ],
        },
      },
      {
        name: "Tree",
        params: [],
        serializable: true,
        cons: {
          kind: "variant",
          constructors: [
            { name: "Leaf", type: builtinType("UNIT") },
            { name: "Node", type: con("Node") },
          ],
        },
      },
    ],
    values: {
      leaf,
      made: lambda(["a"], variant(record(leaf, a))),
      around: lambda(["a"], letIn("r", record(leaf, a), variant(variable("r")))),
      payload: lambda(["t"], match("t", fail("leaf"), n)),
      x: lambda(["t"], match("t", fail("leaf"), add(int(0n), field("x", n)))),
      updated: lambda(
        ["t"],
        match("t", fail("leaf"), variant(replaced(replaced(n, "x", add(field("x", n), int(1n))), "left", variable("t")))),
      ),
      later: lambda(["t"], match("t", fail("leaf"), lambda(["y"], add(variable("y"), field("x", n))))),
      // sum waits for itself in a field of the payload
      sum: lambda(["t"], match("t", int(0n), app(builtin("ADD_INT64"), field("x", n), app(val("sum"), field("left", n))))),
      grown: lambda(
        ["k", "t"],
        ifThenElse(isZero("k"), variable("t"), app(val("grown"), decrement("k"), variant(record(variable("t"), variable("k"))))),
      ),
    },
  });
  const plain = new Variant(1, "Node", [call("leaf"), 7]);
  const spentBy = (name: string): readonly number[] => {
    [budget.steps, budget.allocation] = [1_000, 1_000];
    call(name, 7);
    return [budget.steps, budget.allocation];
  };
  for (const [name, value] of [
    ["made", call("made", 7)],
    ["around", call("around", 7)],
    ["plain", plain],
  ] as const) {
    assert.ok(value instanceof Variant && value.rank === 1 && value.constructor_ === "Node", name);
    assert.equal(compare(value, plain), 0, name);
    assert.ok(compare(value, call("made", 8)) < 0 && compare(call("leaf"), value) < 0, name);
    assert.deepEqual(call("payload", value), [call("leaf"), 7], name);
    assert.equal(call("x", value), 7, name);
    assert.equal(compare(call("payload", call("updated", value)), [plain, 8]), 0, name);
    assert.equal(apply1(call("later", value) as Fn, 3), 10, name);
    assert.equal(call("sum", call("grown", 3, value)), 13, name);
  }
  assert.deepEqual(spentBy("made"), [999, 996]);
  assert.deepEqual(spentBy("around"), [999, 996]);
  budget.steps = 1_000_000;
  budget.allocation = 1_000_000;
  assert.equal(call("sum", call("grown", 100_000, plain)), 5_000_050_007);
});

test("compile: Any compares types before values and gives them back by type", () => {
  const toAny = (name: string, value: bigint) => ({ kind: "toAny" as const, type: con(name), expr: int(value) });
  const { call } = compile({
    values: {
      same: { kind: "fromAny", type: con("A"), expr: toAny("A", 1n) },
      other: { kind: "fromAny", type: con("B"), expr: toAny("A", 1n) },
      ordered: app(builtin("LESS", { kind: "builtin", builtin: "ANY" }), toAny("A", 2n), toAny("B", 1n)),
      open: {
        kind: "tyAbs",
        params: [{ name: "t", kind: { kind: "star" } }],
        body: lambda(["x"], { kind: "toAny", type: { kind: "var", name: "t" }, expr: variable("x") }),
      },
    },
  });
  assert.equal((call("same") as { value: Value }).value, 1);
  assert.deepEqual(Object.keys(call("other") as object), ["tag"]);
  assert.equal(call("ordered"), true);
  assert.equal(errorOf(() => call("open", 1)).class, "Unsupported");
});
