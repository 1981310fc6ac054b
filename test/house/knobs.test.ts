import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";
import { count, knobTable } from "../support/knobs.js";

const files = ["test", "bench"]
  .flatMap((folder) => readdirSync(join(repositoryRoot(), folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith(".ts") && file !== join("test", "support", "knobs.ts"));
const textOf = (file: string): string => readFileSync(join(repositoryRoot(), file), "utf8");

test("knobs: tests and benchmarks read the environment by their table only", () => {
  assert.deepEqual(
    files.filter((file) => !file.endsWith("knobs.test.ts") && /process\.env(\.|\[)/.test(textOf(file))),
    [],
  );
});

test("knobs: each of the table is read somewhere", () => {
  const all = files.map(textOf).join("\n"),
    names = [...knobTable().matchAll(/^\| `([A-Z_]+)/gm)].map(([, name]) => name!);
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name) => !new RegExp(`(count|text|isOn|knob)\\("${name}"\\)`).test(all)),
    [],
  );
});

test("knobs: what is no number is told, not read as one", (context) => {
  const before = process.env["LEDGERLINE_CREATES"];
  context.after(() => {
    if (before === undefined) delete process.env["LEDGERLINE_CREATES"];
    else process.env["LEDGERLINE_CREATES"] = before;
  });
  process.env["LEDGERLINE_CREATES"] = "many";
  assert.throws(() => count("LEDGERLINE_CREATES"), /LEDGERLINE_CREATES is a number, not "many"/);
});
