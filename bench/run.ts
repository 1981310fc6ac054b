/**
 * `npm run bench [-- NAME ...] [--smoke]`: prints a table for each question, and writes bench-results.json and bench-results.svg. With
 * `--against REV` it asks only how this build compares with that revision, or with a built checkout.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { table, type BenchCase, type BenchRow } from "./support/bench.js";
import { against, againstFull, againstSmoke } from "./against.js";
import { benches } from "./benches.js";
import { chart } from "./support/chart.js";
import { Pace } from "./support/pace.js";

function asked(): { readonly names: readonly string[]; readonly smoke: boolean; readonly revision: string | undefined } {
  const { values, positionals } = parseArgs({
    options: { smoke: { type: "boolean", default: false }, against: { type: "string" } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(", ")}. There are: ${known}.`);
  return { names: positionals, smoke: values.smoke, revision: values.against };
}

function refuse(error: unknown): never {
  console.error(`${(error as Error).message}\nnpm run bench [-- NAME ...] [--smoke] [--against REV]; names: ${known}`);
  process.exit(2);
}

const known = benches.map(({ name }) => name).join(", ");
let names: readonly string[], smoke: boolean, revision: string | undefined;
try {
  ({ names, smoke, revision } = asked());
} catch (error) {
  refuse(error);
}
const results: Record<string, readonly BenchRow[]> = {},
  loopsMs: Record<string, readonly number[]> = {};

for (const bench of benches as readonly BenchCase<object>[]) {
  if (revision !== undefined || (names.length > 0 && !names.includes(bench.name))) continue;
  const pace = new Pace(),
    rows = await bench.run({ ...(smoke ? bench.smoke : bench.full), pace });
  results[bench.name] = rows;
  loopsMs[bench.name] = pace.loopsMs;
  console.log(`\n${bench.name}\n${table(rows)}\n${pace.text}`);
}
if (revision !== undefined) {
  const rows = (results["against"] = await against(revision, smoke ? againstSmoke : againstFull));
  console.log(`\nagainst ${revision}\n${table(rows)}`);
}
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
writeFileSync("bench-results.json", `${JSON.stringify({ machine, smoke, results, loopsMs }, null, 2)}\n`);
writeFileSync("bench-results.svg", chart(results));
