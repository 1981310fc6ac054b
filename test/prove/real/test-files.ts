/** Tests that attack the program in a way of their own, as scenarios: each file in a process of its own, as `npm test` runs it. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Play, Scenario } from "../scenario.js";

const tests = fileURLToPath(new URL("../../", import.meta.url)),
  outputBytesMax = 64 * 1024 * 1024;

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Without what tells a test that another runs it. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NODE_TEST_CONTEXT"));

const run = (file: string, env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--test-reporter=tap", join(tests, `${file}.test.js`)],
      { env: { ...environment(), ...env }, maxBuffer: outputBytesMax },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    );
  });

const told = (output: string, what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, "m").exec(output)?.[1] ?? 0);

async function runFile(play: Play, file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { code, output } = await run(file, env);
  const failing = output
    .split("\n")
    .filter((line) => /^\s*not ok/.test(line))
    .join("\n");
  assert.equal(code, 0, `${file}\n${failing}\n${output.slice(-4_000)}`);
  const passed = told(output, "pass"),
    skipped = told(output, "skipped"); // where recorded data is not at hand, all of a file
  assert.ok(passed + skipped > 0, `${file} has tests`);
  play.count("tests passed", passed);
  if (skipped > 0) play.count("skipped", skipped);
}

/** `env`: gets the seed and the size of the run. */
export const ofTests = (
  scenario: Pick<Scenario, "name" | "holds"> & { readonly files: readonly string[]; readonly env?: NodeJS.ProcessEnv },
): Scenario => ({
  name: scenario.name,
  holds: scenario.holds,
  unit: "times",
  sizes: { test: 1, ci: 1, night: 3 },
  async run(play) {
    for (let time = 0; time < play.size; time++) {
      for (const file of scenario.files) await runFile(play, file, scenario.env ?? {});
      play.step();
    }
  },
});

export const authorization = ofTests({
  name: "authorization",
  files: ["auth/matrix", "conformance/recorded-authorisation"],
  holds: "every operation asks of every kind of caller for the rights that the recorded table says",
});
export const hostileModels = ofTests({
  name: "hostile-models",
  files: ["scenarios/hostile", "workers/slow-commands"],
  holds: "a model that takes all time or memory is refused by the name of a limit, and others go on",
});
export const fullDisks = ofTests({
  name: "full-disk",
  files: ["crash/full-disk", "ledger/commit-failures", "store/room"],
  holds: "a disk without room, or that fails, refuses writes, is readable, and takes writes again by itself",
});
export const clocks = ofTests({
  name: "clocks",
  files: ["crash/clock", "ledger/clock"],
  holds: "a clock that is set, also across restarts, breaks no order and no window",
});
export const locks = ofTests({
  name: "locks",
  files: ["main/data-folder", "crash/lifecycle"],
  holds: "one process owns a data folder, and gives it back however it ends",
});
export const longTurns = ofTests({
  name: "turns",
  files: ["attack/turns", "attack/large-commit"],
  holds: "beside the worst bodies for every operation nobody waits",
});
export const overload = ofTests({
  name: "overload",
  files: ["scenarios/overload", "scenarios/slow-readers"],
  holds: "more clients than places, and readers that do not read, cost others nothing",
});
export const signatures = ofTests({
  name: "signatures",
  files: ["external/stories", "external/onboarding"],
  holds: "what was not signed as it is takes no effect, and what was takes effect once",
});
