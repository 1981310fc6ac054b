/** What is acknowledged before the file has it: who asks afterwards, in whatever way, finds it. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { prepare as allocate } from "../crash/load.js";
import { execute, executionOf, ExternalParty, prepare, type Prepared } from "../external/external-world.js";
import { acsDelta, Channel, eventFormat, type Json, World } from "../scenarios/world.js";
import { Client, startNodeProcess } from "../support/node-process.js";
import { withoutWrites } from "../support/without-writes.js";
import { temporaryFolder } from "../support/folders.js";

const times = 30;

interface Asking {
  /** Its data folder. */
  readonly data: string;
  readonly client: Client;
  readonly port: number;
  readonly party: string;
  readonly world: World;
}

async function start(t: TestContext, more: readonly string[] = []): Promise<Asking> {
  const folder = temporaryFolder("ahead"),
    data = join(folder, "data"),
    node = await startNodeProcess(["--data", data, ...more]),
    client = new Client(node.port, 32);
  t.after(async () => {
    client.close();
    await node.stop();
    rmSync(folder, { recursive: true });
  });
  return { data, client, port: node.port, party: await allocate(client), world: World.of(node) };
}

let commands = 0;
const nextCommand = (): string => `ahead-${++commands}`;

async function submit({ client, party }: Asking, command: object, commandId = nextCommand()): Promise<Json> {
  const { json } = await client.post("/v2/commands/submit-and-wait", { commands: [command], commandId, actAs: [party], userId: "ahead" });
  return json();
}

const create = (party: string, name: string): object => ({
  CreateCommand: { templateId: "#ref-model:M:Asset", createArguments: { issuer: party, owner: party, name, amount: "1" } },
});
const archive = (contractId: string): object => ({
  ExerciseCommand: { templateId: "#ref-model:M:Asset", contractId, choice: "Archive", choiceArgument: {} },
});

/** Gives the id of what it made. */
async function submitCreate({ client, party }: Asking, name: string): Promise<string> {
  const commands = { commands: [create(party, name)], commandId: nextCommand(), actAs: [party], userId: "ahead" };
  const { json } = await client.post("/v2/commands/submit-and-wait-for-transaction", { commands });
  return json().transaction.events[0].CreatedEvent.contractId as string;
}

async function contractsNamed({ client, party }: Asking, name: string): Promise<readonly string[]> {
  const { offset: activeAtOffset } = (await client.get("/v2/state/ledger-end")).json() as { offset: number },
    found = await client.post("/v2/state/active-contracts", { activeAtOffset, eventFormat: eventFormat({ parties: [party] }) });
  return (found.json() as Json[])
    .map(({ contractEntry }) => contractEntry.JsActiveContract.createdEvent as Json)
    .filter(({ createArgument }) => createArgument.name === name)
    .map(({ contractId }) => contractId as string);
}

