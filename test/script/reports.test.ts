import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { escaped } from "../../src/script/report/markup.js";
import type { CoverageReport } from "../../src/script/report/coverage.js";
import { buildMistakesDar } from "./mistakes-dar.js";
import { runTests } from "./run-tests.js";
import { buildSampleDar } from "./sample-dar.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("reports");
const inFolder = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(inFolder(name), "utf8");

let out: string;
before(async () => {
  writeFileSync(inFolder("sample.dar"), buildSampleDar());
  ({ out } = await runTests({
    dars: [inFolder("sample.dar")],
    pattern: "_",
    reports: {
      junit: inFolder("of/today/junit.xml"),
      coverage: true,
      coverageOutputs: [inFolder("of/today/coverage.json"), inFolder("pages/coverage.html")],
      transactions: true,
      transactionsOutput: inFolder("pages"),
    },
  }));
});

test("reports: JUnit has a case for each script, and says what failed; the folders of reports are made", () => {
  assert.equal(
    read("of/today/junit.xml")
      .replaceAll(/time="[\d.]+"/g, 'time="T"')
      .replaceAll(/<failure message="([^"]*)">[^<]*<\/failure>/g, "<failure>$1</failure>"),
    [
      `<?xml version="1.0" encoding="UTF-8"?>`,
      `<testsuites errors="0" failures="4" tests="6" time="T">`,
      `  <testsuite name="Tests/Sample.daml" tests="6" failures="4" errors="0" time="T">`,
      `    <testcase name="a_works" classname="Tests/Sample.daml" time="T"/>`,
      `    <testcase name="b_lacksAuthority" classname="Tests/Sample.daml" time="T"><failure>creating Tests.Sample:Iou requires authorizers bob, but only alice were given</failure></testcase>`,
      `    <testcase name="c_asserts" classname="Tests/Sample.daml" time="T"><failure>User abort: 5 /= 6</failure></testcase>`,
      `    <testcase name="e_sleeps" classname="Tests/Sample.daml" time="T"><failure>The script wanted to sleep for 31536000 s, which is longer than it may take: 60 s.</failure></testcase>`,
      `    <testcase name="f_expectsFailure" classname="Tests/Sample.daml" time="T"/>`,
      `    <testcase name="g_asksTooMuch" classname="Tests/Sample.daml" time="T"><failure>The script asks Divine, which this runner does not know: its Daml Script library is newer.</failure></testcase>`,
      "  </testsuite>",
      "</testsuites>",
      "",
    ].join("\n"),
  );
});

test("reports: what XML cannot hold does not get there", () => {
  assert.equal(escaped('a<b>&"\u0000\ud800\ud83d\ude00'), "a&lt;b&gt;&amp;&quot;\ufffd\ufffd\ud83d\ude00");
});

test("reports: coverage counts what scripts that ran well created and exercised", () => {
  const [report] = JSON.parse(read("of/today/coverage.json")) as CoverageReport[],
    { templates, choices } = report!.internal;
  assert.deepEqual([templates.defined, templates.used], [["Tests.Sample:Iou", "Tests.Sample:Unused"], ["Tests.Sample:Iou"]]);
  assert.deepEqual([choices.defined, choices.used], [["Tests.Sample:Iou:Spend"], []]);
  assert.match(read("pages/coverage.html"), /<li class="failed">Tests\.Sample:Unused: never<\/li>/);
});

test("reports: of several DARs each has its page and its suites, though their files have the same name", async () => {
  const dars = ["one", "other"].map((name) => {
    mkdirSync(inFolder(name));
    writeFileSync(inFolder(`${name}/same.dar`), buildSampleDar(name));
    return inFolder(`${name}/same.dar`);
  });
  await runTests({ dars, pattern: "a_works", reports: { junit: inFolder("several.xml"), transactionsOutput: inFolder("several") } });
  assert.deepEqual(
    ["same.html", "same-2.html"].map((name) => /<title>(.*)<\/title>/.exec(read(`several/${name}`))?.[1]),
    ["Transactions of one-1.0.0", "Transactions of other-1.0.0"],
  );
  assert.deepEqual(
    elementsOf(read("several.xml")).map(({ name, attributes }) => [name, attributes["classname"] ?? attributes["name"]]),
    [
      ["testsuites", undefined],
      ["testsuite", "one-1.0.0/Tests/Sample.daml"],
      ["testcase", "one-1.0.0/Tests/Sample.daml"],
      ["testsuite", "other-1.0.0/Tests/Sample.daml"],
      ["testcase", "other-1.0.0/Tests/Sample.daml"],
    ],
  );
});

