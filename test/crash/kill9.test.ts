import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { completeDar } from "../support/lf-builder.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { testData } from "../support/paths.js";

/** `LEDGERLINE_KILL_LOOPS=100 npm test -- kill9` is the long form. */
const loops = Number(process.env.LEDGERLINE_KILL_LOOPS ?? 6);
const writers = 8;

interface Acknowledged { readonly updateId: string; readonly completionOffset: number }

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

async function prepare(client: Client): Promise<string> {
  assert.equal((await client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar"))))).status, 200);
  return (await client.post("/v2/parties", { partyIdHint: "writer", identityProviderId: "" })).json().partyDetails.party as string;
}

async function writeUntilKilled(node: { child: { kill(signal: "SIGKILL"): boolean }; stop(signal?: "SIGKILL"): Promise<unknown> }, client: Client, party: string, name: string, acknowledged: Map<string, Acknowledged>): Promise<void> {
  let killed = false;
  const writer = async (lane: number): Promise<void> => {
    for (let index = 0; !killed; index++) {
      const commandId = `${name}-${lane}-${index}`;
      const body = { commands: [{ CreateCommand: { templateId: "#ref-model:M:Asset", createArguments: { issuer: party, owner: party, name: commandId, amount: "1" } } }], commandId, actAs: [party], userId: "crash" };
      try {
        const reply = await client.post("/v2/commands/submit-and-wait", body);
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

/** Reads all updates after the offset; a command that is there twice fails at once. */
async function readOn(client: Client, party: string, from: number, stored: Map<string, Acknowledged>): Promise<number> {
  const end = (await client.get("/v2/state/ledger-end")).json().offset as number;
  let begin = from;
  while (begin < end) {
    const reply = await client.post("/v2/updates?limit=200", {
      beginExclusive: begin, endInclusive: end,
      updateFormat: { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: false } } },
    });
    assert.equal(reply.status, 200, reply.text);
    const transactions = (reply.json() as any[]).map((element) => element.update.Transaction.value);
    if (transactions.length === 0) break;
    for (const { commandId, updateId, offset } of transactions) {
      assert.ok(!stored.has(commandId), `command ${commandId} is there twice`);
      stored.set(commandId, { updateId, completionOffset: offset });
      begin = offset;
    }
  }
  return end;
}
