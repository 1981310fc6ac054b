/**
 * Runs a script: it is a chain of questions, each with a function from its answer to the rest. Code of the script runs in
 * one go from question to question; between two of them the runner looks at the clock.
 */
import { setTimeout as wait } from "node:timers/promises";
import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import { limits } from "../config.js";
import { AnyValue, apply1, DamlException, FatalError, type Fn, type RecordValue, unit, type Value, Variant } from "../lf/running-code.js";
import type { DefinitionId, EngineError } from "../lf/index.js";
import type { ScriptLedger } from "./ledger.js";
import type { ScriptLibrary } from "./library.js";
import type { StackFrame } from "./outcome.js";
import type { ScriptPackages } from "./packages.js";
import { questions, type Asked, type Attempt } from "./questions/index.js";
import { type FailureStatus, QuestionFailed, ScriptStop, type StopReason } from "./stop.js";
import { fieldsOf, idOf, stackOf } from "./values.js";

export interface ScriptRunOptions {
  readonly packages: ScriptPackages;
  readonly library: ScriptLibrary;
  readonly ledger: ScriptLedger;
  readonly timeLimitMs: number;
  readonly uniqueSuffix: () => string;
}

/** What becomes of a Daml exception that leaves the code: it travels on inside `Catch`, else it is a failure status. */
type Exceptions = "travel" | "become failures";

export class ScriptRun {
  readonly #options: ScriptRunOptions;
  readonly #deadline: number;
  /** Of the last question, for code that fails after it. */
  lastStack: readonly StackFrame[] = [];
  questions = 0;

  constructor(options: ScriptRunOptions) {
    this.#options = options;
    this.#deadline = performance.now() + options.timeLimitMs;
  }

  /** A top-level value, applied to an argument if it is a function. */
  start(id: DefinitionId, argument?: Value): Promise<Value> {
    return this.run("become failures", (compiled) => {
      const value = compiled.value(id);
      return argument === undefined ? value : apply1(value as Fn, argument);
    });
  }

  /** `script`: code that gives one. */
  async run(exceptions: Exceptions, script: Parameters<ScriptRun["evaluate"]>[1]): Promise<Value> {
    const run = fieldsOf(this.evaluate(exceptions, script))[0] as Fn;
    let free = this.evaluate(exceptions, () => apply1(run, unit)) as Variant;
    while (free.constructor_ === "Free") {
      const [name, version, payload, locations, next] = fieldsOf(fieldsOf(free.value)[0]!);
      const answer = await this.#answer(
        { name: name as string, version: Number(version), payload: payload!, stack: stackOf(locations!) },
        exceptions,
      );
      free = this.evaluate(exceptions, () => apply1(next as Fn, answer)) as Variant;
    }
    assert(free.constructor_ === "Pure", "a script ends or asks");
    return fieldsOf(free.value)[0]!;
  }

  /** Runs code of the script. */
  evaluate(exceptions: Exceptions, compute: Parameters<ScriptPackages["engine"]["evaluate"]>[0]): Value {
    try {
      const result = this.#options.packages.engine.evaluate(compute);
      if (isFailure(result)) throw new ScriptStop(stoppedBy(result.error));
      return result.ok as Value;
    } catch (error) {
      if (error instanceof DamlException) this.#throw(error.exception, exceptions);
      throw error;
    }
  }

  async #answer(
    {
      name,
      version,
      payload,
      stack,
    }: { readonly name: string; readonly version: number; readonly payload: Value; readonly stack: readonly StackFrame[] },
    exceptions: Exceptions,
  ): Promise<Value> {
    this.questions++;
    if (stack.length > 0) this.lastStack = stack;
    this.#checkTime();
    const known = questions[name];
    if (!known?.versions.includes(version))
      throw new ScriptStop({
        kind: "question",
        question: name,
        stack,
        class_: "ConverterException",
        senseless: true,
        refused: true,
        message: unknownQuestion(name, version, known?.versions),
      });
    try {
      return await known.answer(payload as RecordValue, this.#asked(version, exceptions));
    } catch (error) {
      if (error instanceof QuestionFailed) throw new ScriptStop({ kind: "question", question: name, stack, ...error.failure });
      // A value that no ledger can hold: too deep, or a text that is none.
      if (error instanceof FatalError)
        throw new ScriptStop({ kind: "question", question: name, stack, class_: "ConverterException", message: error.error.message });
      throw error;
    }
  }

  #asked(version: number, exceptions: Exceptions): Asked {
    const { packages, library, ledger, uniqueSuffix } = this.#options;
    return {
      packages,
      library,
      ledger,
      version,
      uniqueSuffix,
      sleep: (micros) => this.#sleep(micros),
      catchException: (act) =>
        attempt(
          this.run("travel", () => apply1(act as Fn, unit)),
          (reason) => (reason.kind === "exception" ? { caught: reason.exception } : undefined),
        ),
      catchFailureStatus: (act) =>
        attempt(
          this.run("become failures", () => apply1(act as Fn, unit)),
          (reason) => (reason.kind === "failureStatus" ? { caught: reason.status } : undefined),
        ),
      catchFailedQuestion: (script) =>
        attempt(
          this.run(exceptions, () => script),
          (reason) =>
            reason.kind === "question" && !reason.senseless
              ? { caught: { question: reason.question, class_: reason.class_, message: reason.referenceText ?? reason.message } }
              : undefined,
        ),
      throwException: (exception) => this.#throw(exception as AnyValue, exceptions),
      throwFailureStatus: (status) => {
        throw new ScriptStop({ kind: "failureStatus", status });
      },
    };
  }

  #throw(exception: AnyValue, exceptions: Exceptions): never {
    if (exceptions === "travel") throw new ScriptStop({ kind: "exception", exception });
    throw new ScriptStop({
      kind: "failureStatus",
      status: pseudoException(exception) ?? failureStatusOf(this.#options.packages.engine.asFailure(exception)),
    });
  }

  async #sleep(micros: bigint): Promise<void> {
    const sleepMs = Number(micros) / 1000,
      wanted = `The script wanted to sleep for ${showSeconds(sleepMs)}, which is longer than`;
    if (performance.now() + sleepMs > this.#deadline)
      throw new ScriptStop({ kind: "limit", message: `${wanted} it may take: ${showSeconds(this.#options.timeLimitMs)}.` });
    if (sleepMs > limits.scriptSleepMaxMs)
      throw new ScriptStop({ kind: "limit", message: `${wanted} any may sleep: ${showSeconds(limits.scriptSleepMaxMs)}.` });
    await wait(Math.max(0, sleepMs));
  }

  #checkTime(): void {
    if (performance.now() > this.#deadline) throw new ScriptStop({ kind: "limit", message: timedOut(this.#options.timeLimitMs) });
  }
}