test("reports: JUnit has an error for each DAR that cannot be run, as who reads it alone has to see that", async () => {
  const none = inFolder("none.dar");
  await runTests({ dars: [none, inFolder("sample.dar")], pattern: "a_works", reports: { junit: inFolder("unusable.xml") } });
  const elements = elementsOf(read("unusable.xml")),
    [{ attributes: all }] = elements as [(typeof elements)[number]],
    [error] = elements.filter(({ name }) => name === "error");
  assert.deepEqual([all["tests"], all["failures"], all["errors"]], ["2", "0", "1"]);
  assert.ok(elements.some(({ name, attributes }) => name === "testsuite" && attributes["name"] === none && attributes["errors"] === "1"));
  assert.match(error!.attributes["message"]!, /none\.dar cannot be read: ENOENT/);
});

/** Names of elements and their attributes, if everything that begins ends. */
function elementsOf(xml: string): readonly { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [],
    open: string[] = [];
  for (const [, end, name, attributes, closed] of xml
    .replace(/^<\?xml[^>]*\?>/, "")
    .matchAll(/<(\/?)(\w+)((?: [\w-]+="[^"<]*")*)(\/?)>/g)) {
    if (end === "/") assert.equal(open.pop(), name);
    else {
      found.push({
        name: name!,
        attributes: Object.fromEntries([...attributes!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!])),
      });
      if (closed !== "/") open.push(name!);
    }
  }
  assert.deepEqual(open, []);
  return found;
}

test("reports: of a package with one template and four choices, and one script of ten that runs well, the counts are those made by hand", async () => {
  writeFileSync(inFolder("mistakes.dar"), buildMistakesDar());
  await runTests({
    dars: [inFolder("mistakes.dar")],
    mode: "NoKey",
    reports: { junit: inFolder("mistakes.xml"), coverageOutputs: [inFolder("mistakes.json")] },
  });
  const elements = elementsOf(read("mistakes.xml")),
    [all, suite, ...rest] = elements;
  assert.deepEqual(
    [all!.name, all!.attributes["tests"], all!.attributes["failures"], suite!.attributes["name"]],
    ["testsuites", "10", "9", "Bank/Tests.daml"],
  );
  assert.deepEqual([rest.filter(({ name }) => name === "testcase").length, rest.filter(({ name }) => name === "failure").length], [10, 9]);
  // The script that runs well creates an Iou and exercises Renegotiate; the others make transactions too, but fail. (A compiler adds
  // Archive.)
  const [
    {
      internal: { templates, choices },
    },
  ] = JSON.parse(read("mistakes.json")) as [CoverageReport];
  assert.deepEqual([templates.used.length, templates.defined.length, choices.used.length, choices.defined.length], [1, 1, 1, 4]);
  assert.deepEqual(choices.used, ["Bank.Tests:Iou:Renegotiate"]);
});

test("reports: the transactions of a script show who did what, what was to fail, and what is active", () => {
  assert.ok(
    out.includes(
      [
        "Transactions of Tests.Sample:a_works:",
        "  TX 0 1970-01-01T00:00:00Z (Tests.Sample:10:3)",
        "  #0:0",
        "  │   seen by 'alice'",
        "  └─> 'alice' creates Tests.Sample:Iou with",
        "        issuer = 'alice'",
        "        owner = 'alice'",
        "        amount = 1",
        "  Active contracts: #0:0",
        '  Return value: "hello"',
        "",
      ].join("\n"),
    ),
    out,
  );
  assert.match(
    out,
    /Transactions of Tests\.Sample:f_expectsFailure:\n {2}TX 0 must fail \(Tests\.Sample:60:3\)\n {4}actAs: 'alice' {2}readAs: nobody\n {4}failed: the precondition of/,
  );
  assert.match(read("pages/sample.html"), /<summary class="passed">Tests\/Sample\.daml:a_works: ok/);
});
