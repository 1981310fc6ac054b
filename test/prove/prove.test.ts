import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";
import { proves } from "./as-test.js";
import { plantedFaults } from "./planted/faults.js";
import { planted } from "./planted/planted.js";
import { idleStreams } from "./real/idle-streams.js";
import { mixedLoad } from "./real/mixed-load.js";
import { snapshots } from "./real/snapshots.js";
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
