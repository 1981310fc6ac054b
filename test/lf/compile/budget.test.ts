import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError } from "../../../src/lf/errors.js";
import { emptyMap } from "../../../src/lf/runtime/map.js";
import type { Expr } from "../../../src/lf/ast.js";
import {
  app,
  builtin,
  builtinType,
  compile,
  int,
  int64,
  lambda,
  letIn,
  text,
  val,
  variable,
  type Definitions,
  type CompileSettings,
} from "./sample-package.js";
import type { Value } from "../../../src/lf/value/value.js";

const limitOf = (definitions: Definitions, args: Value[], settings?: CompileSettings): unknown => {
  const { call } = compile(definitions, settings);
  try {
    call("start", ...args);
  } catch (error) {
    assert.ok(error instanceof FatalError, String(error));
    return error.error.phase === "interpretation" && error.error.class === "LimitExceeded" ? error.error.detail["limit"] : error.error;
  }
  return "finished";
};

const successor = app(builtin("ADD_INT64"), variable("n"), int(1n));

test("budget: an endless loop uses up its steps", () => {
  assert.equal(limitOf({ values: { start: lambda(["n"], app(val("start"), variable("n"))) } }, [0]), "stepsMax");
});

test("budget: an endless recursion through another function uses up its steps or its memory", () => {
  const { call, budget } = compile({
    values: { start: lambda(["n"], app(val("other"), successor)), other: lambda(["n"], app(val("start"), successor)) },
  });
  budget.steps = 1_000;
  assert.throws(() => call("start", 0), FatalError);
});

test("budget: an endless recursion that waits for itself meets the depth limit", () => {
  const start = lambda(["n"], app(builtin("ADD_INT64"), variable("n"), app(val("start"), successor)));
  assert.equal(limitOf({ values: { start } }, [0], { limits: { recursionDepthMax: 1_000 } }), "recursionDepthMax");
});

test("budget: an endless list whose tail is a call of its own function uses up its allocation", () => {
  const start = lambda(["n"], {
    kind: "cons",
    type: int64,
    front: [variable("n"), variable("n"), variable("n")],
    tail: app(val("start"), successor),
  });
  assert.equal(limitOf({ values: { start } }, [0]), "allocationMax");
});

test("budget: a growing list uses up its allocation", () => {
  const grow = lambda(
    ["n", "list"],
    app(val("start"), successor, {
      kind: "cons",
      type: int64,
      front: [variable("n"), variable("n"), variable("n")],
      tail: variable("list"),
    }),
  );
  assert.equal(limitOf({ values: { start: grow } }, [0, emptyMap]), "allocationMax");
});

test("budget: a doubling text meets the length limit", () => {
  const double = lambda(["t"], app(val("start"), app(builtin("APPEND_TEXT"), variable("t"), variable("t"))));
  assert.equal(limitOf({ values: { start: double } }, ["abcd"], { limits: { textBytesMax: 1024 } }), "textBytesMax");
});

test("budget: a map has a largest size", () => {
  const grow = lambda(
    ["n", "map"],
    app(val("start"), successor, app(builtin("GENMAP_INSERT", int64, int64), variable("n"), int(0n), variable("map"))),
  );
  assert.equal(limitOf({ values: { start: grow } }, [0, emptyMap], { limits: { collectionEntriesMax: 100 } }), "collectionEntriesMax");
});

test("budget: a text explodes into at most as many characters as a list may have", () => {
  const start = lambda(["t"], app(builtin("EXPLODE_TEXT"), variable("t")));
  assert.equal(limitOf({ values: { start } }, ["x".repeat(101)], { limits: { collectionEntriesMax: 100 } }), "collectionEntriesMax");
});

test("budget: shared expressions that unfold without end are refused before they are code", () => {
  let shared: Expr = variable("n");
  for (let depth = 0; depth < 40; depth += 1) shared = app(builtin("ADD_INT64"), shared, shared);
  assert.equal(
    limitOf({ values: { start: lambda(["n"], shared) } }, [0], { limits: { definitionNodesMax: 10_000 } }),
    "definitionNodesMax",
  );
});

test("budget: comparing values that share their parts without end uses up the steps", () => {
  const pair = (name: string): Expr => ({
    kind: "cons",
    type: int64,
    front: [variable(name), variable(name)],
    tail: { kind: "nil", type: int64 },
  });
  let body: Expr = app(builtin("EQUAL", { kind: "app", fun: builtinType("LIST"), arg: int64 }), variable("x60"), variable("x60"));
  for (let depth = 60; depth > 0; depth -= 1) body = letIn(`x${depth}`, pair(`x${depth - 1}`), body);
  assert.equal(limitOf({ values: { start: lambda(["x0"], body) } }, [1]), "stepsMax");
});

test("budget: deep nesting of lets and long literals compile", () => {
  let nested: Expr = variable("n");
  for (let depth = 0; depth < 500; depth += 1) nested = letIn(`x${depth}`, app(builtin("ADD_INT64"), variable("n"), int(1n)), nested);
  const long: Expr = {
    kind: "cons",
    type: builtinType("TEXT"),
    front: Array.from({ length: 5_000 }, (_, index) => text(String(index))),
    tail: { kind: "nil", type: builtinType("TEXT") },
  };
  const { call } = compile({ values: { start: lambda(["n"], nested), long } });
  assert.equal(call("start", 7), 7);
  assert.equal((call("long") as { head: Value }).head, "0");
});

test("budget: a function of more parameters and a struct of more fields than code can have are refused by name", () => {
  const names = Array.from({ length: 70_000 }, (_, index) => `x${index}`),
    wide = lambda(names, variable("x0")),
    fields = names.map((name) => ({ name, expr: variable("n") }));
  const several: readonly Definitions[] = [
    { values: { start: lambda(["n"], app(val("wide"), ...names.map(() => variable("n")))), wide } },
    { values: { start: lambda(["n"], letIn("f", wide, app(variable("f"), variable("n")))) } },
    { values: { start: lambda(["n"], { kind: "structProj", field: "x0", struct: { kind: "structCon", fields } }) } },
  ];
  for (const definitions of several) assert.equal(limitOf(definitions, [0]), "functionParametersMax");
});
