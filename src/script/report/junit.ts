/** JUnit's XML: a suite for each file of a DAR, a case for each script. */
import type { ScriptOutcome } from "../outcome.js";
import { escaped } from "./markup.js";
import { fileOf } from "./summary.js";

/** Of a DAR. */
interface Reported {
  /** In front of those of its suites. */
  readonly name: string | undefined;
  readonly outcomes: readonly ScriptOutcome[];
}

export function junitXml(dars: readonly Reported[]): string {
  const suites = new Map<string, ScriptOutcome[]>(),
    all = dars.flatMap(({ outcomes }) => outcomes);
  for (const { name, outcomes } of dars)
    for (const outcome of outcomes) {
      const suite = `${name === undefined ? "" : `${name}/`}${fileOf(outcome.script.module)}`;
      suites.set(suite, [...(suites.get(suite) ?? []), outcome]);
    }
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites errors="0" failures="${failed(all)}" tests="${all.length}" time="${seconds(all)}">`,
    ...[...suites].flatMap(([suite, cases]) => [
      `  <testsuite name="${escaped(suite)}" tests="${cases.length}" failures="${failed(cases)}" errors="0" time="${seconds(cases)}">`,
      ...cases.map((outcome) => `    ${testCase(suite, outcome)}`),
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
  const start = `<testcase name="${escaped(name)}" classname="${escaped(suite)}" time="${seconds([outcome])}"`;
  return failure === undefined
    ? `${start}/>`
    : `${start}><failure message="${escaped(failure.message.split("\n")[0]!)}">${escaped(failure.message)}</failure></testcase>`;
}
