import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DarLoader } from "../../src/script/index.js";
import { runTests } from "./run-tests.js";
import { buildSampleDar } from "./sample-dar.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("watch");

test("test command: of the next build of a DAR only what changed is opened and checked", () => {
  const loader = new DarLoader(),
    [first, next] = ["hello", "good morning"].map((greeting) => loader.load("sample.dar", buildSampleDar("sample", greeting)).ok!);
  const ids = new Set(first!.packages.map(({ id }) => id)),
    changed = next!.packages.filter(({ id }) => !ids.has(id));
  assert.deepEqual(
    changed.map(({ name }) => name),
    ["sample"],
  );
  for (const package_ of next!.packages)
    if (!changed.includes(package_)) assert.ok(first!.packages.includes(package_), `${package_.name} is the same object`);
});

test("test command: packages of many builds are not kept for ever", () => {
  const loader = new DarLoader(1),
    [first, next] = [1, 2].map(() => loader.load("sample.dar", buildSampleDar()).ok!);
  assert.notEqual(next!.main, first!.main);
});

test("test command: a DAR that is built anew runs again, one that is broken says so, until the watching ends", async () => {
  const dar = join(folder, "sample.dar"),
    stop = new AbortController();
  writeFileSync(dar, buildSampleDar());
  const steps = [
    () => writeFileSync(dar, buildSampleDar("sample", "good morning")),
    () => writeFileSync(dar, "no zip"),
    () => stop.abort(),
  ];
  const { isGood, out, errors } = await runTests(
    { dars: [dar], pattern: "works", reports: { transactions: true } },
    {
      signal: stop.signal,
      onOut: (text) => {
        if (text.startsWith("Waiting")) steps.shift()!();
      },
    },
  );
  assert.equal(isGood, false, "the last run counts");
  assert.deepEqual(
    [...out.matchAll(/Return value: (.*)/g)].map(([, value]) => value),
    ['"hello"', '"good morning"'],
  );
  assert.match(errors.join(""), /sample\.dar: /);
});

test("test command: of DARs of which one is built anew, JUnit's file has the last outcomes of each; of a broken one that it is", async () => {
  const [one, other] = ["one", "other"].map((name) => join(folder, `${name}.dar`)) as [string, string],
    junit = join(folder, "junit.xml"),
    stop = new AbortController(),
    suites: (readonly (readonly [string, string])[])[] = [];
  writeFileSync(one, buildSampleDar("one"));
  writeFileSync(other, buildSampleDar("other"));
  const steps = [
    () => writeFileSync(other, buildSampleDar("another", "good morning")),
    () => writeFileSync(one, "no zip"),
    () => stop.abort(),
  ];
  await runTests(
    { dars: [one, other], pattern: "works", reports: { junit } },
    {
      signal: stop.signal,
      onOut: (text) => {
        if (!text.startsWith("Waiting")) return;
        suites.push(
          [...readFileSync(junit, "utf8").matchAll(/<testsuite name="([^"]*)" tests="(\d+)"/g)].map(([, name, tests]) => [name!, tests!]),
        );
        steps.shift()!();
      },
    },
  );
  const suite = (name: string): readonly [string, string] => [`${name}-1.0.0/Tests/Sample.daml`, "1"];
  assert.deepEqual(suites, [
    [suite("one"), suite("other")],
    [suite("one"), suite("another")],
    [suite("another"), [one, "1"]],
  ]);
});
