import assert from "node:assert/strict";
import { test } from "node:test";
import { proves } from "../../prove/as-test.js";
import { engineLedgers } from "../../prove/oracles/engine.js";
import { firstDifference, isEqual, playWorld, shown, smallest, worldOf } from "./difference.js";
import type { Mutation } from "./oracle.js";
import { play, type PlannedSubmission } from "./run.js";
import type { Failing } from "./shrink.js";

const firstSeed = 20_240_607;

proves(engineLedgers);

const mutations: readonly Mutation[] = [
  "controllers only",
  "rollback forgets archives",
  "handler inside the scope",
  "oldest key first",
  "ensure after the parties",
];
for (const mutation of mutations) {
  test(`ledger canary: an evaluator with a fault is found out: ${mutation}`, (context) => {
    for (let index = 0; index < 3_000; index += 1) {
      const { model, mode, plans } = worldOf(firstSeed + index);
      for (const step of play(model, mode, plans, mutation)) {
        if (step === undefined || isEqual(step)) continue;
        context.diagnostic(`found with ledger ${index}`);
        return;
      }
    }
    assert.fail(`${mutation} was not noticed`);
  });
}

test("ledger canary: a failing ledger is made small", (context) => {
  for (let index = 0; index < 100; index += 1) {
    const { model, mode, plans } = worldOf(firstSeed + index),
      submissions: PlannedSubmission[] = [];
    const steps = [...playWorld({ model, mode, plans }, submissions, "controllers only")];
    if (!steps.some((step) => step !== undefined && !isEqual(step))) continue;
    const failing = { model, submissions },
      small = smallest(failing, mode, "controllers only");
    const size = ({ model: { module }, submissions: planned }: Failing): number => shown([module, planned]).length;
    context.diagnostic(`${size(failing)} characters become ${size(small)}`);
    assert.ok(firstDifference(small, mode, "controllers only") !== undefined && size(small) < size(failing) / 2);
    return;
  }
  assert.fail("no ledger fails");
});
