/**
 * A script's failure as the reference's runner prints it: the Java class, the question that was answered with an error, and where it was
 * asked. Summaries and lines of results hold it, which tools read; people read the other text, which knows more.
 */
import { interpretationText } from "../lf/index.js";
import type { StackFrame } from "./outcome.js";
import type { ScriptPackages } from "./packages.js";
import { ScriptStop, type StopReason } from "./stop.js";

/** Undefined: the reference has nothing like it. */
export function referenceFailure(error: unknown, packages: ScriptPackages): string | undefined {
  if (!(error instanceof ScriptStop)) return undefined;
  const { reason } = error;
  switch (reason.kind) {
    case "question":
      return questionText(reason, packages);
    case "failureStatus":
      return interpretationFailed(
        `User failure: ${reason.status.errorId} (error category ${reason.status.category}): ${reason.status.message}`,
      );
    case "evaluation":
      return interpretationFailed(reason.error.phase === "interpretation" ? interpretationText(reason.error) : reason.error.message);
    case "exception":
    case "limit":
      return undefined;
  }
}

const interpretationFailed = (text: string): string => `com.digitalasset.daml.lf.engine.free.InterpretationError: Error: ${text}`;

function questionText(
  { question, stack, class_, message, referenceText = message, senseless }: Extract<StopReason, { kind: "question" }>,
  packages: ScriptPackages,
): string {
  if (senseless) return `com.digitalasset.daml.lf.script.converter.ConverterException: ${referenceText}`;
  // It has no message of its own, so that Java shows its parts.
  const cause = class_ === "SErrorDamlException" ? `${class_}(UserError(${referenceText}))` : referenceText;
  return [
    `com.digitalasset.daml.lf.engine.script.Script$FailedCmd: Command ${question} failed: ${cause}`,
    "Daml stacktrace:",
    ...stack.map((frame) => frameText(frame, packages)),
  ].join("\n");
}

/** The reference counts lines from 0 here. */
const frameText = ({ function: name, location }: StackFrame, packages: ScriptPackages): string =>
  `${name} at ${packageId(location.package, packages)}:${location.module}:${location.startLine - 1}`;

function packageId(unit: string, { main, all }: ScriptPackages): string {
  if (unit === "main") return main.id;
  return [...all].find(({ name, version }) => `${name}-${version}` === unit)?.id ?? unit;
}
