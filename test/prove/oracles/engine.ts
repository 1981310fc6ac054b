/** The engine against evaluators that were written without looking at it. */
import assert from "node:assert/strict";
import { compiledAnswer, expectedAnswer, programOf } from "../../lf/compile/difference.js";
import { isEqual, playWorld, shown, smallest, submissionsPerLedger, told, worldOf } from "../../lf/ledger-oracle/difference.js";
import { problemOf, type PlannedSubmission } from "../../lf/ledger-oracle/run.js";
import type { Play, Scenario } from "../scenario.js";

const met = ["create", "fetch", "exercise", "query", "rollback"],
  outcomes = ["accepted", "EffectfulRollback", "FailureStatus", "ContractNotActive"];
/** A few cases meet little. */
const enoughToMeetAll = 200;

function playLedger(play: Play, seed: number): void {
  const world = worldOf(seed),
    { model, mode } = world;
  assert.equal(problemOf(model), undefined, "the ledger is well typed");
  const submissions: PlannedSubmission[] = [];
  for (const step of playWorld(world, submissions)) {
    if (step === undefined) {
      play.count("too large");
      continue;
    }
    const { expected } = step as { expected: { class?: string } };
    play.count(expected.class ?? "accepted");
    for (const [kind] of shown(expected).matchAll(/"(create|fetch|exercise|query|rollback)":/g)) play.count(kind.slice(1, -2));
    if (!isEqual(step)) assert.fail(told(smallest({ model, submissions }, mode), mode));
  }
}

export const engineLedgers: Scenario = {
  name: "engine-ledgers",
  unit: "ledgers",
  sizes: { test: 400, ci: 2_000, night: 200_000 },
  holds: `engine and plain evaluator agree on random models and ${submissionsPerLedger} submissions to each: nodes, witnesses, errors`,
  async run(play) {
    await play.cases((seed) => playLedger(play, seed));
    for (const kind of play.size < enoughToMeetAll ? [] : [...met, ...outcomes])
      assert.ok((play.counts[kind] ?? 0) >= play.size / 100, `${kind} is met`);
  },
};

function playProgram(play: Play, seed: number): void {
  const program = programOf(seed),
    expected = expectedAnswer(program);
  assert.equal(
    compiledAnswer(program),
    expected,
    JSON.stringify(program, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)).slice(0, 3_000),
  );
  play.count(expected.startsWith("User") ? "errors" : expected.startsWith("Arith") ? "exceptions" : "values");
}

export const compiledPrograms: Scenario = {
  name: "compiled-programs",
  unit: "programs",
  sizes: { test: 3_000, ci: 10_000, night: 2_000_000 },
  holds: "compiler and plain evaluator agree on random programs: values, exceptions, errors",
  async run(play) {
    await play.cases((seed) => playProgram(play, seed));
    if (play.size >= enoughToMeetAll)
      assert.ok(
        Object.values(play.counts).every((count) => count > play.size / 20),
        "each kind of answer is met",
      );
  },
};
