/**
 * Engine threads that die under load, in every way at every step of a task: each command is done or refused, never both, what was refused
 * left nothing, and the node goes on with other threads.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAsset, prepare, readOn, type Acknowledged } from "../../crash/load.js";
import { freedIsOverwritten } from "../../support/freed-memory.js";
import { Client, startNodeProcess } from "../../support/node-process.js";
import type { Play, Scenario } from "../scenario.js";

const writers = 8;

async function write(play: Play, client: Client, party: string): Promise<{ accepted: Map<string, Acknowledged>; refused: Set<string> }> {
  const accepted = new Map<string, Acknowledged>(),
    refused = new Set<string>();
  await play.cases(async (_, index) => {
    const commandId = `command-${index}`,
      began = performance.now(),
      reply = await createAsset(client, party, commandId);
    if (reply.status === 200) {
      accepted.set(commandId, reply.json() as Acknowledged);
      play.most("ms for one that is accepted, at most", Math.round(performance.now() - began));
      return;
    }
    refused.add(commandId);
    play.count(`${reply.status} ${reply.json().code}`);
  }, writers);
  return { accepted, refused };
}

export const engineThreads: Scenario = {
  name: "engine-threads",
  unit: "commands",
  sizes: { test: 200, ci: 2_000, night: 20_000 },
  holds:
    "of engine threads that throw, exit, loop or take all memory at any step of a task none takes a command of others with it, and what was refused left nothing",
  async run(play) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-threads-")),
      told = join(folder, "deaths");
    play.after(() => rmSync(folder, { recursive: true, force: true }));
    const dying = new URL(`dying-thread.js?${new URLSearchParams({ seed: String(play.seed), told }).toString()}`, import.meta.url);
    Object.assign(process.env, freedIsOverwritten); // of the node
    const node = await startNodeProcess(["--data", join(folder, "data")], dying);
    play.after(() => node.stop("SIGKILL"));
    const client = new Client(node.port, writers + 1);
    play.after(() => client.close());
    const party = await prepare(client),
      { accepted, refused } = await write(play, client, party),
      stored = new Map<string, Acknowledged>();
    await readOn(client, party, 0, stored);
    assert.deepEqual([...stored].sort(), [...accepted].sort(), "what is stored is what was accepted");
    assert.equal(accepted.size + refused.size, play.size);
    assert.equal(await node.stop(), 0, node.stderr());
    const deaths = readFileSync(told, "utf8").trim().split("\n");
    for (const death of deaths) play.count(death);
    assert.ok(refused.size <= deaths.length, `${refused.size} commands are refused, but ${deaths.length} threads died`);
  },
};
