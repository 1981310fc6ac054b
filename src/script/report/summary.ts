/** The lines of a test run. */
import { type ScriptOutcome, shownName } from "../outcome.js";

/** As the compiler names files of modules. */
export const fileOf = (module: string): string => `${module.replaceAll(".", "/")}.daml`;

const showMs = (ms: number): string => (ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const green = 32,
  red = 31;
const coloured = (text: string, colour: number, isColoured: boolean): string => (isColoured ? `\u001b[${colour}m${text}\u001b[0m` : text);

/** As in the reference, scripts of a dependency are named by that. */
export function outcomeLine(
  { script: { module, name, dependency = fileOf(module) }, failure, activeContracts, transactions, elapsedMs }: ScriptOutcome,
  isColoured = false,
): string {
  const what =
    failure === undefined
      ? `${coloured("ok", green, isColoured)}, ${activeContracts} active contracts, ${transactions} transactions`
      : coloured("failed", red, isColoured);
  return `${dependency}:${shownName(name)}: ${what}, ${showMs(elapsedMs)}.`;
}

export interface RunTotals {
  readonly dars: number;
  readonly passed: number;
  readonly failed: number;
  readonly elapsedMs: number;
  readonly scriptsMs: number;
  readonly threads: number;
}

export const totalsLine = ({ dars, passed, failed, elapsedMs, scriptsMs, threads }: RunTotals): string =>
  `${counted(passed + failed, "script")} of ${counted(dars, "DAR")}: ${passed} ok, ${failed} failed, ${showMs(scriptsMs)} of scripts in ${showMs(elapsedMs)} on ${counted(threads, "thread")}.`;
