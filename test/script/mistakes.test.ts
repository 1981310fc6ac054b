/** `LEDGERLINE_RENEW=1 npm test -- script/mistakes` writes the texts anew; read the difference. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { testCommand } from "../../src/script/index.js";
import { repositoryRoot } from "../support/paths.js";
import { buildMistakesDar } from "./mistakes-dar.js";
import { isOn } from "../support/knobs.js";
import { temporaryFolder } from "../support/folders.js";

const mistakes = [
  "authority",
  "authorityInChoice",
  "spentTwice",
  "notSeen",
  "precondition",
  "assertion",
  "failsInChoice",
  "expectedFailure",
  "neverAllocated",
  "rollsBack",
];
const goldenOf = (name: string): string => join(repositoryRoot(), "test", "script", "golden", `${name}.txt`);

const folder = temporaryFolder("mistakes");

let failures: ReadonlyMap<string, string>;
before(async () => {
  const dar = join(folder, "bank-tests.dar");
  writeFileSync(dar, buildMistakesDar());
  const told: string[] = [];
  await testCommand(
    {
      dars: [dar],
      files: [],
      pattern: undefined,
      seed: "0",
      threads: 1,
      timeLimitMs: 60_000,
      mode: undefined,
      watch: false,
      reports: { junit: undefined, coverage: false, coverageOutputs: [], transactions: false, transactionsOutput: undefined },
    },
    {
      out: () => undefined,
      err: (text) => {
        told.push(text);
      },
    },
  );
  failures = new Map(told.map((text) => [/^Bank\.Tests:(\w+) failed/.exec(text)?.[1] ?? text, text]));
});

test("script mistakes: every script that errs has a text, and nothing else is told", () => {
  assert.deepEqual([...failures.keys()].sort(), [...mistakes].sort());
});

for (const name of mistakes) {
  test(`script mistakes: ${name} is explained as in its golden text`, () => {
    const text = failures.get(name)!;
    if (isOn("LEDGERLINE_RENEW")) writeFileSync(goldenOf(name), text);
    assert.equal(text, readFileSync(goldenOf(name), "utf8"));
  });
}
