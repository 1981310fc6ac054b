import assert from "node:assert/strict";
import { test } from "node:test";
import { proves } from "../../prove/as-test.js";
import { compiledPrograms } from "../../prove/oracles/engine.js";
import { compiledAnswer, expectedAnswer, programOf } from "./difference.js";

proves(compiledPrograms);

test("the comparison notices an evaluator that goes from left to right", () => {
  let noticed = 0;
  for (let seed = 0; seed < 300; seed += 1) {
    const program = programOf(seed);
    if (compiledAnswer(program) !== expectedAnswer(program, "left to right")) noticed += 1;
  }
  assert.ok(noticed > 0);
});
