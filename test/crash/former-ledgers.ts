/** Ledgers as former programs wrote them: `test/data/ledgers` has a small one of each format. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { dataFile } from "../../src/store/index.js";
import { Client, type Reply, startNodeProcess } from "../support/node-process.js";
import { testData } from "../support/paths.js";

export const ledgers = testData("ledgers"),
  fileOf = (format: number): string => join(ledgers, `format-${format}.mdb.br`),
  networkFileOf = (format: number): string => join(ledgers, `network-${format}.mdb.br`);
export const formatsOf = (kind: "format" | "network"): readonly number[] =>
  readdirSync(ledgers)
    .filter((file) => file.startsWith(kind))
    .map((file) => Number(/\d+/.exec(file)![0]))
    .sort((a, b) => a - b);

export const template = "#ref-model:M:Asset",
  amounts = ["0", "1", "2", "3", "4"];
const archived = "0";

export const participantName = "fixture";

export const answered = async (reply: Promise<Reply>): Promise<any> => {
  const { status, text, json } = await reply;
  assert.equal(status, 200, text);
  return json();
};

export function putBack(file: string, data: string): void {
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, dataFile), brotliDecompressSync(readFileSync(file)), { mode: 0o600 });
}

export async function withNode<T>(data: string, use: (client: Client) => Promise<T>): Promise<T> {
  const node = await startNodeProcess(["--data", data, "--participant-name", participantName]),
    client = new Client(node.port, 4);
  try {
    return await use(client);
  } finally {
    client.close();
    await node.stop();
  }
}

export const eventFormat = (party: string): object => ({
  filtersByParty: { [party]: { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }] } },
  verbose: false,
});

export async function partyOf(client: Client, hint: string): Promise<string> {
  const { partyDetails } = await answered(client.get("/v2/parties"));
  return (partyDetails as readonly { readonly party: string }[]).map(({ party }) => party).find((one) => one.startsWith(`${hint}::`))!;
}

/** It has its contracts, history, users and packages, and commands go on from there. */
export async function checkFilled(client: Client): Promise<void> {
  const party = await partyOf(client, "alice");
  const { offset: end } = await answered(client.get("/v2/state/ledger-end"));
  const active = await answered(client.post("/v2/state/active-contracts", { activeAtOffset: end, eventFormat: eventFormat(party) }));
  const amountsOf = (entries: any): string[] =>
    entries.map((entry: any) => Number(entry.contractEntry.JsActiveContract.createdEvent.createArgument.amount).toString());
  assert.deepEqual(
    amountsOf(active),
    amounts.filter((amount) => amount !== archived),
  );
  const updateFormat = {
    includeTransactions: { transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS", eventFormat: eventFormat(party) },
  };
  const updates = await answered(client.post("/v2/updates", { beginExclusive: 0, endInclusive: end, updateFormat }));
  assert.equal(updates.length, amounts.length + 2);
  assert.equal((await answered(client.get("/v2/users/bob"))).user.primaryParty, party);
  const again = {
    commands: [{ CreateCommand: { templateId: template, createArguments: { issuer: party, owner: party, name: "gold", amount: "5" } } }],
    commandId: "later",
    actAs: [party],
    userId: "bob",
  };
  const { completionOffset } = await answered(client.post("/v2/commands/submit-and-wait", again));
  assert.equal(completionOffset, end + 1);
}

/** The first participant's client, and the second's. */
export async function withNetwork<T>(data: string, use: (clients: readonly [Client, Client]) => Promise<T>): Promise<T> {
  const ports = `${data}-ports`,
    node = await startNodeProcess([
      "--data",
      data,
      "--participant-name",
      participantName,
      "--participant",
      "second=0",
      "--port-file",
      ports,
    ]);
  const second = Number(/^second=(\d+)$/m.exec(readFileSync(ports, "utf8"))![1]),
    clients = [new Client(node.port, 4), new Client(second, 4)] as const;
  try {
    return await use(clients);
  } finally {
    for (const client of clients) client.close();
    await node.stop();
  }
}

/** Updates of the first participant that the second sees, in the ledgers that are kept. */
export const seenBySecond = 5;

/** The second participant finds what the first submitted by its id. */
export async function checkNetwork(there: Client, seen: number): Promise<void> {
  const bob = await partyOf(there, "bob"),
    updateFormat = { includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat(bob) } };
  const { offset: end } = await answered(there.get("/v2/state/ledger-end"));
  const updates: readonly any[] = await answered(there.post("/v2/updates", { beginExclusive: 0, endInclusive: end, updateFormat }));
  assert.equal(updates.length, seen);
  for (const { update } of updates) {
    const { updateId, offset } = update.Transaction.value;
    assert.notEqual(Number.parseInt(updateId.slice(-12), 16), offset, "the offset is another one where it was submitted");
    const found = await answered(there.post("/v2/updates/update-by-id", { updateId, updateFormat }));
    assert.equal(found.update.Transaction.value.offset, offset);
  }
}
