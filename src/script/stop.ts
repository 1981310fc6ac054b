/** How a script ends before its end: thrown within this room, caught by the questions that catch, and at the top. */
import type { EngineError } from "../lf/index.js";
import type { AnyValue } from "../lf/running-code.js";
import type { FailedSubmission, StackFrame } from "./outcome.js";

/** FAIL_WITH_STATUS, an exception that nobody handled, or the same of a script. */
export interface FailureStatus {
  readonly errorId: string;
  readonly category: number;
  readonly message: string;
  readonly metadata: readonly (readonly [string, string])[];
}

export type StopReason =
  /** An exception of Daml on its way to a handler; only inside `Catch`. */
  | { readonly kind: "exception"; readonly exception: AnyValue }
  | { readonly kind: "failureStatus"; readonly status: FailureStatus }
  /** Code of the script that the engine could not run to its end. */
  | { readonly kind: "evaluation"; readonly error: EngineError }
  /** A question that was answered with an error. `class_` is the reference's name for it, which scripts can read. */
  | ({ readonly kind: "question"; readonly question: string; readonly stack: readonly StackFrame[] } & QuestionFailure)
  | { readonly kind: "limit"; readonly message: string };

export interface QuestionFailure {
  readonly class_: string;
  readonly message: string;
  /** The reference's words, where scripts read others than people. */
  readonly referenceText?: string;
  /** Put together when somebody reads it. */
  readonly submission?: () => FailedSubmission;
  readonly hint?: string;
  /** It made no sense before any ledger was asked: no script can catch that. */
  readonly senseless?: true;
  /** This kind of ledger cannot do it at all. */
  readonly refused?: true;
}

export class ScriptStop extends Error {
  override readonly name = "ScriptStop";
  constructor(readonly reason: StopReason) {
    super(reason.kind);
  }
}

/** A ledger's no; the runner adds which question it was and where it stands. */
export class QuestionFailed extends Error {
  override readonly name = "QuestionFailed";
  constructor(readonly failure: QuestionFailure) {
    super(failure.message);
  }
}

export const questionFailed = (class_: string, message: string, more: Omit<QuestionFailure, "class_" | "message"> = {}): QuestionFailed =>
  new QuestionFailed({ class_, message, ...more });

export const senseless = (message: string): QuestionFailed => questionFailed("ConverterException", message, { senseless: true });

/** What this kind of ledger cannot do, and which can. */
export const refusal = (what: string, instead: string): QuestionFailed =>
  questionFailed("UnsupportedOperationException", `${what} ${instead}`, { refused: true });
