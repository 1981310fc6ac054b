/**
 * `node dist/test/packaging/three-starts.js`: the tarball by npm, the executable by copying one file, the clone by two commands,
 * each from an empty folder, and each serves the README's first transaction. Prints sizes, times of starts and memory. The clone
 * asks the registry that npm is configured for.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../bench/support/quantile.js";
import { makeExecutable } from "../../src/packaging/executable.js";
import { Client } from "../support/node-process.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { firstTransaction } from "../support/readme.js";
import { inTemporaryFolder, install, pack, run } from "./npm-package.js";

interface Way {
  readonly name: string;
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  readonly size: string;
  readonly setUpMs: number;
}

const starts = 5,
  megabytes = (bytes: number): string => `${(bytes / 1_024 ** 2).toFixed(1)} MB`;
const installed = (folder: string): string =>
  megabytes(Number(spawnSync("du", ["-sb", folder], { encoding: "utf8" }).stdout.split("\t")[0]));
const ran = async (command: string, args: readonly string[], cwd: string): Promise<number> => {
  const { exit, err, tookMs } = await run(command, args, { cwd });
  if (exit !== 0) throw new Error(`${command} ${args.join(" ")}: ${err}`);
  return tookMs;
};

async function measured({ name, folder, command: [file, ...args], size, setUpMs }: Way): Promise<string> {
  const times: number[] = [],
    memory: number[] = [];
  let served = "";
  for (let round = 0; round < starts; round++) {
    const since = performance.now(),
      child = spawn(file, [...args, "--data", join(folder, `data-${round}`), "--port", "0", "--log-level", "warn"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
        detached: true,
      });
    const line = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout! }).on("line", (text) => {
        if (text.startsWith("Ledgerline is ready")) resolve(text);
      }); // npm tells what it runs
      child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    });
    times.push(performance.now() - since);
    const port = Number(line.split(":").at(-1)),
      client = new Client(port);
    await sleep(1_500);
    memory.push(Number(/^process_resident_memory_bytes (\S+)$/m.exec((await client.get("/metrics")).text)![1]));
    client.close();
    if (round === 0) {
      mkdirSync(join(folder, "test", "data"), { recursive: true });
      if (folder !== repositoryRoot()) copyFileSync(testData("quickstart.dar"), join(folder, "test", "data", "quickstart.dar"));
      const walked = await run("bash", ["-eu", "-o", "pipefail", "-c", firstTransaction(port)], { cwd: folder });
      served =
        walked.exit === 0 && /"JsActiveContract":\{"createdEvent":\{[^]*"owner":"bob::/.test(walked.out)
          ? "served"
          : `failed: ${walked.err}`;
    }
    const ended = once(child, "exit");
    process.kill(-child.pid!, "SIGTERM"); // npm and what it started
    await ended;
  }
  return `| ${name} | ${size} | ${(setUpMs / 1_000).toFixed(1)} s | ${Math.round(median(times))} ms (at best ${Math.round(Math.min(...times))}) | ${megabytes(median(memory))} | ${served} |`;
}

await inTemporaryFolder(async (folder) => {
  const empty = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const tarball = empty("tarball"),
    one = empty("executable"),
    clone = join(folder, "clone");
  console.log("| way | size | set up | start | memory at rest | first transaction |\n|---|---|---|---|---|---|");

  const packed = await pack(folder),
    since = performance.now();
  await install(packed, tarball);
  console.log(
    await measured({
      name: "tarball",
      folder: tarball,
      command: [join(tarball, "node_modules", ".bin", "ledgerline"), "start"],
      size: `${megabytes(packed.bytes)}, installed ${installed(tarball)}`,
      setUpMs: performance.now() - since,
    }),
  );

  await makeExecutable({ output: join(folder, "made"), node: process.execPath });
  const copied = performance.now();
  copyFileSync(join(folder, "made"), join(one, "ledgerline"));
  console.log(
    await measured({
      name: "executable",
      folder: one,
      command: [join(one, "ledgerline"), "start"],
      size: megabytes(statSync(join(one, "ledgerline")).size),
      setUpMs: performance.now() - copied,
    }),
  );

  await ran("git", ["clone", "--quiet", repositoryRoot(), clone], folder);
  const setUpMs = await ran("npm", ["ci", "--no-audit", "--no-fund"], clone);
  console.log(
    await measured({ name: "clone", folder: clone, command: ["npm", "start", "--silent", "--"], size: installed(clone), setUpMs }),
  );
});
