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

const stream = run({ files, concurrency: Math.min(2, availableParallelism()), timeout: 600_000 });
stream.on("test:fail", () => {
  process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);
