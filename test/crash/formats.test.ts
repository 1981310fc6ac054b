/**
 * Nobody loses a ledger by upgrading: `test/data/ledgers` holds a small one as each format wrote it. `LEDGERLINE_WRITE_LEDGER=1` adds
 * that of a format which is not there yet.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { dataFile, formatNumber } from "../../src/store/index.js";
import { completeDar } from "../support/lf-builder.js";
import { Client, type Reply, startNodeProcess, tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { isOn } from "../support/knobs.js";

const ledgers = testData("ledgers"),
  fileOf = (format: number): string => join(ledgers, `format-${format}.mdb.br`),
  networkFileOf = (format: number): string => join(ledgers, `network-${format}.mdb.br`);
const formatsOf = (kind: "format" | "network"): readonly number[] =>
  readdirSync(ledgers)
    .filter((file) => file.startsWith(kind))
    .map((file) => Number(/\d+/.exec(file)![0]))
    .sort((a, b) => a - b);
const template = "#ref-model:M:Asset",
  amounts = ["0", "1", "2", "3", "4"],
  archived = "0";

const answered = async (reply: Promise<Reply>): Promise<any> => {
  const { status, text, json } = await reply;
  assert.equal(status, 200, text);
  return json();
};

/** Five contracts, one of them archived, a choice that changes nothing, and a user. */
async function fill(client: Client): Promise<void> {
  await answered(client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar")))));
  const {
    partyDetails: { party },
  } = await answered(client.post("/v2/parties", { partyIdHint: "alice", identityProviderId: "" }));
  const contracts: string[] = [];
  const submit = async (command: object): Promise<any> => {
    const commands = {
      commands: [command],
      commandId: `c${contracts.length}-${Object.keys(command)[0]}-${JSON.stringify(command).length}`,
      actAs: [party],
      userId: "fixture",
    };
    return (await answered(client.post("/v2/commands/submit-and-wait-for-transaction", { commands }))).transaction.events[0];
  };
  for (const amount of amounts) {
    const created = await submit({
      CreateCommand: { templateId: template, createArguments: { issuer: party, owner: party, name: "gold", amount } },
    });
    contracts.push(created.CreatedEvent.contractId as string);
  }
  await submit({ ExerciseCommand: { templateId: template, contractId: contracts[0], choice: "Archive", choiceArgument: {} } });
  await submit({ ExerciseCommand: { templateId: template, contractId: contracts[1], choice: "GetAmount", choiceArgument: {} } });
  const user = {
    id: "bob",
    primaryParty: party,
    isDeactivated: false,
    identityProviderId: "",
    metadata: { resourceVersion: "", annotations: {} },
  };
  await answered(client.post("/v2/users", { user, rights: [{ kind: { CanActAs: { value: { party } } } }] }));
}

const run = (...args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  spawnSync(tested.file, [...tested.args, ...args], { encoding: "utf8", timeout: 60_000 });

async function withNode<T>(data: string, use: (client: Client) => Promise<T>): Promise<T> {
  const node = await startNodeProcess(["--data", data, "--participant-name", "fixture"]),
    client = new Client(node.port, 4);
  try {
    return await use(client);
  } finally {
    client.close();
    await node.stop();
  }
}

const eventFormat = (party: string): object => ({
  filtersByParty: { [party]: { cumulative: [{ identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }] } },
  verbose: false,
});

function putBack(file: string, data: string): void {
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, dataFile), brotliDecompressSync(readFileSync(file)), { mode: 0o600 });
}

async function partyOf(client: Client, hint: string): Promise<string> {
  const { partyDetails } = await answered(client.get("/v2/parties"));
  return (partyDetails as readonly { readonly party: string }[]).map(({ party }) => party).find((one) => one.startsWith(`${hint}::`))!;
}

