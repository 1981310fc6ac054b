import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, resolveConfig } from "prettier";
import { repositoryRoot } from "../support/paths.js";

const columnsMax = 140;
const files = ["src", "test", "bench"].flatMap((folder) =>
  readdirSync(join(repositoryRoot(), folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
    .map((name) => join(folder, name)),
);

test("house: every file is as `npm run format` leaves it", async () => {
  const others: string[] = [];
  for (const file of files) {
    const options = await resolveConfig(join(repositoryRoot(), file));
    assert.ok(options !== null, "the options stand in package.json");
    if (!(await check(textOf(file), { ...options, filepath: file }))) others.push(file);
  }
  assert.deepEqual(others, []);
});

test("house: a line of more than 140 columns has a text that stands in one piece", () => {
  const long = files.flatMap((file) => {
    const lines = textOf(file).split("\n");
    return lines.flatMap((line, index) => (line.length > columnsMax && !hasLongText(line) ? [`${file}:${index + 1}`] : []));
  });
  assert.deepEqual(long, []);
});

/** A text in quotes, a part of one that goes over several lines, a pattern. */
function hasLongText(line: string): boolean {
  return /"[^"]{20,}"|'[^']{20,}'|`|\/[^/]{20,}\/|\$\{/.test(line);
}

const textOf = (file: string): string => readFileSync(join(repositoryRoot(), file), "utf8");
