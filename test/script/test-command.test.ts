import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { buildDar, buildPackage, ModuleBuilder } from "../support/lf-builder.js";
import { testData } from "../support/paths.js";
import { ScriptBuilder } from "../support/script-builder.js";
import { buildLibrary } from "../support/script-library.js";
import { buildMistakesDar } from "./mistakes-dar.js";
import { type Asked, runTests } from "./run-tests.js";
import { buildSampleDar } from "./sample-dar.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("script");

const file = (name: string, bytes: Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const sample = file("sample.dar", buildSampleDar());

async function run(asked: Partial<Asked>): Promise<{ readonly isGood: boolean; readonly out: string; readonly err: string }> {
  const { isGood, out, errors } = await runTests({ dars: [sample], ...asked });
  return {
    isGood,
    out: out.replaceAll(folder, "FOLDER").replaceAll(/[\d.]+ m?s\b/g, "T"),
    err: errors.join("").replaceAll(folder, "FOLDER"),
  };
}

let all: Awaited<ReturnType<typeof run>>;
before(async () => {
  all = await run({ threads: 2 });
});

test("test command: every script has a line, a failure of one does not stop the others", () => {
  const { isGood, out, err } = all;
  assert.equal(isGood, false);
  assert.deepEqual(out.split("\n"), [
    "Test Summary",
    "",
    "Tests/Sample.daml:a_works: ok, 1 active contracts, 1 transactions, T.",
    "Tests/Sample.daml:anyName: ok, 1 active contracts, 1 transactions, T.",
    "Tests/Sample.daml:b_lacksAuthority: failed, T.",
    "Tests/Sample.daml:c_asserts: failed, T.",
    "Tests/Sample.daml:e_sleeps: failed, T.",
    "Tests/Sample.daml:f_expectsFailure: ok, 0 active contracts, 1 transactions, T.",
    "Tests/Sample.daml:g_asksTooMuch: failed, T.",
    "Tests/Sample.daml:loops: failed, T.",
    "",
    ...coverage(["2 defined", "1 ( 50.0%) created"], ["1 defined", "0 (  0.0%) exercised"]),
    "",
    "8 scripts of 1 DAR: 3 ok, 5 failed, T of scripts in T on 2 threads.",
    "",
  ]);
  assert.match(err, /Sample:loops failed:\n {2}Code of the script/);
  assert.match(err, /e_sleeps failed:\n {2}The script wanted to sleep for 31536000 s/);
  assert.match(err, /g_asksTooMuch failed at Divine:\n {2}The script asks Divine, which this runner does not know/);
});

/** Of a package without interfaces. */
function coverage(templates: readonly string[], choices: readonly string[]): readonly string[] {
  const none = (verb: string): readonly string[] => [
    "  0 defined",
    ...["any", "internal", "external"].map((which) => `  0 (100.0%) ${verb} in ${which} tests`),
  ];
  return [
    "Modules internal to this package:",
    ...[
      "- Internal templates",
      ...templates.map((line) => `  ${line}`),
      "- Internal template choices",
      ...choices.map((line) => `  ${line}`),
    ],
    ...["- Internal interface implementations", "  0 defined", "    0 internal interfaces", "    0 external interfaces"],
    ...["- Internal interface choices", "  0 defined", "  0 (100.0%) exercised"],
    "Modules external to this package:",
    ...["- External templates", ...none("created"), "- External template choices", ...none("exercised")],
    ...["- External interface implementations", "  0 defined", "- External interface choices", ...none("exercised")],
  ];
}

test("test command: a failed submission shows who lacked authority, what was done until then, and where", () => {
  const [own] = all.err.split(/(?<=\n)\n/);
  assert.equal(
    own!,
    [
      "Tests.Sample:b_lacksAuthority failed at Submit:",
      "  creating Tests.Sample:Iou requires authorizers bob, but only alice were given",
      "Called at:",
      "  lacksAuthority at Tests.Sample:20:3",
      "Submitted by 'alice':",
      "  create Tests.Sample:Iou with",
      "    issuer = 'alice'",
      "    owner = 'bob'",
      "    amount = 1",
      "> create Tests.Sample:Iou with",
      "    issuer = 'bob'",
      "    owner = 'alice'",
      "    amount = 1",
      "Authority:",
      "  needed:  'bob'",
      "  given:   'alice'",
      "  missing: 'bob'",
      "Until then:",
      "  0",
      "  └─> 'alice' creates Tests.Sample:Iou with",
      "        issuer = 'alice'",
      "        owner = 'bob'",
      "        amount = 1",
      "Ledger time: 1970-01-01T00:00:00Z",
      "",
    ].join("\n"),
  );
});

test("test command: an assertion shows the values that it compared", () => {
  assert.match(all.err, /5 \/= 6\n {2}left: {2}5\n {2}right: 6\nAfter the question at:\n {2}asserts at Tests\.Sample:30:3/);
});

test("test command: scripts are chosen by file, module and part of a name, which has its module in front where there is a colon", async () => {
  const count = async (options: Partial<Asked>): Promise<string> => /\n(\d+) scripts?/.exec((await run(options)).out)![1]!;
  assert.equal(await count({ files: ["Tests.Sample", "Tests/Sample.daml"], pattern: "works" }), "1");
  assert.equal(await count({ files: ["Other.daml"] }), "0");
  assert.equal(await count({ pattern: "Sample" }), "0");
  assert.equal(await count({ pattern: "Sample:a_" }), "1");
});

test("test command: what chooses no script is told, as it may have been mistyped", async () => {
  const told = async (options: Partial<Asked>): Promise<unknown> => {
    const { isGood, err } = await run(options);
    return [isGood, err];
  };
  const works = { pattern: "works" };
  assert.deepEqual(await told({ pattern: "wroks" }), [true, "No script was selected by --test-pattern wroks.\n"]);
  assert.deepEqual(await told({ files: ["Smaple.daml"], ...works }), [
    true,
    "No script was selected by --files Smaple.daml and --test-pattern works.\n",
  ]);
  assert.deepEqual(await told({ files: ["Tests.Sample", "Smaple.daml"], ...works }), [
    true,
    "No script was selected by --files Smaple.daml.\n",
  ]);
  assert.deepEqual(await told({ files: ["Tests.Sample"], ...works }), [true, ""]);
});

test("test command: a file chooses its own module, not one whose name is the end of its name, with slashes of either kind", async () => {
  const [first, ...others] = ["Test", "MyTest", "Sub.Test"].map((name) => new ModuleBuilder(name)),
    script = new ScriptBuilder(first!);
  for (const each of [script, ...others.map((module) => new ScriptBuilder(module, script.library))]) each.define("runs", each.end());
  const dar = file("files.dar", script.buildDar("files", [first!, ...others])),
    chosen = async (...files: string[]): Promise<readonly string[]> =>
      [...(await run({ dars: [dar], files })).out.matchAll(/^(\S+)\.daml:runs: ok/gm)].map(([, name]) => name!);
  assert.deepEqual(await chosen("daml/MyTest.daml"), ["MyTest"]);
  assert.deepEqual(await chosen("C:\\work\\daml\\MyTest.daml"), ["MyTest"]);
  assert.deepEqual(await chosen("Test.daml"), ["Test"]);
  assert.deepEqual(await chosen("daml\\Sub\\Test.daml"), ["Sub/Test"], "the nearest of two that it may be");
});

test("test command: a script whose name has a prime is run as any other, and what the compiler made is not", async () => {
  const module = new ModuleBuilder("M"),
    script = new ScriptBuilder(module);
  for (const name of ["set$u0027up$u0027", "$dScript"]) script.define(name, script.end());
  const dar = file("primes.dar", script.buildDar("primes", [module])),
    { out } = await run({ dars: [dar] });
  assert.deepEqual(
    [...out.matchAll(/^M\.daml:(\S+): ok/gm)].map(([, name]) => name),
    ["set'up'"],
  );
});

test("test command: a script may be given more time than a timer can count", async () => {
  const { isGood, out } = await run({ pattern: "a_works", timeLimitMs: 999_999_999_000 });
  assert.match(out, /a_works: ok/);
  assert.ok(isGood);
});

test("test command: what is no DAR, has no scripts or cannot be read is one sentence, and the other DARs run", async () => {
  const empty = file("empty.dar", buildDar(buildPackage({ name: "empty", version: "1.0.0", modules: [new ModuleBuilder("M")] })));
  const broken = file("broken.dar", Buffer.from("no zip"));
  const { isGood, out, err } = await run({ dars: [broken, empty, join(folder, "missing.dar"), sample], pattern: "a_works" });
  assert.equal(isGood, false);
  assert.match(out, /a_works: ok/);
  const [first, second, third] = err.split("\n");
  assert.match(first!, /^FOLDER\/broken\.dar: /);
  assert.equal(second, "FOLDER/empty.dar has no scripts that run without an argument.");
  assert.match(third!, /^FOLDER\/missing\.dar cannot be read: /);
});

test("test command: a DAR of LF 1, and one whose scripts are of a library that nobody knows, are one sentence each", async () => {
  const module = new ModuleBuilder("Tests.Later"),
    script = new ScriptBuilder(module, buildLibrary("newest", { name: "daml-script-next", version: "9.0.0" }));
  script.define("works", script.end());
  const later = file("later.dar", script.buildDar("later", [module])),
    lf1 = testData("engine", "dars-invalid", "mal-lf1.dar");
  const { isGood, out, err } = await run({ dars: [lf1, later, sample], pattern: "works" });
  assert.equal(isGood, false);
  assert.match(out, /a_works: ok/);
  const [first, second, ...others] = err.trimEnd().split("\n");
  assert.match(first!, /mal-lf1\.dar: Disallowed language version in package .* but got 1\.15$/);
  assert.deepEqual(
    [second, others],
    ["FOLDER/later.dar: its scripts are of a library that is not known here: daml-script-next-9.0.0.", []],
  );
});

test("test command: any number of threads and any order of DARs give the same outcomes, ids and party names included", async () => {
  const mistakes = file("mistakes.dar", buildMistakesDar());
  const outcomes = async (options: Partial<Asked>): Promise<readonly string[]> => {
    const { out, err } = await run({ reports: { transactions: true }, ...options });
    return [
      ...out
        .split(/\n(?=\S+\.daml:)/)
        .slice(1)
        .map((each) => each.replace(/\n\n(?:\d+ scripts|Coverage of)[^]*$/, "").trimEnd()),
      ...err.split(/(?<=\n)\n/),
    ].sort();
  };
  const expected = await outcomes({ dars: [sample, mistakes], threads: 1 });
  assert.ok(expected.length > 30);
  for (const dars of [
    [sample, mistakes],
    [mistakes, sample],
  ])
    for (const threads of [2, 4]) assert.deepEqual(await outcomes({ dars, threads }), expected);
});

test("test command: what fails while nobody waits for it yet, as the next DAR is read, is the command's failure", async () => {
  let told = 0;
  const onOut = (): void => {
    if (++told > 1) throw new Error("nobody takes it");
  };
  const asked = { dars: [sample, sample], pattern: "none of them" }; // so that nothing has to run before it is told
  await assert.rejects(runTests(asked, { signal: new AbortController().signal, onOut }), /nobody takes it/);
});
