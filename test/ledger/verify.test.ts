import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import { verifyLedger } from "../../src/ledger/index.js";
import { ContractIndex } from "../../src/ledger/records/index.js";
import { Batch, RecordWriter, openStore, type Table, type Tables } from "../../src/store/index.js";
import { pieceOf } from "./run-pieces.js";
import { closeFixture, packageId, packagePayload, startLedger, submission, success, summaryOf } from "./support.js";

/** A ledger at rest with active, archived, keyed and transient contracts and a rejection; its folder. */
async function ledgerAtRest(t: TestContext): Promise<string> {
  const fixture = await startLedger(t),
    { alice, bob } = fixture.parties as { alice: string; bob: string };
  const submit = async (...steps: object[]): Promise<void> => {
    success(await fixture.ledger.submit(submission([alice], steps)));
  };
  await submit(
    { create: "one", signatories: [alice], observers: [bob] },
    { create: "two", signatories: [alice], template: "M:Keyed", key: "two" },
  );
  await submit({ exercise: "one", by: [alice] }, { create: "brief", signatories: [alice] }, { exercise: "brief", by: [alice] });
  await submit({ create: "three", signatories: [alice, bob], template: "M:Other" });
  const repeated = submission([alice], [{ create: "four", signatories: [alice] }]);
  success(await fixture.ledger.submit(repeated));
  await fixture.ledger.submit(repeated);
  await closeFixture(fixture);
  return fixture.folder;
}

async function change(folder: string, write: (batch: Batch, tables: Tables) => void): Promise<void> {
  const store = await openStore({ folder }),
    batch = new Batch();
  write(batch, store.tables);
  await batch.flush();
  await store.close();
}

const removable = [
  "updates",
  "updateIndex",
  "contractRuns",
  "instances",
  "active",
  "archived",
  "archiveMarks",
  "activeKeys",
  "completions",
  "completionIndex",
  "acceptanceRuns",
] as const;

interface AnyTable {
  all(): Iterable<{ readonly key: unknown; readonly value: Buffer }>;
}

