/** The file of a ledger grows by what it holds, not by what readers hold on to. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../bench/support/quantile.js";
import { limits } from "../../src/config.js";
import { openStore } from "../../src/store/index.js";
import { Client, startNodeProcess, type NodeProcess } from "../support/node-process.js";
import { eventually } from "../http/harness.js";
import { create, eventFormat, exercise } from "../scenarios/world.js";
import { createAsset, prepare } from "./load.js";
import { count } from "../support/knobs.js";
import { temporaryFolder } from "../support/folders.js";

/** `LEDGERLINE_CREATES=10000 npm test -- growth` is the long form: with 1 and 4 engine threads, 1 and 16 clients. */
const creates = count("LEDGERLINE_CREATES") ?? 500;
const allSettings = [1, 4].flatMap((workers) => [1, 16].map((clients) => ({ workers, clients })));
const settings = count("LEDGERLINE_CREATES") === undefined ? [{ workers: 4, clients: 1 }] : allSettings;
const bytesPerCreateMax = 6_000;

const fileBytes = (folder: string): number => statSync(join(folder, "data.mdb")).size;

interface Grown {
  readonly folder: string;
  readonly node: NodeProcess;
  readonly client: Client;
  readonly party: string;
}

async function withNode(args: readonly string[], use: (grown: Grown) => Promise<void>): Promise<void> {
  const folder = temporaryFolder("growth");
  const node = await startNodeProcess(["--data", folder, ...args]);
  const client = new Client(node.port, 32);
  try {
    await use({ folder, node, client, party: await prepare(client) });
  } finally {
    client.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `one` so many times, by so many at once; fails at the first that is not answered with 200. */
async function load(count: number, clients: number, one: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) await one(next++);
    }),
  );
}

for (const { workers, clients } of settings) {
  const who = `${clients} client(s) on ${workers} engine thread(s)`;
  test(
    `growth: ${creates} creates of ${who} take at most ${bytesPerCreateMax} bytes of file each, and no idle thread holds a snapshot`,
    { timeout: 900_000 },
    () =>
      withNode(["--workers", String(workers)], async ({ folder, client, party }) => {
        const createOne = async (commandId: string): Promise<void> =>
          assert.equal((await createAsset(client, party, commandId)).status, 200);
        await load(20, clients, (index) => createOne(`first-${index}`));
        const before = fileBytes(folder);
        await load(creates, clients, (index) => createOne(`create-${index}`));
        const each = Math.round((fileBytes(folder) - before) / creates);
        console.log(`${workers} engine thread(s), ${clients} client(s): ${each} bytes per create`);
        const store = await openStore({ folder, readOnly: true });
        try {
          await eventually("nobody holds a snapshot", () => store.readers().length === 0);
        } finally {
          await store.close();
        }
        assert.ok(each <= bytesPerCreateMax, `${each} bytes`);
        const figure = /^ledgerline_store_oldest_reader_commits (\d+)$/m.exec((await client.get("/metrics")).text)?.[1];
        assert.equal(figure, "0");
      }),
  );
}

/** `LEDGERLINE_CHURN_MINUTES=60 npm test -- growth` runs this; its history is pruned as it goes, so that what is held stays the same. */
const churnMinutes = count("LEDGERLINE_CHURN_MINUTES") ?? 0;
const clients = 8,
  /** Active from before the first sample on. */
  churnContracts = count("LEDGERLINE_CHURN_CONTRACTS") ?? 0,
  churnPauseMs = count("LEDGERLINE_CHURN_PAUSE_MS") ?? 0,
  keptOffsets = 2_000,
  /** Pruned at a time, however long they took: of a fast minute the file would have to hold more. */
  prunedOffsets = 20_000,
  pruneLookMs = 200,
  samplesPerRun = 60,
  /** File and memory settle first: spaces of engine threads grow, and runs of contracts are merged for the first time on each level. */
  settledMinutes = Math.max(10, churnMinutes / 6),
  settledCommands = limits.contractsUnsettledMax * limits.runsPerLevel ** 2,
  /** For so long the ledger remembers of a command more than its history: its change id, so that it is not taken twice. */
  rememberedSeconds = 60;

interface Sample {
  readonly file: number;
  readonly anonymous: number;
  readonly commands: number;
}

