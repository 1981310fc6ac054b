/** Of a large transaction one contract is read like that of a small one, once its record is in memory. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import { LargeRecords } from "../../src/ledger/reading/large-records.js";
import type { LoggedRecord } from "../../src/ledger/reading/update-cache.js";
import { UpdateLog } from "../../src/ledger/reading/update-log.js";
import { PartyLists, UpdateMarks } from "../../src/ledger/records/index.js";
import { Batch } from "../../src/store/index.js";
import { contractIdOf, startLedger, type Step, submission, success, wildcard, type Fixture } from "./support.js";

const creates = 4 * limits.readStepEvents;

interface Large extends Fixture {
  readonly alice: string;
  readonly offset: number;
  readonly record: Buffer;
}

async function withLarge(t: TestContext): Promise<Large> {
  const fixture = await startLedger(t),
    { alice } = fixture.parties as { readonly alice: string },
    steps = Array.from({ length: creates }, (_, n): Step[] => [
      { create: `many ${n}`, signatories: [alice] },
      ...(n % 7 === 0 ? [{ exercise: `many ${n}`, by: [alice], consuming: n % 2 === 0, choice: "Look" }] : []),
    ]);
  const { completionOffset: offset } = success(await fixture.ledger.submit(submission([alice], steps.flat())));
  await fixture.store.caughtUp();
  const record = fixture.store.tables.updates.read(offset)!;
  assert.ok(record.length > limits.updateCacheChunkBytes / 4, `${record.length} bytes`);
  return { ...fixture, alice, offset, record };
}

/** How often something is read from the log in the file meanwhile. */
async function readsDuring({ store }: Fixture, work: () => Promise<void>): Promise<number> {
  const { updates } = store.tables,
    { readShared } = updates;
  let reads = 0;
  updates.readShared = (key) => {
    reads++;
    return readShared.call(updates, key);
  };
  try {
    await work();
  } finally {
    updates.readShared = readShared;
  }
  return reads;
}

const logged = (bytes: number): LoggedRecord => ({ bytes: Buffer.alloc(bytes), head: 0, text: 0, textEnd: bytes, kind: undefined });

describe("records of large transactions", () => {
  it("who reads its contracts one after the other reads it from the file once", async (t) => {
    const large = await withLarge(t),
      { ledger, alice } = large,
      names = [3, creates - 1, 0, 7, creates / 2].map((n) => `many ${n}`);
    const told: string[] = [];
    const reads = await readsDuring(large, async () => {
      for (const name of names) {
        const contractId = contractIdOf(name),
          contract = success(await ledger.readContract(contractId, [alice])),
          events = success(await ledger.readEventsByContractId(contractId, wildcard(alice)));
        for (const text of [contract, events])
          told.push(...[...text.matchAll(/"createdEvent":\{.*?"contractId":"(\w+)"/g)].map(([, id]) => id!));
      }
    });
    assert.deepEqual(
      told,
      names.flatMap((name) => [contractIdOf(name), contractIdOf(name)]),
    );
    assert.equal(reads, 1);
  });

  it("each event is found by its node, in whatever order one asks, and none where there is none", async (t) => {
    const { record } = await withLarge(t),
      marks = (): UpdateMarks => new UpdateMarks(record, 0, new PartyLists()),
      nodes = marks().events.map(({ nodeId }) => nodeId),
      last = nodes.at(-1)!,
      found = (update: UpdateMarks, nodeId: number): number | undefined => update.eventOf(nodeId)?.nodeId;
    const forwards = marks(),
      backwards = marks(),
      known = marks();
    void known.events;
    const orders = [
      [forwards, nodes],
      [backwards, nodes.toReversed()],
      [known, nodes],
    ] as const;
    for (const [update, order] of orders) {
      assert.deepEqual(
        order.map((nodeId) => found(update, nodeId)),
        order,
      );
      for (const nodeId of [last + 1, last, last + 1, 0]) assert.equal(found(update, nodeId), nodes.includes(nodeId) ? nodeId : undefined);
    }
  });

  it("one that is not as it was written is damage whenever it is read, and is not kept", async (t) => {
    const { store, offset, record } = await withLarge(t),
      log = new UpdateLog(store.tables, { offset: 0 }),
      batch = new Batch(),
      changed = Buffer.from(record);
    changed[changed.length - 3]! ^= 1;
    batch.put(store.tables.updates, offset, changed);
    await batch.flush();
    for (let times = 0; times < 2; times++)
      assert.throws(() => log.get(offset), { message: /table updates, offset \d+: the record is damaged: its checksum/ });
    assert.equal(log.kept(offset), undefined);
  });

  it("are kept as long as somebody reads one, and a moment longer", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const records = new LargeRecords({ offset: 0 });
    records.add(1, logged(1_000_000));
    for (let times = 0; times < 5; times++) {
      t.mock.timers.tick(limits.largeRecordsMs);
      assert.ok(records.find(1));
    }
    t.mock.timers.tick(limits.largeRecordsMs);
    t.mock.timers.tick(limits.largeRecordsMs);
    assert.equal(records.find(1), undefined);
    records.add(1, logged(1_000_000));
    assert.ok(records.find(1));
  });

  it("are kept until something is pruned", () => {
    const pruning = { offset: 0 },
      records = new LargeRecords(pruning);
    records.add(7, logged(1_000_000));
    assert.ok(records.find(7));
    pruning.offset = 5;
    assert.equal(records.find(7), undefined);
    records.add(7, logged(1_000_000));
    assert.ok(records.find(7));
  });

  it("are kept as far as there is room: the one that was read first goes first, and one that is too long takes nobody's place", () => {
    const records = new LargeRecords({ offset: 0 }),
      half = limits.largeRecordsBytesMax / 2;
    for (const offset of [1, 2, 3]) records.add(offset, logged(half));
    assert.deepEqual(
      [1, 2, 3].map((offset) => records.find(offset) !== undefined),
      [false, true, true],
    );
    records.add(4, logged(limits.largeRecordsBytesMax + 1));
    assert.deepEqual(
      [2, 3, 4].map((offset) => records.find(offset) !== undefined),
      [true, true, false],
    );
  });
});
