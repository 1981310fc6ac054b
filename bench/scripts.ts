/**
 * How many Daml Scripts does `ledgerline test` run, beside one script after the other, each over HTTP on a node that was
 * started for it? Both by the clock and by processor time, since the machine is rarely alone.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { assert } from "../src/base/assert.js";
import { isFailure } from "../src/base/result.js";
import { startSandbox } from "../src/sandbox.js";
import { DarLoader, scriptCommand } from "../src/script/index.js";
import { runTests } from "../test/script/run-tests.js";
import { buildSampleDar } from "../test/script/sample-dar.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import type { Pace } from "./support/pace.js";
import { text } from "../test/support/knobs.js";

/** Of the second kind only so many are run, picked evenly. */
interface Size {
  readonly isPublic: boolean;
  readonly overHttp: number;
}

const realDars = text("LEDGERLINE_REAL_DARS");
const publicNames = [
  "splice-amulet-test-0.1.6",
  "splice-amulet-test-0.1.8",
  "splice-wallet-test-0.1.6",
  "splice-wallet-test-0.1.8",
  "splice-token-standard-test-v1-1.0.11",
  "splice-token-standard-test-v1-1.0.12",
  "splice-token-standard-test-v1-1.0.13",
  "splice-token-standard-test-v2-1.0.0",
  "splice-token-standard-test-v2-2.0.0",
  "testlib-0.1.0",
  "my-exercise-app",
  "stablecoin-escrow-0.0.1",
];

export const scripts: BenchCase<Size> = {
  name: "scripts",
  smoke: { isPublic: false, overHttp: 1 },
  full: { isPublic: true, overHttp: 8 },
  async run({ isPublic, overHttp, pace }) {
    if (isPublic && realDars === undefined) console.log("scripts: measured on a package of our own: LEDGERLINE_REAL_DARS names no folder");
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-scripts-"));
    try {
      const own = join(folder, "sample.dar");
      writeFileSync(own, buildSampleDar());
      const given =
        isPublic && realDars !== undefined
          ? publicNames.map((name) => join(realDars, `${name}.dar`)).filter((file) => existsSync(file))
          : [own];
      return await measure(given, overHttp, pace);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

interface ScriptOfDar {
  readonly dar: string;
  readonly script: string;
}

async function measure(dars: readonly string[], overHttp: number, pace: Pace): Promise<readonly BenchRow[]> {
  const all = dars.flatMap(scriptsOf),
    count = Math.min(overHttp, all.length),
    picked = Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]!);
  pace.look();
  const inMemory = await timed(() => testAll(dars, all.length));
  pace.look();
  const onNodes = await timed(async () => {
    for (const each of picked) await runOnFreshNode(each);
  });
  const row = (name: string, unit: "wallSeconds" | "processorSeconds"): BenchRow => {
    const value = all.length / inMemory[unit],
      reference = picked.length / onNodes[unit];
    return {
      case: name,
      value,
      unit: "scripts/s",
      reference: { value: reference, times: value / reference },
      note: `${all.length} scripts of ${dars.length} DARs on ${availableParallelism()} threads, beside ${picked.length} on nodes`,
    };
  };
  return [row("by the clock", "wallSeconds"), row("by processor time", "processorSeconds")];
}

function scriptsOf(dar: string): readonly ScriptOfDar[] {
  const loaded = new DarLoader().load(dar, readFileSync(dar));
  assert(!isFailure(loaded), `${dar} has scripts`);
  return loaded.ok.scripts
    .filter(({ parameter }) => parameter === undefined)
    .map(({ script: { module, name } }) => ({ dar, script: `${module}:${name}` }));
}

async function timed(run: () => Promise<void>): Promise<{ readonly wallSeconds: number; readonly processorSeconds: number }> {
  const before = process.cpuUsage(),
    begun = performance.now();
  await run();
  const { user, system } = process.cpuUsage(before);
  return { wallSeconds: (performance.now() - begun) / 1000, processorSeconds: (user + system) / 1e6 };
}

/** Every DAR, from its bytes on. */
async function testAll(dars: readonly string[], scriptCount: number): Promise<void> {
  const { out } = await runTests({ dars, threads: availableParallelism() });
  assert(out.includes(`\n${scriptCount} scripts of `), `all scripts ran: ${out.slice(-200)}`);
}

async function runOnFreshNode({ dar, script }: ScriptOfDar): Promise<void> {
  let out = "";
  const options = {
    skipped: [],
    inputFile: undefined,
    outputFile: undefined,
    ledger: { kind: "sandbox" },
    staticTime: true,
    uploadDar: false,
    summaryFile: undefined,
    timeLimitMs: 60_000,
  } as const;
  await scriptCommand(
    { ...options, dar, scripts: [script] },
    {
      out: (text) => {
        out += text;
      },
      err: () => undefined,
    },
    startSandbox,
  );
  assert(out.startsWith(`${script} `), `${script} ran on a node: ${out}`);
}