async function keep(file: string, write: (data: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-format-"));
  await write(join(folder, "data"));
  mkdirSync(ledgers, { recursive: true });
  writeFileSync(file, brotliCompressSync(readFileSync(join(folder, "data", dataFile))));
  rmSync(folder, { recursive: true });
}

/** The first participant's client, and the second's. */
async function withNetwork<T>(data: string, use: (clients: readonly [Client, Client]) => Promise<T>): Promise<T> {
  const ports = `${data}-ports`,
    node = await startNodeProcess(["--data", data, "--participant-name", "fixture", "--participant", "second=0", "--port-file", ports]);
  const second = Number(/^second=(\d+)$/m.exec(readFileSync(ports, "utf8"))![1]),
    clients = [new Client(node.port, 4), new Client(second, 4)] as const;
  try {
    return await use(clients);
  } finally {
    for (const client of clients) client.close();
    await node.stop();
  }
}

const seenBySecond = 5;

/** The first participant sees more than the second, so that what both see has other offsets here and there. */
async function fillNetwork([here, there]: readonly [Client, Client]): Promise<void> {
  for (const client of [here, there]) await answered(client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar")))));
  const party = async (client: Client, partyIdHint: string): Promise<string> =>
    (await answered(client.post("/v2/parties", { partyIdHint, identityProviderId: "" }))).partyDetails.party;
  const alice = await party(here, "alice"),
    bob = await party(there, "bob");
  for (let index = 0; index < seenBySecond; index++)
    for (const obs of [[], [bob]]) await createMulti(here, alice, obs, `c${index}-${obs.length}`);
}

const createMulti = (here: Client, signatory: string, obs: readonly string[], commandId: string): Promise<unknown> =>
  answered(
    here.post("/v2/commands/submit-and-wait", {
      commands: [{ CreateCommand: { templateId: "#ref-model:M:Multi", createArguments: { sigs: [signatory], obs } } }],
      commandId,
      actAs: [signatory],
      userId: "fixture",
    }),
  );

test("formats: ledgers of this one are kept", { timeout: 120_000 }, async () => {
  if (isOn("LEDGERLINE_WRITE_LEDGER")) {
    if (!existsSync(fileOf(formatNumber))) await keep(fileOf(formatNumber), (data) => withNode(data, fill));
    if (!existsSync(networkFileOf(formatNumber))) await keep(networkFileOf(formatNumber), (data) => withNetwork(data, fillNetwork));
  }
  for (const file of [fileOf(formatNumber), networkFileOf(formatNumber)])
    assert.ok(existsSync(file), `LEDGERLINE_WRITE_LEDGER=1 npm test -- formats writes ${file}`);
});

for (const format of formatsOf("format")) {
  describe(`formats: a ledger of format ${format}`, { timeout: 180_000 }, () => {
    let folder = "",
      data = "";
    before(() => {
      folder = mkdtempSync(join(tmpdir(), "ledgerline-format-"));
      data = join(folder, "data");
      putBack(fileOf(format), data);
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it("opens, and has its contracts, history, users and packages; commands go on from there", async () => {
      await withNode(data, async (client) => {
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
          commands: [
            { CreateCommand: { templateId: template, createArguments: { issuer: party, owner: party, name: "gold", amount: "5" } } },
          ],
          commandId: "later",
          actAs: [party],
          userId: "bob",
        };
        const { completionOffset } = await answered(client.post("/v2/commands/submit-and-wait", again));
        assert.equal(completionOffset, end + 1);
      });
    });

    it("is sound afterwards, and opens again", async () => {
      const verified = run("verify", "--data", data);
      assert.equal(verified.status, 0, verified.stderr);
      assert.match(verified.stdout, /^The ledger is sound/);
      await withNode(data, async (client) => assert.equal((await client.get("/readyz")).status, 200));
    });
  });
}

for (const format of formatsOf("network")) {
  test(
    `formats: two participants of format ${format} find what others submitted by its id, before and after they go on`,
    { timeout: 180_000 },
    async (t) => {
      const folder = mkdtempSync(join(tmpdir(), "ledgerline-format-")),
        data = join(folder, "data");
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      putBack(networkFileOf(format), data);
      const isSound = (): void => {
        const { status, stdout, stderr } = run("verify", "--data", data);
        assert.equal(status, 0, stderr);
        assert.match(stdout, /^The ledger is sound/);
      };
      isSound();
      for (const round of [1, 2]) {
        await withNetwork(data, async ([here, there]) => {
          const bob = await partyOf(there, "bob");
          const updateFormat = {
            includeTransactions: { transactionShape: "TRANSACTION_SHAPE_ACS_DELTA", eventFormat: eventFormat(bob) },
          };
          const { offset: end } = await answered(there.get("/v2/state/ledger-end"));
          const updates: readonly any[] = await answered(there.post("/v2/updates", { beginExclusive: 0, endInclusive: end, updateFormat }));
          assert.equal(updates.length, seenBySecond * round);
          for (const { update } of updates) {
            const { updateId, offset } = update.Transaction.value;
            assert.notEqual(Number.parseInt(updateId.slice(-12), 16), offset, "the offset is another one where it was submitted");
            const found = await answered(there.post("/v2/updates/update-by-id", { updateId, updateFormat }));
            assert.equal(found.update.Transaction.value.offset, offset);
          }
          if (round === 1) await fillMore(here, bob);
        });
        isSound();
      }
    },
  );
}

async function fillMore(here: Client, bob: string): Promise<void> {
  const alice = await partyOf(here, "alice");
  for (let index = 0; index < seenBySecond; index++) await createMulti(here, alice, [bob], `later-${index}`);
}

test("formats: a file that is no ledger is refused, and stays as it is", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-format-")),
    file = join(folder, dataFile);
  writeFileSync(file, Buffer.from("not a ledger of ours".repeat(4_096)), { mode: 0o600 });
  const before = readFileSync(file),
    refused = run("start", "--port", "0", "--data", folder);
  assert.notEqual(refused.status, 0);
  assert.ok(refused.stderr.length > 0 && refused.stderr.split("\n").length < 5, refused.stderr);
  assert.deepEqual(readFileSync(file), before);
  rmSync(folder, { recursive: true });
});
