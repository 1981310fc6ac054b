import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError } from "../../../src/lf/errors.js";
import { DamlException } from "../../../src/lf/runtime/machine.js";
import type { RecordValue } from "../../../src/lf/value/value.js";
import { type Direction, Oracle, Stop } from "./oracle.js";
import { type Program, ProgramGenerator, recordFields } from "./random-program.js";
import { compile, int64 } from "./sample-package.js";

const seed = Number(process.env["LEDGERLINE_SEED"] ?? 20_240_607);
const programs = Number(process.env["LEDGERLINE_PROGRAMS"] ?? 3_000);

const randomFrom = (start: number) => {
  let state = start;
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
};

const fields = [{ name: "a", type: int64 }, { name: "b", type: int64 }];
const dataTypes = [{ name: "R", params: [], serializable: true, cons: { kind: "record" as const, fields } }];

const compiledAnswer = (program: Program): string => {
  try {
    return String(compile({ ...program, dataTypes }).call("result"));
  } catch (error) {
    if (error instanceof FatalError) return error.error.message;
    if (error instanceof DamlException) return (error.exception.value as RecordValue)[0] as string;
    throw error;
  }
};

const expectedAnswer = (program: Program, direction?: Direction): string => {
  try {
    return String(new Oracle(program.values, () => recordFields, direction).evaluate(program.values["result"]!));
  } catch (error) {
    if (error instanceof Stop) return error.message;
    throw error;
  }
};

test(`compiler and plain evaluator agree on ${programs} random programs (seed ${seed})`, (context) => {
  const answers = new Map<string, number>();
  for (let index = 0; index < programs; index += 1) {
    const program = new ProgramGenerator(randomFrom(seed + index)).program();
    const expected = expectedAnswer(program);
    assert.equal(compiledAnswer(program), expected, `program ${index} of seed ${seed}: ${JSON.stringify(program, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)).slice(0, 3000)}`);
    const kind = expected.startsWith("User") ? "errors" : expected.startsWith("Arith") ? "exceptions" : "values";
    answers.set(kind, (answers.get(kind) ?? 0) + 1);
  }
  context.diagnostic([...answers].map(([kind, count]) => `${count} ${kind}`).join(", "));
  assert.ok([...answers.values()].every((count) => count > programs / 20), "each kind of answer is met");
});

test("the comparison notices an evaluator that goes from left to right", () => {
  let noticed = 0;
  for (let index = 0; index < 300; index += 1) {
    const program = new ProgramGenerator(randomFrom(seed + index)).program();
    if (compiledAnswer(program) !== expectedAnswer(program, "left to right")) noticed += 1;
  }
  assert.ok(noticed > 0);
});
