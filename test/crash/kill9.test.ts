import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, startNodeProcess } from "../support/node-process.js";
import { createAsset, prepare, readOn, type Acknowledged } from "./load.js";

/** `LEDGERLINE_KILL_LOOPS=100 npm test -- kill9` is the long form. */
const loops = Number(process.env.LEDGERLINE_KILL_LOOPS ?? 6);
const writers = 8;

test(`durability: ${loops} kills under the load of ${writers} writers lose nothing that was acknowledged`, { timeout: 900_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-kill9-"));
  const acknowledged = new Map<string, Acknowledged>();
  const stored = new Map<string, Acknowledged>();
  let party = "";
  let verifiedUpTo = 0;
  try {
    for (let loop = 0; loop <= loops; loop++) {
      const node = await startNodeProcess(["--data", folder]);
      const client = new Client(node.port, writers + 1);
      if (loop === 0) party = await prepare(client);
      verifiedUpTo = await readOn(client, party, verifiedUpTo, stored);
      for (const [commandId, answer] of acknowledged) assert.deepEqual(stored.get(commandId), answer, `command ${commandId} after kill ${loop}`);
      if (loop === loops) {
        await node.stop();
        client.close();
        break;
      }
      await writeUntilKilled(node, client, party, `loop-${loop}`, acknowledged);
      client.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const offsets = [...stored.values()].map(({ completionOffset }) => completionOffset).sort((left, right) => left - right);
  assert.equal(new Set(offsets).size, stored.size, "no offset twice");
  offsets.forEach((offset, index) => assert.equal(offset, offsets[0]! + index, "offsets are gapless"));
  assert.ok(acknowledged.size >= loops, `only ${acknowledged.size} commands were acknowledged`);
  console.log(`${loops} kills, ${acknowledged.size} acknowledged, ${stored.size} stored, 0 missing, 0 duplicates`);
});

async function writeUntilKilled(node: { child: { kill(signal: "SIGKILL"): boolean }; stop(signal?: "SIGKILL"): Promise<unknown> }, client: Client, party: string, name: string, acknowledged: Map<string, Acknowledged>): Promise<void> {
  let killed = false;
  const writer = async (lane: number): Promise<void> => {
    for (let index = 0; !killed; index++) {
      const commandId = `${name}-${lane}-${index}`;
      try {
        const reply = await createAsset(client, party, commandId);
        if (reply.status === 200) acknowledged.set(commandId, reply.json() as Acknowledged);
        else assert.fail(`${reply.status} ${reply.text}`);
      } catch (error) {
        if (!killed) throw error;
      }
    }
  };
  const lanes = Array.from({ length: writers }, (_, lane) => writer(lane));
  const before = acknowledged.size;
  while (acknowledged.size === before) await sleep(5); // a kill before the first answer would prove nothing
  await sleep(Math.random() * 400);
  killed = true;
  await node.stop("SIGKILL");
  await Promise.all(lanes);
}
