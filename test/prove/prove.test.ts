import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { repositoryRoot } from "../support/paths.js";
import { proves } from "./as-test.js";
import { plantedFaults } from "./planted/faults.js";
import { planted } from "./planted/planted.js";
import { idleStreams } from "./real/idle-streams.js";
import { mixedLoad } from "./real/mixed-load.js";
import { snapshots } from "./real/snapshots.js";
import { playScenario, type Scenario, Violation } from "./scenario.js";
import { simulation } from "./simulation/simulation.js";

proves(simulation);
proves(snapshots);
proves(mixedLoad);
proves(idleStreams);
proves(planted);

test("prove: every place where a fault is planted is in the program, once", () => {
  const places = plantedFaults.map(({ name, file, text }) => [
    name,
    readFileSync(join(repositoryRoot(), "dist", file), "utf8").split(text).length - 1,
  ]);
  assert.deepEqual(
    places.filter(([, count]) => count !== 1),
    [],
  );
});

test("prove: a case that fails is told, whatever its cleanup says; those under way end before it, and no other begins", async () => {
  const ended: number[] = [];
  const scenario: Scenario = {
    name: "failing",
    holds: "nothing",
    unit: "cases",
    sizes: { test: 4, ci: 4, night: 4 },
    async run(play) {
      play.after(() => {
        throw new Error(`after ${ended.length}`);
      });
      await play.cases(async (seed, index) => {
        if (index === 0) throw new Error("the first");
        await sleep(20);
        ended.push(seed);
      }, 2);
    },
  };
  await assert.rejects(playScenario({ scenario, seed: 7, size: 4 }), (error: Violation) => {
    assert.match(error.message, /^failing, seed 7: Error: the first\n/);
    assert.deepEqual(error.played?.notes, ["it was not cleaned up: Error: after 1"]);
    return true;
  });
  assert.deepEqual(ended, [8]);
});
