/** A coverage report for the terminal. */
import { type Covered, type CoveragePart, type CoverageReport, percentage, unused } from "./coverage.js";

export const coverageText = ({ package: package_, internal, external }: CoverageReport): string =>
  [
    `Coverage of ${package_}`,
    "Modules internal to this package:",
    ...partLines(internal),
    "Modules external to this package:",
    ...partLines(external),
    "",
  ].join("\n");

const partLines = ({ templates, choices, interfaceChoices, implementations }: CoveragePart): readonly string[] => [
  ...coveredLines("templates", "created", templates),
  ...coveredLines("template choices", "exercised", choices),
  `- Interface implementations`,
  `  ${implementations.length} defined`,
  ...coveredLines("interface choices", "exercised", interfaceChoices),
];

function coveredLines(what: string, verb: string, covered: Covered): readonly string[] {
  const missing = unused(covered);
  return [
    `- ${what[0]!.toUpperCase()}${what.slice(1)}`,
    `  ${covered.defined.length} defined`,
    `  ${covered.used.length} (${percentage(covered).padStart(5)}%) ${verb}`,
    ...(missing.length === 0 ? [] : [`  never ${verb}: ${missing.length}`, ...missing.map((name) => `    ${name}`)]),
  ];
}
