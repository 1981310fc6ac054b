/**
 * Runs every test whose source exists, each file in a process of its own: `npm test`, or `npm test -- http` for the paths
 * that contain "http". A runner of ours because Node 20 expands no patterns and a stale build must not be tested.
 */
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { tellHung } from "./support/hung.js";
import { repositoryRoot } from "./support/paths.js";

const root = repositoryRoot();
const built = fileURLToPath(new URL(".", import.meta.url)); // the build that this file is of
const wanted = process.argv.slice(2);

const files = readdirSync(built, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.js"))
  .filter((file) => existsSync(join(root, "test", file.replace(/\.js$/, ".ts"))))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
  .map((file) => join(built, file));

if (files.length === 0) {
  console.error(`No test matches ${wanted.join(" ")} in ${relative(root, built)}.`);
  process.exit(1);
}

/** Of one file: several times what the longest takes, and little enough that one that hangs leaves time for all others in 20 minutes. */
const fileMsMax = 500_000;

/** One more than cores, as a third of the time of most files is waiting; few, as many tests of time and load would have to share them. */
const concurrency = Math.min(3, availableParallelism() + 1);

const stream = run({ files, concurrency, timeout: fileMsMax });
stream.on("test:fail", () => {
  process.exitCode = 1;
});
tellHung(stream, (sentence) => console.error(sentence));
stream.compose(new spec()).pipe(process.stdout);
