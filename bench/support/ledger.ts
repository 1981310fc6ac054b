/** A node with one party and a DAR, ready to be measured. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, startNodeProcess, type NodeProcess } from "../../test/support/node-process.js";
import { testData } from "../../test/support/paths.js";
import { completeDar } from "../../test/support/lf-builder.js";

export interface BenchLedger {
  readonly node: NodeProcess;
  readonly client: Client;
  readonly party: string;
  stop(): Promise<void>;
}

export const template = "#ref-model:M:Asset";

/** On a data folder: a ledger in memory does not wait for the disk. `program`: of another build. */
export async function startBenchLedger(program?: string): Promise<BenchLedger> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-"));
  const node = await startNodeProcess(["--data", join(folder, "data")], undefined, program);
  const client = new Client(node.port, 64);
  await expect(client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar")))));
  const allocated = await expect(client.post("/v2/parties", { partyIdHint: "bench", identityProviderId: "" }));
  const party = allocated.json().partyDetails.party as string;
  return {
    node,
    client,
    party,
    async stop() {
      client.close();
      await node.stop();
      rmSync(folder, { recursive: true });
    },
  };
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
export const exercise = (party: string, commandId: string, contractId: string, choice: string, choiceArgument: unknown): object => ({
  commands: [{ ExerciseCommand: { templateId: template, contractId, choice, choiceArgument } }],
  commandId,
  actAs: [party],
  userId: "bench",
});
