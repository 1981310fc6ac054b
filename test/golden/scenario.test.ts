import assert from "node:assert/strict";
import { test } from "node:test";
import { testData } from "../support/paths.js";
import { mutants } from "./mutants.js";
import { readScenarios, type RecordedScenario, runFamily, runScenarios } from "./scenario.js";
import { runUpgrades } from "./scenario-upgrades.js";

for (const { family, steps, equal, differences } of runScenarios(testData("engine"))) {
  test(`scenarios of the reference: ${family}`, (context) => {
    context.diagnostic(`${family}: ${equal} of ${steps} steps equal`);
    const first = differences[0];
    const shown = first && `${first.scenario} / ${first.step} ${first.path}: recorded ${first.expected}, ours ${first.actual}`;
    assert.equal(equal, steps, shown);
  });
}

test("upgrade checks of the reference: every verdict and class is the same", (context) => {
  const { cases, equal, differences, otherClasses } = runUpgrades(testData("engine"));
  context.diagnostic(`upgrades: ${equal} of ${cases} equal`);
  assert.deepEqual([...differences, ...otherClasses], []);
});

test("scenarios canary: no leaf of a recorded answer can change unnoticed", () => {
  const [scenario] = readScenarios(testData("engine", "scenarios", "asset.json"));
  assert.ok(scenario !== undefined);
  const steps = scenario.steps.slice(0, 3);
  let tried = 0;
  steps.forEach((step, i) => {
    const part = step.error === undefined ? "result" : "error";
    for (const mutant of mutants(step[part])) {
      const changed = { ...scenario, steps: steps.with(i, { ...step, [part]: mutant }) } as RecordedScenario;
      assert.notEqual(runFamily("canary", [changed], testData("engine", "dars")).equal, steps.length, JSON.stringify(mutant));
      tried += 1;
    }
  });
  assert.ok(tried > 60);
});
