/** The unit of systemd kills whoever makes a system call that its filter leaves out. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Client, tested } from "../support/node-process.js";
import { environmentOfPrograms } from "../support/knobs.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
const canBeSeen = succeeds("strace", "-f", "true") && succeeds("systemd-analyze", "syscall-filter", "@pkey");

/** System calls of a set, and of the sets in it. */
function callsOf(set: string): readonly string[] {
  const { stdout, status } = spawnSync("systemd-analyze", ["syscall-filter", set], { encoding: "utf8" });
  assert.equal(status, 0, set);
  const names = stdout.split("\n").flatMap((line) => /^ {4}(@?[\w-]+)$/.exec(line)?.[1] ?? []);
  return names.flatMap((name) => (name.startsWith("@") ? callsOf(name) : [name]));
}

function allowedCalls(): ReadonlySet<string> {
  const unit = readFileSync(join(repositoryRoot(), "src", "packaging", "operate", "ledgerline.service"), "utf8"),
    words = /^SystemCallFilter=(.*)$/m.exec(unit)![1]!.split(" ");
  return new Set(words.flatMap((word) => (word.startsWith("@") ? callsOf(word) : [word])));
}

/** Of a node on a ledger of its own that serves, and stops at a signal; and of the backup that is made of it meanwhile. */
async function madeCalls(folder: string): Promise<readonly string[]> {
  const traceOf = (name: string): string => join(folder, `${name}.trace`),
    env = environmentOfPrograms(),
    data = join(folder, "ledger"),
    traced = (name: string, args: readonly string[]): readonly string[] => [
      "-f",
      "-o",
      traceOf(name),
      tested.file,
      ...tested.args,
      ...args,
    ];
  const start = ["start", "--data", data, "--port", "0", "--log-level", "error", "--dar", testData("quickstart.dar")],
    node = spawn("strace", traced("node", start), { env, stdio: ["ignore", "pipe", "inherit"] }),
    exited = once(node, "exit");
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: node.stdout }).once("line", resolve);
    void exited.then(([code]) => reject(new Error(`ended with ${code}`)));
  });
  const client = new Client(Number(line.split(":").at(-1)));
  for (const path of ["/v2/version", "/metrics"]) assert.equal((await client.get(path)).status, 200);
  assert.equal((await client.post("/v2/parties", { partyIdHint: "alice" })).status, 200);
  client.close();
  const backup = spawnSync("strace", traced("backup", ["backup", join(folder, "copy"), "--data", data]), { env, encoding: "utf8" });
  assert.equal(backup.status, 0, backup.stderr);
  process.kill(Number(/^\d+/.exec(readFileSync(traceOf("node"), "utf8"))![0]), "SIGTERM");
  assert.deepEqual(await exited, [0, null]);
  return ["node", "backup"].flatMap((name) =>
    [...readFileSync(traceOf(name), "utf8").matchAll(/^\d+ +(\w+)\(/gm)].map(([, call]) => call!),
  );
}

test(
  "unit: its filter lets through every system call that a node and a backup make",
  { skip: canBeSeen ? false : "needs strace that may trace, and systemd-analyze", timeout: 120_000 },
  async () => {
    const folder = temporaryFolder("calls");
    const allowed = allowedCalls(),
      made = new Set(await madeCalls(folder));
    assert.ok(made.has("epoll_pwait") || made.has("epoll_wait"), "the trace is one");
    assert.deepEqual(
      [...made].filter((call) => !allowed.has(call)),
      [],
    );
  },
);
