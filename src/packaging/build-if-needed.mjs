/** Builds and bundles where anything is newer than the last bundle: what `npm ci` has just made is not made again by `npm test`. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const sources = ["src", "test", "bench", "proto", "package.json", "package-lock.json", "tsconfig.json", "README.md"];
/** In the order in which they are made. */
const products = ["dist/.tsbuildinfo", "dist/console/page.html", "dist/bundle/main.js"];

const changedAt = (path) => statSync(path).mtimeMs;
/** Folders count, too: theirs is the time when a file was removed. */
const newest = (path) =>
  statSync(path).isDirectory() ? Math.max(changedAt(path), ...readdirSync(path).map((name) => newest(join(path, name)))) : changedAt(path);

const times = [Math.max(...sources.map(newest)), ...products.map((path) => (existsSync(path) ? changedAt(path) : 0))];
if (times.some((time, index) => index > 0 && time < times[index - 1]))
  for (const script of ["build", "bundle"]) {
    const { status } = spawnSync("npm", ["run", "--silent", script], { stdio: "inherit", shell: process.platform === "win32" });
    if (status !== 0) process.exit(status ?? 1);
  }
