/** The thread on which the engine is measured. */
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { testData } from "../../test/support/paths.js";
import { type CpuClock, cpuClock } from "./clock.js";
import { evaluations } from "./evaluations.js";
import type { EngineCase, EngineFigure, EngineFigures, EngineRun } from "./figures.js";
import { recordedSubmissions } from "./recorded-submissions.js";
import { submissions } from "./submissions.js";

interface Reference { readonly bench: string; readonly kind: "eval" | "submit"; readonly medianCpuNs: number; readonly result?: string; readonly nodes?: number }

const run = workerData as EngineRun;
const references = (JSON.parse(readFileSync(testData("engine", "timings.json"), "utf8")) as { readonly cases: readonly Reference[] }).cases;

function* cases(): IterableIterator<EngineCase> {
  yield* evaluations(run.largest);
  yield* submissions();
  if (run.real !== undefined) yield* recordedSubmissions(run.real);
}

function measure({ name, run: once, more }: EngineCase, clock: CpuClock): EngineFigure {
  const reference = references.find(({ bench }) => bench === name);
  if (reference === undefined) throw new Error(`no recorded time of ${name}`);
  const expected = reference.result === undefined ? reference.nodes : JSON.stringify(JSON.parse(reference.result));
  const result = once();
  if (result !== expected) throw new Error(`${name} gives ${result}, the reference ${expected}`);
  const note = more && `${more.name} ${(median(() => more.run(), clock) / 1000).toFixed(1)} µs`;
  return { name, kind: reference.kind, nanoseconds: median(once, clock), referenceNanoseconds: reference.medianCpuNs, ...(note === undefined ? {} : { note }) };
}

function median(once: () => unknown, clock: CpuClock): number {
  const atLeast = Math.max(1, Math.ceil((run.sampleMs * 1e6) / repeat(once, clock, run.warmUpMs)));
  const samples = Array.from({ length: run.samples }, () => repeat(once, clock, run.sampleMs, atLeast));
  return samples.sort((a, b) => a - b)[samples.length >> 1]!;
}

/** Nanoseconds of one run, from as many runs as take the given time. */
function repeat(once: () => unknown, clock: CpuClock, milliseconds: number, atLeast = 1): number {
  const start = clock.now();
  let runs = 0;
  for (let passed = 0; runs < atLeast || passed < milliseconds * 1e6; passed = clock.now() - start) {
    for (const until = Math.max(runs + 1, atLeast); runs < until; runs += 1) once();
  }
  return (clock.now() - start) / runs;
}

const clock = cpuClock();
const figures = [...cases()].filter(({ name }) => name.includes(run.only ?? "")).map((each) => measure(each, clock));
parentPort!.postMessage({ figures, clock: clock.name } satisfies EngineFigures);