const showSeconds = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`);
export const timedOut = (timeLimitMs: number): string => `The script took more than ${showSeconds(timeLimitMs)} and was stopped.`;

async function attempt<T>(run: Promise<Value>, catching: (reason: StopReason) => { readonly caught: T } | undefined): Promise<Attempt<T>> {
  try {
    return { value: await run };
  } catch (error) {
    const caught = error instanceof ScriptStop ? catching(error.reason) : undefined;
    if (caught === undefined) throw error;
    return caught;
  }
}

const unknownQuestion = (name: string, version: number, versions: readonly number[] | undefined): string =>
  versions === undefined
    ? `The script asks ${name}, which this runner does not know: its Daml Script library is newer.`
    : `The script asks ${name} in version ${version}; this runner knows ${versions.join(", ")}.`;

/** Failures that code raises on purpose can be caught; those of the engine cannot. */
function stoppedBy(error: EngineError): StopReason {
  if (error.phase === "interpretation" && error.class === "FailureStatus") return { kind: "failureStatus", status: failureStatusOf(error) };
  if (error.phase === "interpretation" && error.class === "LimitExceeded")
    return { kind: "limit", message: limitReached(error.detail.limit) };
  return { kind: "evaluation", error };
}

function limitReached(limit: string): string {
  if (limit === "stepsMax")
    return `Code of the script made more than ${limits.stepsMax.toLocaleString("en")} steps between two questions and was stopped.`;
  if (limit === "stack") return "Code of the script called itself too deep and was stopped.";
  if (limit === "functionParametersMax")
    return `Code of the script has a function or a struct of more than ${limits.functionParametersMax.toLocaleString("en")} parts and was stopped.`;
  return `Code of the script made more data than fits (${limit}) and was stopped.`;
}

function failureStatusOf(error: EngineError): FailureStatus {
  assert(error.phase === "interpretation" && error.class === "FailureStatus", "an exception becomes a failure status");
  const { errorId, failureCategory: category, errorMessage: message, metadata } = error.detail;
  return { errorId, category, message, metadata };
}

const pseudoTexts: Readonly<Record<string, (payload: RecordValue) => string>> = {
  InvalidUserId: ([message]) => message as string,
  UserAlreadyExists: ([userId]) => `User already exists: ${fieldsOf(userId!)[0] as string}`,
  UserNotFound: ([userId]) => `User not found: ${fieldsOf(userId!)[0] as string}`,
};

/** The library throws these without declaring them as exceptions, so they have no message function. */
function pseudoException({ type, value }: AnyValue): FailureStatus | undefined {
  const { module, name } = idOf(type);
  const text = module.startsWith("Daml.Script.Internal.") ? pseudoTexts[name] : undefined;
  return text && { errorId: `UNHANDLED_EXCEPTION/${module}:${name}`, category: 9, message: text(fieldsOf(value)), metadata: [] };
}
