/** JUnit's XML: a suite for each file of a DAR, a case for each script; and a suite for each DAR that could not be run. */
import { type ScriptOutcome, shownName } from "../outcome.js";
import { escaped } from "./markup.js";
import { fileOf } from "./summary.js";

/** Of a DAR. */
interface Reported {
  /** In front of those of its suites. */
  readonly name: string | undefined;
  readonly outcomes: readonly ScriptOutcome[];
}

/** Without scripts that could be run, and why. */
interface Unusable {
  readonly file: string;
  readonly why: string;
}

export function junitXml(dars: readonly Reported[], unusable: readonly Unusable[]): string {
  const suites = new Map<string, ScriptOutcome[]>(),
    all = dars.flatMap(({ outcomes }) => outcomes);
  for (const { name, outcomes } of dars)
    for (const outcome of outcomes) {
      const suite = `${name === undefined ? "" : `${name}/`}${fileOf(outcome.script.module)}`;
      suites.set(suite, [...(suites.get(suite) ?? []), outcome]);
    }
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites errors="${unusable.length}" failures="${failed(all)}" tests="${all.length + unusable.length}" time="${seconds(all)}">`,
    ...[...suites].flatMap(([suite, cases]) => [
      `  <testsuite name="${escaped(suite)}" tests="${cases.length}" failures="${failed(cases)}" errors="0" time="${seconds(cases)}">`,
      ...cases.map((outcome) => `    ${testCase(suite, outcome)}`),
      "  </testsuite>",
    ]),
    ...unusable.flatMap(({ file, why }) => [
      `  <testsuite name="${escaped(file)}" tests="1" failures="0" errors="1" time="${seconds([])}">`,
      `    ${startOfCase(file, file, [])}>${inElement("error", why)}</testcase>`,
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

const failed = (outcomes: readonly ScriptOutcome[]): number => outcomes.filter(({ failure }) => failure !== undefined).length;
const seconds = (outcomes: readonly ScriptOutcome[]): string =>
  (outcomes.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000).toFixed(3);

function testCase(suite: string, outcome: ScriptOutcome): string {
  const {
    script: { name },
    failure,
  } = outcome;
  const start = startOfCase(shownName(name), suite, [outcome]);
  return failure === undefined ? `${start}/>` : `${start}>${inElement("failure", failure.message)}</testcase>`;
}

const startOfCase = (name: string, suite: string, outcomes: readonly ScriptOutcome[]): string =>
  `<testcase name="${escaped(name)}" classname="${escaped(suite)}" time="${seconds(outcomes)}"`;
const inElement = (element: "failure" | "error", text: string): string =>
  `<${element} message="${escaped(text.split("\n")[0]!)}">${escaped(text)}</${element}>`;
