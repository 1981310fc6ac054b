import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { makeLockedFolder } from "../../src/base/locked-folder.js";
import { Client, mainProgram, startNodeProcess } from "../support/node-process.js";
import { createAsset, prepare, readOn, type Acknowledged } from "./load.js";

/** `LEDGERLINE_BACKUPS=50 npm test -- backup` is the long form. */
const backups = Number(process.env.LEDGERLINE_BACKUPS ?? 3);
const writers = 8;

const run = async (...args: readonly string[]): Promise<string> => (await promisify(execFile)(process.execPath, [mainProgram, ...args])).stdout;
const refusal = (...args: readonly string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [mainProgram, ...args]).then(() => assert.fail("accepted"), ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`);

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-backup-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a node tells of the party's commands. */
async function storedIn(data: string, party: string): Promise<ReadonlyMap<string, Acknowledged>> {
  const node = await startNodeProcess(["--data", data]);
  const client = new Client(node.port), stored = new Map<string, Acknowledged>();
  try {
    await readOn(client, party, 0, stored);
    const written = await createAsset(client, party, "after-the-restart");
    assert.equal(written.status, 200, written.text);
  } finally {
    client.close();
    await node.stop();
  }
  return stored;
}

test(`backup: ${backups} copies under the load of ${writers} writers are sound, start, and hold what was acknowledged before`, { timeout: 900_000 }, () => withFolder(async (folder) => {
  const data = join(folder, "ledger"), acknowledged = new Map<string, Acknowledged>();
  const node = await startNodeProcess(["--data", data]);
  const client = new Client(node.port, writers + 1), party = await prepare(client);
  let stopped = false;
  const write = async (lane: number): Promise<void> => {
    for (let index = 0; !stopped; index++) {
      const reply = await createAsset(client, party, `${lane}-${index}`);
      assert.equal(reply.status, 200, reply.text);
      acknowledged.set(`${lane}-${index}`, reply.json() as Acknowledged);
    }
  };
  const lanes = Array.from({ length: writers }, (_, lane) => write(lane));
  const before: (readonly [copy: string, acknowledged: ReadonlyMap<string, Acknowledged>])[] = [];
  for (let index = 0; index < backups; index++) {
    const target = acknowledged.size + 50;
    while (acknowledged.size < target) await sleep(5);
    const copy = join(folder, `copy-${index}`);
    before.push([copy, new Map(acknowledged)]);
    assert.match(await run("backup", copy, "--data", data), /The ledger up to offset \d+ is in/);
  }
  const during = acknowledged.size;
  stopped = true;
  await Promise.all(lanes);
  client.close();
  await node.stop();
  const original = await storedIn(data, party);
  for (const [copy, known] of before) {
    assert.match(await run("verify", "--data", copy), /The ledger is sound/);
    const stored = await storedIn(copy, party);
    for (const [commandId, answer] of known) assert.deepEqual(stored.get(commandId), answer, `${commandId} in ${copy}`);
    const prefix = [...original].slice(0, stored.size);
    assert.deepEqual([...stored], prefix, "the copy is a prefix of the original");
  }
  assert.ok(during > before.at(-1)![1].size, "writers went on while the copy was made");
  console.log(`${backups} copies, ${before.map(([, known]) => known.size).join(", ")} acknowledged before them, ${acknowledged.size} in the end, 0 missing`);
}));

test("backup: of a node at rest, into a folder of its own that only its owner can read", () => withFolder(async (folder) => {
  const data = join(folder, "ledger"), copy = join(folder, "deep/copy");
  const node = await startNodeProcess(["--data", data]);
  const client = new Client(node.port), party = await prepare(client);
  await createAsset(client, party, "one");
  client.close();
  await node.stop();
  await run("backup", copy, "--data", data);
  assert.equal(statSync(copy).mode & 0o777, 0o700);
  assert.deepEqual([...(await storedIn(copy, party)).keys()], ["one"]);
  assert.deepEqual(readdirSync(join(folder, "deep")), ["copy"]);
}));

test("backup: what is no ledger, and a folder that is in use for something else, are refused and left alone", () => withFolder(async (folder) => {
  const empty = join(folder, "empty"), full = join(folder, "full"), copy = join(folder, "copy");
  for (const made of [empty, full]) mkdirSync(made);
  writeFileSync(join(full, "file"), "");
  assert.match(await refusal("backup", copy, "--data", join(folder, "none")), /^1: There is no ledger/);
  assert.match(await refusal("backup", copy, "--data", empty), /^1: There is no ledger/);
  assert.deepEqual(readdirSync(empty), []);
  assert.equal(existsSync(copy), false);
  const node = await startNodeProcess(["--data", join(folder, "ledger")]);
  assert.match(await refusal("backup", full, "--data", join(folder, "ledger")), /^1: .*full is not empty/);
  assert.match(await refusal("backup", join(folder, "ledger"), "--data", join(folder, "ledger")), /^1: .*ledger is not empty/);
  await node.stop();
  assert.deepEqual(readdirSync(full), ["file"]);
  assert.deepEqual(readdirSync(folder).sort(), ["empty", "full", "ledger"]);
}));

test("backup: the unfinished copy of one that was killed is removed by the next, that of one that runs is left alone", { timeout: 60_000 }, () => withFolder(async (folder) => {
  const data = join(folder, "ledger"), copy = join(folder, "copy"), isUnfinished = (name: string): boolean => /^copy\.unfinished-\w{6}$/.test(name);
  const node = await startNodeProcess(["--data", data]);
  const unfinished = (): string[] => readdirSync(folder).filter(isUnfinished);
  for (let attempt = 0; attempt < 20 && unfinished().length === 0; attempt++) {
    rmSync(copy, { recursive: true, force: true });
    const killed = spawn(process.execPath, [mainProgram, "backup", copy, "--data", data], { stdio: "ignore" }), exited = once(killed, "exit");
    while (killed.exitCode === null && unfinished().length === 0) await sleep(1);
    killed.kill("SIGKILL");
    await exited;
  }
  assert.equal(unfinished().length, 1, "a backup was killed in the middle");
  const running = makeLockedFolder(join(folder, "copy.unfinished-")); // as a process does that copies at the same time
  await run("backup", copy, "--data", data);
  await node.stop();
  assert.deepEqual(unfinished(), [basename(running.path)]);
  running.lock.release();
  assert.match(await run("verify", "--data", copy), /The ledger is sound/);
}));
