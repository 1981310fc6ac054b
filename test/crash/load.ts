/** Writers that remember what was acknowledged to them, and a reader that finds it again. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { completeDar } from "../support/lf-builder.js";
import type { Client, Reply } from "../support/node-process.js";
import { testData } from "../support/paths.js";

export interface Acknowledged {
  readonly updateId: string;
  readonly completionOffset: number;
}

/** Gives the ledger a model and a party that writes. */
export async function prepare(client: Client): Promise<string> {
  assert.equal((await client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar"))))).status, 200);
  return (await client.post("/v2/parties", { partyIdHint: "writer", identityProviderId: "" })).json().partyDetails.party as string;
}

export function createAsset(client: Client, party: string, commandId: string): Promise<Reply> {
  const asset = {
    CreateCommand: { templateId: "#ref-model:M:Asset", createArguments: { issuer: party, owner: party, name: commandId, amount: "1" } },
  };
  return client.post("/v2/commands/submit-and-wait", { commands: [asset], commandId, actAs: [party], userId: "crash" });
}

/** Reads all updates after the offset; a command that is there twice fails at once. */
export async function readOn(client: Client, party: string, from: number, stored: Map<string, Acknowledged>): Promise<number> {
  const end = (await client.get("/v2/state/ledger-end")).json().offset as number;
  let begin = from;
  while (begin < end) {
    const reply = await client.post("/v2/updates?limit=200", {
      beginExclusive: begin,
      endInclusive: end,
      updateFormat: {
        includeTransactions: {
          transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
          eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: false },
        },
      },
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