const anonymousBytes = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
/** The middle of file and memory among five samples, and the commands by then. */
function middleAt(samples: readonly Sample[], from: number): Sample {
  const some = samples.slice(from, from + 5);
  return {
    file: median(some.map(({ file }) => file)),
    anonymous: median(some.map(({ anonymous }) => anonymous)),
    commands: some.at(-1)!.commands,
  };
}

test(
  `growth: ${churnMinutes || "many"} minutes of creates and archives leave file and memory where they were once they settled`,
  {
    skip: churnMinutes < 2 * settledMinutes && `set LEDGERLINE_CHURN_MINUTES to ${2 * settledMinutes} or more to run it`,
    timeout: (churnMinutes + 15) * 60_000,
  },
  () =>
    withNode(["--workers", "4", "--deduplication-max", String(rememberedSeconds)], async ({ folder, node, client, party }) => {
      let commands = 0;
      const samples: Sample[] = [];
      const submit = async (command: object): Promise<any> => {
        const reply = await client.post("/v2/commands/submit-and-wait-for-transaction", {
          commands: { commands: [command], commandId: `churn-${commands++}`, userId: "churn", actAs: [party] },
          transactionFormat: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat({ parties: [party] }) },
        });
        assert.equal(reply.status, 200, reply.text);
        return reply.json().transaction;
      };
      const make = async (): Promise<string> => {
        const made = await submit(create("#ref-model:M:Asset", { issuer: party, owner: party, name: `asset ${commands}`, amount: "1" }));
        return made.events[0].CreatedEvent.contractId;
      };
      const standing: string[] = [];
      await load(churnContracts, clients, async () => void standing.push(await make()));
      const until = Date.now() + churnMinutes * 60_000;
      /** Archives any of those that stand, and so the new one only now and then. */
      const churn = async (): Promise<void> => {
        while (Date.now() < until) {
          standing.push(await make());
          const [old] = standing.splice(Math.floor(Math.random() * standing.length), 1);
          await submit(exercise("#ref-model:M:Asset", old!, "Archive"));
          await sleep(churnPauseMs);
        }
      };
      const prune = async (): Promise<void> => {
        const pruner = new Client(node.port, 1);
        for (let pruned = 0; Date.now() < until; await sleep(pruneLookMs)) {
          const end = (await pruner.get("/v2/state/ledger-end")).json().offset as number;
          if (end - pruned < prunedOffsets + keptOffsets) continue;
          pruned = end - keptOffsets;
          const reply = await pruner.post("/admin/prune", { pruneUpTo: pruned });
          assert.equal(reply.status, 200, reply.text);
        }
        pruner.close();
      };
      const watch = async (): Promise<void> => {
        for (let taken = 1; taken <= samplesPerRun; taken++) {
          await sleep(Math.max(0, until - Date.now()) / (samplesPerRun + 1 - taken));
          samples.push({ file: fileBytes(folder), anonymous: anonymousBytes(node.child.pid!), commands });
        }
      };
      await Promise.all([watch(), prune(), ...Array.from({ length: clients }, churn)]);
      for (const [index, { file, anonymous, commands: done }] of samples.entries())
        if (index % 5 === 4)
          console.log(`${index + 1} of ${samplesPerRun}: ${megabytes(file)} file, ${megabytes(anonymous)} anonymous, ${done} commands`);
      const settled = Math.max(
        Math.ceil((samplesPerRun * settledMinutes) / churnMinutes),
        samples.findIndex(({ commands: done }) => done >= settledCommands),
      );
      assert.ok(
        samples[settled]!.commands >= settledCommands,
        `a slow machine: it takes more minutes, or ${settledCommands} commands, to settle`,
      );
      assert.ok(settled <= samplesPerRun / 2, "for half of the time it is settled");
      const early = middleAt(samples, settled - 3),
        late = middleAt(samples, samplesPerRun - 5);
      for (const { file, anonymous, commands: done } of [early, late])
        console.log(`${megabytes(file)} file, ${megabytes(anonymous)} anonymous, ${done} commands`);
      assert.ok(late.file <= early.file * 1.1, "the file is flat");
      assert.ok(late.anonymous <= early.anonymous * 1.1, "anonymous memory is flat");
    }),
);
