/**
 * How fast does the engine evaluate and interpret, beside the medians recorded from the reference engine for the same
 * packages and inputs? One thread runs the cases, in rounds; every result is checked.
 *
 * Figures are CPU time of that thread, so that what else the machine does does not count: Linux tells it in
 * /proc/thread-self/schedstat. Elsewhere it is the time of the whole process, which only makes us look slower.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { limits } from "../src/config.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import type { EngineFigures, EngineRun } from "./engine/figures.js";
import { text } from "../test/support/knobs.js";

/** Where the public DARs and the recorded steps that create the contracts lie: neither is part of this repository. */
const realDars = text("LEDGERLINE_REAL_DARS");
const recordings = text("LEDGERLINE_RECORDINGS");

interface Size {
  readonly samples: number;
  readonly sampleMs: number;
  readonly warmUpMs: number;
  readonly largest: number;
}

export const engine: BenchCase<Size> = {
  name: "engine",
  smoke: { samples: 1, sampleMs: 1, warmUpMs: 1, largest: 20_000 },
  full: { samples: 7, sampleMs: 100, warmUpMs: 400, largest: Infinity },
  async run(size) {
    const real = realDars === undefined || recordings === undefined ? undefined : { dars: realDars, recordings };
    if (real === undefined)
      console.log("engine: the cases on public packages are left out: LEDGERLINE_REAL_DARS and LEDGERLINE_RECORDINGS name no folders");
    const { pace, ...run } = size;
    pace.look();
    const { figures, clock } = await measure({ ...run, real, only: text("LEDGERLINE_BENCH_CASE") });
    pace.look();
    return [...figures.map((figure) => row(figure)), ...means(figures, clock)];
  },
};

/** On a thread with the stack of an engine thread: some cases recurse a million deep. */
async function measure(run: EngineRun): Promise<EngineFigures> {
  const worker = new Worker(new URL("./engine/worker.js", import.meta.url), {
    workerData: run,
    resourceLimits: {
      stackSizeMb: limits.workerStackMb,
      maxOldGenerationSizeMb: limits.workerOldGenerationMb,
      maxYoungGenerationSizeMb: limits.workerYoungGenerationMb,
    },
  });
  const [answer] = (await once(worker, "message")) as [EngineFigures];
  await worker.terminate();
  return answer;
}

type Figure = EngineFigures["figures"][number];

const row = ({ name, kind, nanoseconds, referenceNanoseconds, note }: Figure): BenchRow => ({
  case: `${kind}: ${name}`,
  value: nanoseconds / 1000,
  unit: "µs",
  reference: { value: referenceNanoseconds / 1000, times: referenceNanoseconds / nanoseconds },
  ...(note === undefined ? {} : { note }),
});

function means(figures: readonly Figure[], clock: string): BenchRow[] {
  return (["eval", "submit"] as const).flatMap((kind) => {
    const ratios = figures.filter((figure) => figure.kind === kind).map((figure) => figure.referenceNanoseconds / figure.nanoseconds);
    if (ratios.length === 0) return [];
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    return [
      {
        case: `${kind}: geometric mean of ${ratios.length} cases`,
        value: mean,
        unit: "times",
        note: `the lowest ${Math.min(...ratios).toFixed(1)}; clock: ${clock}`,
      },
    ];
  });
}
