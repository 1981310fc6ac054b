/** A failed script, for the person who has to mend it. */
import { limits } from "../../config.js";
import {
  type FailedSubmission,
  type LedgerRecord,
  type ScriptOutcome,
  type ScriptFailure,
  showDefinition,
  showScript,
  type SourceLocation,
  type StackFrame,
} from "../outcome.js";
import { fieldLines, leftOut, recordLines, showLocation, showParties, treeLines } from "./text-tree.js";

export type FailedScript = Pick<ScriptOutcome, "script" | "trace" | "ledger"> & { readonly failure: ScriptFailure };

/** Which frames are of the package itself, and the text of their lines. */
export interface SourceLines {
  isOwn(package_: string): boolean;
  line(location: SourceLocation): string | undefined;
}

export function failureText({ script, failure, trace, ledger }: FailedScript, sources: SourceLines): string {
  const lines = [
    `${showScript(script)} failed${failure.question === undefined ? "" : ` at ${failure.question}`}:`,
    ...indent(messageLines(failure)),
    ...section(
      failure.isExact ? "Called at" : "After the question at",
      failure.stack.flatMap((frame) => frameLines(frame, sources)),
    ),
    ...(failure.submission === undefined ? [] : submissionLines(failure.submission)),
    ...section("Trace", trace),
    ...(ledger === undefined ? [] : ledgerLines(ledger)),
    ...(failure.hint === undefined ? [] : [`Hint: ${failure.hint}`]),
  ];
  return `${lines.join("\n")}\n`;
}

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
const section = (title: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : [`${title}:`, ...indent(lines)]);

function messageLines({ message, compared }: ScriptFailure): readonly string[] {
  const lines = message.split("\n");
  return compared === undefined ? lines : [...lines, `left:  ${compared[0]}`, `right: ${compared[1]}`, ...parting(...compared)];
}

/** Where long values part, which the eye does not find. */
function parting(left: string, right: string): readonly string[] {
  if (left === right || Math.min(left.length, right.length) <= limits.scriptLineCharsMax) return [];
  let at = 0;
  while (left[at] === right[at]) at++;
  const from = Math.max(0, at - partingChars),
    shown = (text: string): string =>
      `${from > 0 ? "..." : ""}${text.slice(from, at + partingChars)}${at + partingChars < text.length ? "..." : ""}`;
  return [`they part at ${shown(left)}`, `          and ${shown(right)}`];
}

/** Shown before and after the place. */
const partingChars = 30;

function frameLines({ function: name, location }: StackFrame, sources: SourceLines): readonly string[] {
  const source = sources.line(location);
  return [
    `${name} at ${showLocation(location)}${sources.isOwn(location.package) ? "" : ` (${location.package})`}`,
    ...(source === undefined ? [] : [`  ${location.startLine} | ${source.trimEnd()}`]),
  ];
}

function submissionLines({ actAs, readAs, commands, failed, partial, authority }: FailedSubmission): readonly string[] {
  return [
    `Submitted by ${showParties(actAs)}${readAs.length === 0 ? "" : `, reading as ${showParties(readAs)}`}:`,
    ...commands.flatMap(({ text, argument }, index) => [
      `${index === failed ? "> " : "  "}${text}${argument.length > 0 ? " with" : ""}`,
      ...indent(fieldLines(argument)),
    ]),
    ...(authority === undefined
      ? []
      : section("Authority", [
          `needed:  ${showParties(authority.required)}`,
          `given:   ${showParties(authority.given)}`,
          `missing: ${showParties(authority.missing)}`,
        ])),
    ...section("Until then", treeLines(partial, "", new Map())),
  ];
}

function ledgerLines(ledger: LedgerRecord): readonly string[] {
  const { active, activeLeftOut, time } = ledger;
  return [
    `Ledger time: ${time}`,
    ...section("Transactions", recordLines(ledger)),
    ...section("Active contracts", [
      ...leftOut(activeLeftOut, "contract"),
      ...active.map(({ contract, template }) => `${contract} ${showDefinition(template)}`),
    ]),
  ];
}