describe("verify", () => {
  it("a ledger that nobody touched is sound", async (t) => {
    const { sound, text } = await verifyLedger(await ledgerAtRest(t));
    assert.ok(sound, text);
    assert.match(text, /5 completions/);
  });

  it("of a large ledger it is told how far the check is", async (t) => {
    const fixture = await startLedger(t),
      { alice } = fixture.parties as { alice: string };
    const create = async (index: number): Promise<void> => {
      success(await fixture.ledger.submit(submission([alice], [{ create: `c${index}`, signatories: [alice] }])));
    };
    for (let from = 0; from < 1_100; from += 100) await Promise.all(Array.from({ length: 100 }, (_, index) => create(from + index)));
    const end = fixture.ledger.ledgerEnd();
    await closeFixture(fixture);
    const told: unknown[] = [];
    assert.ok((await verifyLedger(fixture.folder, (...progress) => told.push(progress))).sound);
    assert.deepEqual(told, [
      ["log", 1_024, end],
      ["history", 1_024, end],
      ["indexes", 1_024, end],
    ]);
  });

  for (const table of removable) {
    it(`finds any one missing entry of ${table}`, async (t) => {
      const folder = await ledgerAtRest(t),
        store = await openStore({ folder });
      const entries = [...(store.tables[table] as unknown as AnyTable).all()];
      await store.close();
      assert.ok(entries.length > 0);
      for (const { key, value } of entries) {
        await change(folder, (batch, tables) => batch.remove(tables[table] as Table<never>, key as never));
        assert.equal((await verifyLedger(folder)).sound, false, `${table} ${JSON.stringify(key)}`);
        await change(folder, (batch, tables) => batch.put(tables[table] as Table<never>, key as never, value));
      }
      assert.equal((await verifyLedger(folder)).sound, true);
    });
  }

  it("finds bytes of a package that are missing or others; parts of an upload that broke off are none of them", async (t) => {
    const payload = randomBytes(2.5 * limits.packageBytesPerCommit),
      id = createHash("sha256").update(payload).digest("hex"),
      fixture = await startLedger(t);
    fixture.interpreter.dar = {
      ok: { mainPackageId: id, packages: [{ summary: summaryOf({ packageId: id, version: "1.1.0" }), payload }] },
    };
    success(await fixture.ledger.uploadDar(Buffer.from("dar"), { vetAllPackages: true, synchronizerId: "" }));
    await closeFixture(fixture);
    const { folder } = fixture,
      parts = [0, 1, 2].map((number) => `${id}/${number}`),
      store = await openStore({ folder }),
      [first, second] = parts.map((key) => store.tables.packagePayloads.read(key)!);
    await store.close();
    const found = async (key: string, record: Buffer | undefined, back: Buffer): Promise<string> => {
      await change(folder, (batch, { packagePayloads }) =>
        record === undefined ? batch.remove(packagePayloads, key) : batch.put(packagePayloads, key, record),
      );
      const { text } = await verifyLedger(folder);
      await change(folder, (batch, { packagePayloads }) => batch.put(packagePayloads, key, back));
      return text;
    };
    const damaged = Buffer.from(first!);
    damaged[1_000]! ^= 1;
    assert.match(await found(parts[0]!, undefined, first!), new RegExp(`package ${id}: .*part 0 of 3 is missing`));
    assert.match(await found(parts[0]!, second, first!), new RegExp(`package ${id}: its bytes have another hash`));
    assert.match(await found(parts[0]!, damaged, first!), new RegExp(`package ${id}/0: .*checksum`));
    await change(folder, (batch, tables) => batch.remove(tables.packagePayloads, packageId));
    assert.match((await verifyLedger(folder)).text, new RegExp(`package ${packageId}: its bytes are missing`));
    await change(folder, (batch, tables) => {
      batch.put(tables.packagePayloads, packageId, new RecordWriter().bytes(packagePayload).finish(1));
      batch.put(tables.packagePayloads, `${"f".repeat(64)}/0`, second!);
    });
    const { sound, text } = await verifyLedger(folder);
    assert.ok(sound, text);
  });

  it("names entries that stand for nothing", async (t) => {
    const strays: readonly (readonly [RegExp, (batch: Batch, tables: Tables) => void])[] = [
      [/index active: .*offset 3/, (batch, tables) => batch.put(tables.active, { party: 2, template: 1, offset: 3, nodeId: 9 })],
      [/index archived/, (batch, tables) => batch.put(tables.archived, { party: 2, template: 1, archivedOffset: 6, offset: 3, nodeId: 9 })],
      [/index updateIndex/, (batch, tables) => batch.put(tables.updateIndex, { party: 4, template: 1, offset: 5 })],
      [/index completionIndex/, (batch, tables) => batch.put(tables.completionIndex, { party: 4, offset: 5 })],
      [/index activeKeys/, (batch, tables) => batch.put(tables.activeKeys, { keyHash: "ab".repeat(32), offset: 3, nodeId: 1 })],
    ];
    for (const [finding, write] of strays) {
      const folder = await ledgerAtRest(t);
      await change(folder, write);
      assert.match((await verifyLedger(folder)).text, finding);
    }
  });

  it("finds a contract whose record tells of another create or archive", async (t) => {
    const folder = await ledgerAtRest(t),
      store = await openStore({ folder });
    const { runs } = new ContractIndex(store.tables),
      [run] = runs.list.runs,
      all = [...runs.entries()];
    const exchanged = all.map(({ key }, index) => ({ key, value: all[(index + 1) % all.length]!.value })),
      [bucket] = pieceOf(run!, runs.kind, exchanged).records;
    await store.close();
    await change(folder, (batch, tables) => batch.put(tables.contractRuns, { run: run!.number, part: bucket!.part }, bucket!.record));
    assert.match((await verifyLedger(folder)).text, /its record says/);
  });
});
