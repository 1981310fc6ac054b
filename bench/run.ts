/** `npm run bench [-- NAME ...] [--smoke]`: prints a table for each question and writes bench-results.json. */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { table, type BenchCase, type BenchRow } from "./support/bench.js";
import { benches } from "./benches.js";

const args = process.argv.slice(2);
const smoke = args.includes("--smoke");
const names = args.filter((arg) => !arg.startsWith("--"));
const results: Record<string, readonly BenchRow[]> = {};

for (const bench of benches as readonly BenchCase<unknown>[]) {
  if (names.length > 0 && !names.includes(bench.name)) continue;
  const rows = await bench.run(smoke ? bench.smoke : bench.full);
  results[bench.name] = rows;
  console.log(`\n${bench.name}\n${table(rows)}`);
}
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
writeFileSync("bench-results.json", `${JSON.stringify({ machine, smoke, results }, null, 2)}\n`);
