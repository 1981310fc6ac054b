/** The table of cases that need several participants or synchronizers, beside this file, is of tests that are there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";

const folder = join(repositoryRoot(), "test", "scenarios"),
  cases = 67;

test("several participants: each case of the table is told by a test that is there", () => {
  const rows = readFileSync(join(folder, "several-participants.md"), "utf8")
    .split("\n")
    .filter((line) => /^\| [A-Z]\w+ \|/.test(line))
    .map((line) => line.split(" | ") as [string, string]);
  assert.equal(new Set(rows.map(([name]) => name)).size, cases);
  const sources = new Map<string, string>();
  for (const [name, told] of rows)
    for (const each of told.replace(/ \|$/, "").split("<br>")) {
      const [, file, sentence] = /^([\w-]+): (.+)$/.exec(each) ?? assert.fail(`${name}: ${each}`);
      const source = sources.get(file!) ?? readFileSync(join(folder, `${file}.test.ts`), "utf8");
      sources.set(file!, source);
      assert.ok(
        ["`", '"'].some((quote) => source.includes(`it(${quote}${sentence}${quote}`)),
        `${name}: ${sentence}`,
      );
    }
});