describe("acknowledged ahead of the file", () => {
  it("whoever asks next finds it: the ledger end, updates, completions, active contracts", async (t) => {
    const asking = await start(t),
      { client, party } = asking;
    for (let time = 0; time < times; time++) {
      const { completionOffset, updateId } = await submit(asking, create(party, `n${time}`));
      const begin = completionOffset - 1;
      switch (time % 4) {
        case 0:
          assert.ok((await client.get("/v2/state/ledger-end")).json().offset >= completionOffset);
          break;
        case 1: {
          const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [party] }) } },
            found = await client.post("/v2/updates/update-by-id", { updateId, updateFormat });
          assert.equal(found.json().update.Transaction.value.offset, completionOffset);
          break;
        }
        case 2: {
          const found = await client.post("/v2/commands/completions?limit=1", { userId: "ahead", parties: [party], beginExclusive: begin });
          assert.equal(found.json()[0].completionResponse.Completion.value.updateId, updateId);
          break;
        }
        default:
          assert.equal((await contractsNamed(asking, `n${time}`)).length, 1);
      }
    }
  });

  it("a transaction is told as readers find it later; one that needs more than its record waits for the file", async (t) => {
    const asking = await start(t),
      { client, party, data } = asking;
    const transactionFormat = (blobs: boolean): object => {
      const format = eventFormat({ parties: [party] });
      return {
        transactionShape: acsDelta,
        eventFormat: blobs
          ? JSON.parse(JSON.stringify(format).replaceAll(`"includeCreatedEventBlob":false`, `"includeCreatedEventBlob":true`))
          : format,
      };
    };
    const submitAndRead = async (name: string, transactionFormat: object): Promise<Json> => {
      const commands = { commands: [create(party, name)], commandId: nextCommand(), actAs: [party], userId: "ahead" };
      const { json } = await client.post("/v2/commands/submit-and-wait-for-transaction", { commands, transactionFormat });
      return json().transaction as Json;
    };
    await submit(asking, create(party, "first"));
    let told: Json | undefined,
      whole: Promise<Json> | undefined,
      isWholeTold = false;
    await withoutWrites(data, async () => {
      told = await submitAndRead("told", transactionFormat(false));
      whole = submitAndRead("whole", transactionFormat(true)).finally(() => (isWholeTold = true));
      await submit(asking, create(party, "last"));
      assert.ok(!isWholeTold, "it waits");
    });
    const { events } = (await whole!) as { events: Json[] };
    assert.match(events[0]!.CreatedEvent.createdEventBlob, /^[A-Za-z0-9+/]{100}/);
    const updateFormat = { includeTransactions: transactionFormat(false) },
      found = await client.post("/v2/updates/update-by-id", { updateId: told!.updateId, updateFormat });
    assert.deepEqual(told, found.json().update.Transaction.value);
    assert.equal(told!.events[0].CreatedEvent.createArgument.name, "told");
  });

  it("who asks for a transaction gets it also where many come at once, and some have to be interpreted again", async (t) => {
    const { client, party } = await start(t);
    // Records have room for the digits of the offset that is expected; some are expected wrongly around 9 and 99.
    const told = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const commands = { commands: [create(party, `m${index}`)], commandId: nextCommand(), actAs: [party], userId: "ahead" };
        return (await client.post("/v2/commands/submit-and-wait-for-transaction", { commands })).json() as Json;
      }),
    );
    for (const [index, { transaction }] of told.entries())
      assert.equal(transaction?.events[0].CreatedEvent.createArgument.name, `m${index}`, JSON.stringify(told[index]));
  });

  it("a command knows what was acknowledged before it: what it archived, made, and that it was accepted", async (t) => {
    const asking = await start(t),
      { party } = asking;
    for (let time = 0; time < times; time++) {
      const name = `once-${time}`,
        commandId = nextCommand();
      await submit(asking, create(party, name));
      const [contractId] = await contractsNamed(asking, name);
      assert.ok((await submit(asking, archive(contractId!), commandId)).updateId);
      const again = await submit(asking, archive(contractId!), time % 2 === 0 ? commandId : nextCommand());
      assert.equal(again.code, time % 2 === 0 ? "DUPLICATE_COMMAND" : "CONTRACT_NOT_FOUND", JSON.stringify(again));
    }
  });

  it("who was told of a contract uses it, though the file does not have it, and once only", async (t) => {
    const asking = await start(t, ["--workers", "1"]), // another thread would not know of it
      { party, data } = asking;
    await submit(asking, archive(await submitCreate(asking, "first"))); // its template has a number from now on
    const archived: string[] = [];
    await withoutWrites(data, async () => {
      for (const name of ["a", "b", "c"]) {
        const contractId = await submitCreate(asking, name);
        assert.ok((await submit(asking, archive(contractId))).updateId);
        archived.push(contractId);
      }
    });
    for (const contractId of archived) assert.equal((await submit(asking, archive(contractId))).code, "CONTRACT_NOT_FOUND");
    assert.deepEqual(await contractsNamed({ ...asking, party }, "a"), []);
  });

  it("so is what is not plain, and what is signed elsewhere, which takes effect once", async (t) => {
    const asking = await start(t),
      { client, party, data, world } = asking,
      signer = await ExternalParty.onboard(world, "signer"),
      [{ synchronizerId }] = (await client.get("/v2/state/connected-synchronizers")).json().connectedSynchronizers;
    const prepared = (name: string): Promise<Prepared> => prepare(world, [signer], [create(signer.party, name)]);
    await submit(asking, create(party, "first")); // its template has a number from now on
    const [waited, read] = [await prepared("waited"), await prepared("read")];
    const whileFileWaits = async (path: string, body: object): Promise<Json> => {
      await client.get("/v2/state/ledger-end"); // what was told before is in the file
      let answer: Json;
      await withoutWrites(data, async () => {
        answer = (await client.post(path, body)).json();
      });
      return answer;
    };
    const special = { commands: [create(party, "special")], commandId: nextCommand(), actAs: [party], userId: "ahead", synchronizerId },
      told = await whileFileWaits("/v2/commands/submit-and-wait", special),
      signed = await whileFileWaits("/v2/interactive-submission/executeAndWait", executionOf(waited, [signer])),
      { transaction } = await whileFileWaits("/v2/interactive-submission/executeAndWaitForTransaction", executionOf(read, [signer]));
    assert.deepEqual(Object.keys(told).sort(), ["completionOffset", "updateId"]);
    assert.deepEqual(Object.keys(signed).sort(), ["completionOffset", "updateId"]);
    assert.equal(transaction.events[0].CreatedEvent.createArgument.name, "read");
    assert.equal(transaction.externalTransactionHash, Buffer.from(read.preparedTransactionHash, "base64").toString("hex"));
    for (const again of [waited, read])
      assert.equal((await execute(world, again, [signer], { userId: "other" })).json().code, "DUPLICATE_CONFIRMATION_REQUEST_UUID");
    const updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [signer.party] }) } },
      found = await client.post("/v2/updates/update-by-id", { updateId: transaction.updateId, updateFormat });
    assert.deepEqual(found.json().update.Transaction.value, transaction);
  });

  it("of what is signed, and brought again and again while it goes on, one takes effect", async (t) => {
    const asking = await start(t),
      { world } = asking,
      signer = await ExternalParty.onboard(world, "signer");
    for (let time = 0; time < times; time++) {
      const name = `signed-${time}`,
        prepared = await prepare(world, [signer], [create(signer.party, name)]);
      const brought = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          await sleep(index / 2);
          return (await execute(world, prepared, [signer], { userId: `user-${index}` })).json() as Json;
        }),
      );
      assert.equal(brought.filter(({ updateId }) => updateId !== undefined).length, 1, JSON.stringify(brought));
      assert.equal((await contractsNamed({ ...asking, party: signer.party }, name)).length, 1);
    }
  });

  it("who follows the updates gets it at once, in the order of the offsets", async (t) => {
    const asking = await start(t),
      { party, port, client } = asking,
      beginExclusive = (await client.get("/v2/state/ledger-end")).json().offset as number,
      updateFormat = { includeTransactions: { transactionShape: acsDelta, eventFormat: eventFormat({ parties: [party] }) } },
      channel = await Channel.open(port, "/v2/updates", { beginExclusive, updateFormat });
    const told: number[] = [];
    for (let time = 0; time < times; time++) told.push((await submit(asking, create(party, `s${time}`))).completionOffset);
    await channel.until(({ update }) => update.Transaction?.value.offset === told.at(-1), 5_000);
    assert.deepEqual(
      channel.elements.flatMap(({ update }) => (update.Transaction === undefined ? [] : [update.Transaction.value.offset as number])),
      told,
    );
    channel.close();
  });
});
