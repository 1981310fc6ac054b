/** `LEDGERLINE_RENEW=1 npm test -- script/mistakes` writes the texts anew; read the difference. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { repositoryRoot } from "../support/paths.js";
import { buildMistakesDar } from "./mistakes-dar.js";
import { runTests } from "./run-tests.js";
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
  const { errors } = await runTests({ dars: [dar] });
  failures = new Map(errors.map((text) => [/^Bank\.Tests:(\w+) failed/.exec(text)?.[1] ?? text, text]));
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
