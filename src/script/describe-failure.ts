/** Why a script ended before its end, for people. */
import { stackOf } from "../base/error-text.js";
import { plainFailure, type ScriptFailure, type StackFrame } from "./outcome.js";
import type { Readable } from "./show/index.js";
import { type FailureStatus, ScriptStop, type StopReason } from "./stop.js";

/** `lastStack`: of the last question that the script asked. */
export function describeFailure(error: unknown, lastStack: readonly StackFrame[], readable: Readable): ScriptFailure {
  const failure = describe(error, lastStack),
    { compared } = failure;
  return { ...failure, message: readable(failure.message), compared: compared && [readable(compared[0]), readable(compared[1])] };
}

function describe(error: unknown, lastStack: readonly StackFrame[]): ScriptFailure {
  const unasked = (kind: ScriptFailure["kind"], message: string): ScriptFailure => ({ ...plainFailure(kind, message), stack: lastStack });
  if (!(error instanceof ScriptStop)) return unasked("crash", `The runner failed: ${stackOf(error)}`);
  const { reason } = error;
  switch (reason.kind) {
    case "question":
      return failedQuestion(reason);
    case "failureStatus":
      return { ...unasked("exception", statusText(reason.status)), compared: comparedValues(reason.status.message) };
    case "exception":
      return unasked("exception", "An exception left a handler.");
    case "evaluation":
      return { ...unasked("exception", reason.error.message), compared: comparedValues(reason.error.message) };
    case "limit":
      return unasked("limit", reason.message);
  }
}

function failedQuestion({ question, stack, message, submission, hint, refused }: Extract<StopReason, { kind: "question" }>): ScriptFailure {
  return {
    kind: refused ? "refused" : "question",
    message,
    question,
    stack,
    isExact: true,
    submission: submission?.(),
    compared: undefined,
    hint,
  };
}

const exceptionPrefix = "UNHANDLED_EXCEPTION/";

function statusText({ errorId, message }: FailureStatus): string {
  return errorId.startsWith(exceptionPrefix)
    ? `Unhandled exception ${errorId.slice(exceptionPrefix.length)}: ${message}`
    : `${errorId}: ${message}`;
}

/** `assertEq` and its kin say `left /= right`; the others similarly, some after an introduction. */
const comparison = /^([^]*?)\s(?:\/=|==|<=|>=|<|>)\s([^]*)$/,
  introduction = /^(?:User abort: )?(?:Failure, expected )?/;

function comparedValues(message: string): readonly [string, string] | undefined {
  const match = comparison.exec(message.replace(introduction, ""));
  return match === null ? undefined : [match[1]!.trim(), match[2]!.trim()];
}
