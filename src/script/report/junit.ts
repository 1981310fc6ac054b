/** JUnit's XML: a suite for each file, a case for each script. */
import type { ScriptOutcome } from "../outcome.js";
import { escaped } from "./markup.js";
import { fileOf } from "./summary.js";

export function junitXml(outcomes: readonly ScriptOutcome[]): string {
  const suites = new Map<string, ScriptOutcome[]>();
  for (const outcome of outcomes) {
    const file = fileOf(outcome.script.module);
    suites.set(file, [...(suites.get(file) ?? []), outcome]);
  }
  const failures = failed(outcomes);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites errors="0" failures="${failures}" tests="${outcomes.length}" time="${seconds(outcomes)}">`,
    ...[...suites].flatMap(([file, cases]) => [
      `  <testsuite name="${escaped(file)}" tests="${cases.length}" failures="${failed(cases)}" errors="0" time="${seconds(cases)}">`,
      ...cases.map((outcome) => `    ${testCase(file, outcome)}`),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

const failed = (outcomes: readonly ScriptOutcome[]): number => outcomes.filter(({ failure }) => failure !== undefined).length;
const seconds = (outcomes: readonly ScriptOutcome[]): string =>
  (outcomes.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000).toFixed(3);

function testCase(file: string, outcome: ScriptOutcome): string {
  const {
    script: { name },
    failure,
  } = outcome;
  const start = `<testcase name="${escaped(name)}" classname="${escaped(file)}" time="${seconds([outcome])}"`;
  return failure === undefined
    ? `${start}/>`
    : `${start}><failure message="${escaped(failure.message.split("\n")[0]!)}">${escaped(failure.message)}</failure></testcase>`;
}
