/** A coverage report for the terminal, line by line as the reference has it. */
import { type Covered, type CoveragePart, type CoverageReport, percentage, unused } from "./coverage.js";

/** `withNames`: also of what was never used. */
export const coverageText = ({ internal, external }: CoverageReport, withNames: boolean): string =>
  [
    "Modules internal to this package:",
    ...partLines("internal", internal, withNames),
    "Modules external to this package:",
    ...partLines("external", external, withNames),
    "",
  ].join("\n");

type Part = "internal" | "external";

function partLines(
  part: Part,
  { templates, choices, interfaceChoices, implementations, ofInternalInterfaces }: CoveragePart,
  withNames: boolean,
): readonly string[] {
  return [
    ...coveredLines(`${part} templates`, "created", templates, withNames),
    ...coveredLines(`${part} template choices`, "exercised", choices, withNames),
    ...headLines(`${part} interface implementations`, implementations.length),
    ...(part === "internal"
      ? [`    ${ofInternalInterfaces} internal interfaces`, `    ${implementations.length - ofInternalInterfaces} external interfaces`]
      : []),
    ...coveredLines(`${part} interface choices`, "exercised", interfaceChoices, withNames),
  ];
}

const headLines = (what: string, defined: number): readonly string[] => [
  `- ${what[0]!.toUpperCase()}${what.slice(1)}`,
  `  ${defined} defined`,
];

/** No script of a dependency can use what is internal. */
function coveredLines(what: string, verb: string, covered: Covered, withNames: boolean): readonly string[] {
  const missing = unused(covered),
    line = ({ length }: readonly string[], by: string): string => `  ${length} (${percentage(length, covered).padStart(5)}%) ${verb}${by}`;
  return [
    ...headLines(what, covered.defined.length),
    ...(what.startsWith("internal")
      ? [line(covered.used, "")]
      : [
          line(covered.used, " in any tests"),
          line(covered.usedByInternal, " in internal tests"),
          line(covered.usedByExternal, " in external tests"),
        ]),
    ...(withNames ? [`  ${what} never ${verb}: ${missing.length}`, ...missing.map((name) => `    ${name}`)] : []),
  ];
}
