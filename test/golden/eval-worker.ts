import { parentPort, workerData } from "node:worker_threads";
import { type EvalCount, runEval } from "./eval.js";

export interface EvalAnswers {
  readonly recorded: readonly EvalCount[];
  /** The same cases on packages of LF 2.2, whose expressions are interned. */
  readonly interned: readonly EvalCount[];
}

const folder = workerData as string;
const encodings = new Map([
  ["builtins-2.1", "builtins-2.2"],
  ["evalorder-2.1", "evalorder-2.2"],
]);
parentPort!.postMessage({ recorded: runEval(folder), interned: runEval(folder, encodings) } satisfies EvalAnswers);
