/** A question of a script, and what it takes to answer it. */
import type { Value } from "../../lf/running-code.js";
import type { ScriptLedger } from "../ledger.js";
import type { ScriptLibrary } from "../library.js";
import type { ScriptPackages } from "../packages.js";
import type { FailureStatus } from "../stop.js";

/** What ran inside `Catch` and its kin. */
export type Attempt<T> = { readonly value: Value } | { readonly caught: T };

export interface Asked {
  readonly packages: ScriptPackages;
  readonly library: ScriptLibrary;
  readonly ledger: ScriptLedger;
  readonly version: number;
  /** A hexadecimal number of its own, for names. */
  uniqueSuffix(): string;
  /** Fails rather than outlast the time of the script. */
  sleep(micros: bigint): Promise<void>;
  /** Runs a script inside this one. `act` is a function of unit. */
  catchException(act: Value): Promise<Attempt<Value>>;
  catchFailureStatus(act: Value): Promise<Attempt<FailureStatus>>;
  /** `script` is one already. */
  catchFailedQuestion(script: Value): Promise<Attempt<{ readonly question: string; readonly class_: string; readonly message: string }>>;
  throwException(exception: Value): never;
  throwFailureStatus(status: FailureStatus): never;
}

export interface Question {
  readonly versions: readonly number[];
  /** `payload`: the fields of the question's record. */
  answer(fields: readonly Value[], asked: Asked): Promise<Value>;
}

export type Questions = Readonly<Record<string, Question>>;

export const question = (answer: Question["answer"], versions: readonly number[] = [1]): Question => ({ versions, answer });
