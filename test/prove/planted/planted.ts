/** The harness attacked: each planted fault must be found by the run that is named for it, which must find nothing in the true program. */
import assert from "node:assert/strict";
import { testSeed } from "../as-test.js";
import { Violation, type Scenario } from "../scenario.js";
import { type PlantedFault, plantedFaults } from "./faults.js";
import { changed, copyOfBuild, runIn, type Copy } from "./plant.js";

const runMsMax = 240_000;

interface Found {
  readonly reason: string;
  readonly again: string;
}

/** What the run says of the case that found it. */
async function findings(copy: Copy, { foundBy, size }: PlantedFault): Promise<Found | undefined> {
  const { code, output } = await runIn(
    copy,
    "test/prove/run.js",
    ["--only", foundBy, "--count", String(size), "--seed", String(testSeed)],
    runMsMax,
  );
  assert.ok(code === 0 || code === 1, `the run ended with ${code}: ${output.slice(-2_000)}`);
  if (code === 0) return undefined;
  const reason = /^\S+, seed \d+: (.*)$/m.exec(output)?.[1] ?? output.slice(-2_000),
    again = /^again: .*$/m.exec(output)?.[0] ?? "";
  return { reason: reason.replace(/^(Error: )?(\w*Error( \[\w+\])?: )?/, ""), again };
}

export const planted: Scenario = {
  name: "planted-faults",
  unit: "faults",
  sizes: { test: 1, ci: plantedFaults.length, night: plantedFaults.length },
  holds: "every fault that is planted in the program is found by the run that is named for it",
  async run(play) {
    const copy = copyOfBuild();
    play.after(() => copy.remove());
    for (const [index, fault] of plantedFaults.slice(0, play.size).entries()) {
      const found = await changed(copy, fault, () => findings(copy, fault));
      if (found !== undefined && !fault.saying.test(found.reason))
        throw new Violation("planted-faults", play.seed, `it ${fault.name}, and ${fault.foundBy} says ${found.reason}`, index + 1);
      if (found === undefined)
        throw new Violation("planted-faults", play.seed, `it ${fault.name}, and ${fault.foundBy} found nothing`, index + 1);
      play.notes.push(`it ${fault.name}: ${fault.foundBy} says "${found.reason}"; ${found.again}`);
      play.count("found");
      play.step();
    }
  },
};
