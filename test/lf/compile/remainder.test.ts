import assert from "node:assert/strict";
import { test } from "node:test";
import { DamlException } from "../../../src/lf/runtime/machine.js";
import { type Int64, int64Of } from "../../../src/lf/value/int64.js";
import type { Value } from "../../../src/lf/value/value.js";
import { count } from "../../support/knobs.js";
import { drawFrom } from "../../support/random.js";
import { app, builtin, compile, fail, int, lambda, letIn, variable } from "./sample-package.js";

const seed = count("LEDGERLINE_SEED") ?? 20_240_607;

const [a, b, c, m] = ["a", "b", "c", "m"].map(variable) as [ReturnType<typeof variable>, ...ReturnType<typeof variable>[]];
const multiply = app(builtin("MUL_INT64"), a, b!);
const stepByStep = (dividend: ReturnType<typeof variable>) => app(builtin("MOD_INT64"), dividend, m!);

const { call } = compile({
  values: {
    atOnce: lambda(["a", "b", "c", "m"], stepByStep(app(builtin("ADD_INT64"), multiply, c!))),
    apart: lambda(
      ["a", "b", "c", "m"],
      letIn("product", multiply, letIn("sum", app(builtin("ADD_INT64"), variable("product"), c!), stepByStep(variable("sum")))),
    ),
    ofProduct: lambda(["a", "b", "m"], stepByStep(multiply)),
    failing: lambda(
      ["n"],
      app(
        builtin("MOD_INT64"),
        app(builtin("ADD_INT64"), app(builtin("MUL_INT64"), fail("factor"), variable("n")), fail("addend")),
        int(0n),
      ),
    ),
  },
});

const answer = (name: string, args: readonly bigint[]): Value => {
  try {
    return call(name, ...args.map(int64Of));
  } catch (error) {
    assert.ok(error instanceof DamlException, String(error));
    return (error.exception.value as readonly string[])[0]!;
  }
};

test(`remainder: that of a product and a sum is exact and fails as its operations do one by one (seed ${seed})`, () => {
  const random = drawFrom(seed);
  const sizes = [4n, 2n ** 10n, 2n ** 21n, 2n ** 31n, 2n ** 32n, 2n ** 42n, 2n ** 53n, 2n ** 62n];
  const value = (): bigint => {
    const size = sizes[random(sizes.length)]!,
      magnitude = random(3) === 0 ? size - BigInt(random(4)) : ((BigInt(random(1 << 22)) << 42n) + (BigInt(random(1 << 22)) << 20n)) % size;
    return random(6) === 0 ? -magnitude : magnitude;
  };
  const seen = { exact: 0, errors: 0 };
  for (let turn = 0; turn < 20_000; turn += 1) {
    const args = [value(), value(), value(), value()] as const,
      [x, y, z, divisor] = args,
      expected = answer("apart", args);
    assert.ok(Object.is(answer("atOnce", args), expected), `(${x} * ${y} + ${z}) % ${divisor} gives ${expected as Int64}`);
    assert.ok(Object.is(answer("ofProduct", [x, y, divisor]), answer("apart", [x, y, 0n, divisor])), `(${x} * ${y}) % ${divisor}`);
    seen[typeof expected === "string" ? "errors" : "exact"] += 1;
  }
  assert.ok(seen.exact > 1_000 && seen.errors > 1_000, JSON.stringify(seen));
});

test("remainder: its operands are evaluated from right to left before anything is divided", () => {
  assert.throws(() => call("failing", 1), /addend/);
});
