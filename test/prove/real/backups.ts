/** Copies of a ledger that runs under load: each is a prefix of it that holds all that was acknowledged before. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createAsset, prepare, readOn, type Acknowledged } from "../../crash/load.js";
import { Client, startNodeProcess, tested } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";

const writers = 8,
  commandsBetween = 50,
  /** They are proved one after the other, which takes a second each and says nothing. */
  copiesOfLedger = 30;

export const runProgramWell = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(tested.file, [...tested.args, ...args])).stdout;

/** What a node tells of the party's commands. */
export async function storedIn(data: string, party: string): Promise<ReadonlyMap<string, Acknowledged>> {
  const node = await startNodeProcess(["--data", data]);
  const client = new Client(node.port),
    stored = new Map<string, Acknowledged>();
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

async function copyUnderLoad(play: Play, copies: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-backup-"));
  play.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, "ledger"),
    acknowledged = new Map<string, Acknowledged>(),
    node = await startNodeProcess(["--data", data]);
  play.after(() => node.stop("SIGKILL"));
  const client = new Client(node.port, writers + 1),
    party = await prepare(client);
  let stopped = false;
  const write = async (lane: number): Promise<void> => {
    for (let index = 0; !stopped; index++) {
      const reply = await createAsset(client, party, `${lane}-${index}`);
      assert.equal(reply.status, 200, reply.text);
      acknowledged.set(`${lane}-${index}`, reply.json() as Acknowledged);
    }
  };
  const lanes = Array.from({ length: writers }, (_, lane) => write(lane));
  void Promise.allSettled(lanes);
  const before: (readonly [copy: string, acknowledged: ReadonlyMap<string, Acknowledged>])[] = [];
  for (let index = 0; index < copies; index++) {
    const target = acknowledged.size + commandsBetween;
    while (acknowledged.size < target) await sleep(5);
    const copy = join(folder, `copy-${index}`);
    before.push([copy, new Map(acknowledged)]);
    assert.match(await runProgramWell("backup", copy, "--data", data), /The ledger up to offset \d+ is in/);
    play.step();
  }
  const during = acknowledged.size;
  stopped = true;
  await Promise.all(lanes);
  client.close();
  await node.stop();
  assert.ok(during > before.at(-1)![1].size, "writers went on while the copy was made");
  const original = [...(await storedIn(data, party))];
  for (const [copy, known] of before) {
    assert.match(await runProgramWell("verify", "--data", copy), /The ledger is sound/);
    const stored = await storedIn(copy, party);
    for (const [commandId, answer] of known) assert.deepEqual(stored.get(commandId), answer, `${commandId} in ${copy}`);
    assert.deepEqual([...stored], original.slice(0, stored.size), "the copy is a prefix of the original");
    rmSync(copy, { recursive: true });
  }
  play.count("acknowledged", acknowledged.size);
  rmSync(folder, { recursive: true });
}

export const backups: Scenario = {
  name: "backups",
  unit: "copies",
  sizes: { test: 3, ci: 8, night: 300 },
  holds: "a copy made under load is sound, starts, and is a prefix of the ledger that holds what was acknowledged before",
  async run(play) {
    for (let left = play.size; left > 0; left -= copiesOfLedger) await copyUnderLoad(play, Math.min(left, copiesOfLedger));
  },
};
