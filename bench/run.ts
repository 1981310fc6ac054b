/**
 * `npm run bench [-- NAME ...] [--smoke]`: prints a table for each question and writes bench-results.json. With `--against REV` it asks
 * only how this build compares with that revision, or with a built checkout.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { table, type BenchCase, type BenchRow } from "./support/bench.js";
import { against, againstFull, againstSmoke } from "./against.js";
import { benches } from "./benches.js";

const args = process.argv.slice(2);
const smoke = args.includes("--smoke");
const revisionAt = args.indexOf("--against") + 1,
  revision = revisionAt === 0 ? undefined : args[revisionAt];
if (revisionAt > 0 && revision === undefined) throw new Error("--against needs a revision, or the folder of a built checkout");
const names = args.filter((arg) => !arg.startsWith("--"));
const results: Record<string, readonly BenchRow[]> = {};

for (const bench of benches as readonly BenchCase<unknown>[]) {
  if (revision !== undefined || (names.length > 0 && !names.includes(bench.name))) continue;
  const rows = await bench.run(smoke ? bench.smoke : bench.full);
  results[bench.name] = rows;
  console.log(`\n${bench.name}\n${table(rows)}`);
}
if (revision !== undefined) {
  const rows = (results["against"] = await against(revision, smoke ? againstSmoke : againstFull));
  console.log(`\nagainst ${revision}\n${table(rows)}`);
}
const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
writeFileSync("bench-results.json", `${JSON.stringify({ machine, smoke, results }, null, 2)}\n`);
