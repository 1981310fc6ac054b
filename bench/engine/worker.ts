/** The thread on which the engine is measured. */
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { median } from "../support/quantile.js";
import { testData } from "../../test/support/paths.js";
import { figure } from "../support/bench.js";
import { type CpuClock, cpuClock } from "./clock.js";
import { evaluations } from "./evaluations.js";
import type { EngineCase, EngineFigure, EngineFigures, EngineRun } from "./figures.js";
import { recordedSubmissions } from "./recorded-submissions.js";
import { submissions } from "./submissions.js";

interface Reference {
  readonly bench: string;
  readonly kind: "eval" | "submit";
  readonly medianCpuNs: number;
  readonly result?: string;
  readonly nodes?: number;
}

const run = workerData as EngineRun;
const references = (JSON.parse(readFileSync(testData("engine", "timings.json"), "utf8")) as { readonly cases: readonly Reference[] }).cases;

function* cases(): IterableIterator<EngineCase> {
  yield* evaluations(run.largest);
  yield* submissions();
  if (run.real !== undefined) yield* recordedSubmissions(run.real);
}

/** A case, with its result checked and its code warm, and the times of it so far. */
interface Measured {
  readonly once: () => unknown;
  readonly atLeast: number;
  readonly samples: number[];
}

function prepared(once: () => unknown, clock: CpuClock): Measured {
  return { once, atLeast: Math.max(1, Math.ceil((run.sampleMs * 1e6) / repeat(once, clock, run.warmUpMs))), samples: [] };
}

function checked({ name, run: once }: EngineCase): Reference {
  const reference = references.find(({ bench }) => bench === name);
  if (reference === undefined) throw new Error(`no recorded time of ${name}`);
  const expected = reference.result === undefined ? reference.nodes : JSON.stringify(JSON.parse(reference.result));
  const result = once();
  if (result !== expected) throw new Error(`${name} gives ${result}, the reference ${expected}`);
  return reference;
}

function checkedByHand({ name, run: once, byHand }: EngineCase, kind: Reference["kind"]): EngineCase["byHand"] {
  if (kind === "eval" && byHand.run() !== once()) throw new Error(`${name} gives ${String(byHand.run())} by hand`);
  return byHand;
}

/** Round after round over all cases: a machine that others share is slow for seconds at a time, and no case should have them all. */
function measure(all: readonly EngineCase[], clock: CpuClock): readonly EngineFigure[] {
  const cases = all.map((each) => {
    const reference = checked(each),
      byHand = checkedByHand(each, reference.kind);
    const others = [byHand, ...(each.more === undefined ? [] : [each.more])].map((other) => ({
      name: other.name,
      ...prepared(other.run, clock),
    }));
    return { name: each.name, reference, one: prepared(each.run, clock), others };
  });
  for (let round = 0; round < run.samples; round++) {
    for (const { one, others } of cases)
      for (const { once, atLeast, samples } of [one, ...others]) samples.push(repeat(once, clock, run.sampleMs, atLeast));
  }
  return cases.map(({ name, reference, one, others }) => ({
    name,
    kind: reference.kind,
    nanoseconds: median(one.samples),
    referenceNanoseconds: reference.medianCpuNs,
    note: others.map((other) => `${other.name} ${figure(median(other.samples) / 1000)} µs`).join(", "),
  }));
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
const figures = measure(
  [...cases()].filter(({ name }) => name.includes(run.only ?? "")),
  clock,
);
parentPort!.postMessage({ figures, clock: clock.name } satisfies EngineFigures);
