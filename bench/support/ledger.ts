/** A node with one party and a DAR, ready to be measured. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, startNodeProcess, type NodeProcess } from "../../test/support/node-process.js";
import { testData } from "../../test/support/paths.js";
import { httpRequest, runLoad } from "./load.js";
import { completeDar } from "../../test/support/lf-builder.js";

export interface BenchLedger {
  /** The one that runs now. */
  readonly node: NodeProcess;
  readonly client: Client;
  readonly party: string;
  /** Its folder. */
  readonly data: string;
  /** After it was stopped. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const template = "#ref-model:M:Asset";

interface Started {
  /** Of another build. */
  readonly program?: string;
  readonly flags?: readonly string[];
}

/** On a data folder: a ledger in memory does not wait for the disk. */
export async function startBenchLedger({ program, flags = [] }: Started = {}): Promise<BenchLedger> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-")),
    data = join(folder, "data");
  const start = async (): Promise<NodeProcess> => tellingWhyItEnded(await startNodeProcess(["--data", data, ...flags], undefined, program));
  let node = await start(),
    client = new Client(node.port, 64);
  const party = await makeReady(client, "bench");
  return {
    get node() {
      return node;
    },
    get client() {
      return client;
    },
    party,
    data,
    async restart() {
      client.close();
      node = await start();
      client = new Client(node.port, 64);
    },
    async stop() {
      client.close();
      await node.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Gives it the model, and a party. */
export async function makeReady(client: Client, partyIdHint: string): Promise<string> {
  await expect(client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar")))));
  const allocated = await expect(client.post("/v2/parties", { partyIdHint, identityProviderId: "" }));
  return allocated.json().partyDetails.party as string;
}

/** Where nobody ended it: who measures it only sees that connections close. */
function tellingWhyItEnded(node: NodeProcess): NodeProcess {
  const { child, stderr } = node;
  child.once("close", (code, signal) => {
    if (!child.killed) process.stderr.write(`The node ended by itself (${signal ?? code}). ${stderr()}\n`);
  });
  return node;
}

/** It is gone afterwards, whatever happens. */
export async function withLedger<R>(use: (ledger: BenchLedger) => Promise<R>, started?: Started): Promise<R> {
  const ledger = await startBenchLedger(started);
  try {
    return await use(ledger);
  } finally {
    await ledger.stop();
  }
}

/** More parties than the first one. */
export async function allocateMany({ client }: BenchLedger, count: number): Promise<string[]> {
  const parties: string[] = [];
  for (let number = 1; number <= count; number++) {
    const request = { partyIdHint: `bench-${number}`, identityProviderId: "" };
    parties.push((await expect(client.post("/v2/parties", request))).json().partyDetails.party as string);
  }
  return parties;
}

export async function expect<T extends { readonly status: number; readonly text: string }>(reply: Promise<T>): Promise<T> {
  const answer = await reply;
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${answer.text}`);
  return answer;
}

export const create = (party: string, commandId: string): object => ({
  commands: [{ CreateCommand: { templateId: template, createArguments: { issuer: party, owner: party, name: "gold", amount: "100" } } }],
  commandId,
  actAs: [party],
  userId: "bench",
});
export const contractsPerTransaction = 100;

/** As fast as they go, many with each transaction, of one party after the other. */
export async function createMany(ledger: BenchLedger, contracts: number, parties: readonly string[] = [ledger.party]): Promise<void> {
  let command = 0;
  const next = (): Buffer => {
    const commandId = `many-${ledger.node.port}-${parties.length}-${contracts}-${++command}`,
      one = create(parties[command % parties.length]!, commandId) as { readonly commands: readonly unknown[] };
    return httpRequest(
      "POST",
      "/v2/commands/submit-and-wait",
      JSON.stringify({ ...one, commands: new Array(contractsPerTransaction).fill(one.commands[0]) }),
    );
  };
  const result = await runLoad({ port: ledger.node.port, connections: 16, requests: contracts / contractsPerTransaction, next });
  if (result.failures > 0) throw new Error(`${result.failures} transactions failed`);
}

export const exercise = (
  party: string,
  commandId: string,
  contractId: string,
  choice: string,
  choiceArgument: unknown,
  templateId = template,
): object => ({
  commands: [{ ExerciseCommand: { templateId, contractId, choice, choiceArgument } }],
  commandId,
  actAs: [party],
  userId: "bench",
});
