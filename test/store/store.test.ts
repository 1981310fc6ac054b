import assert from "node:assert/strict";
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { Transaction } from "lmdb";
import { Damage, type Ending, onEnding, Unwritable } from "../../src/base/damage.js";
import { asEnding, asEndingOfRead } from "../../src/store/lmdb-errors.js";
import {
  Batch,
  CorruptRecord,
  journalFile,
  RecordReader,
  RecordWriter,
  SnapshotReader,
  openStore,
  type Store,
  StoreFormatError,
  unseal,
} from "../../src/store/index.js";
import { temporaryFolder } from "../support/folders.js";

async function open(t: TestContext, folder = temporaryFolder()): Promise<Store> {
  const store = await openStore({ folder });
  t.after(() => store.close());
  return store;
}

/** Makes each branch of the file's trees lead to a page that is none; gives how many it met. A page begins as LMDB's `MDB_page`. */
function misleadBranches(file: string): number {
  const bytes = readFileSync(file),
    descriptor = openSync(file, "r+"),
    { pageSize, base, flagsAt, lowerAt, pointersAt, branch } = {
      pageSize: 8_192,
      base: 24,
      flagsAt: 18,
      lowerAt: 20,
      pointersAt: 24,
      branch: 1,
    };
  let met = 0;
  for (let page = 2 * pageSize; page < bytes.length; page += pageSize) {
    if (bytes.readUInt16LE(page + flagsAt) !== branch) continue;
    met++;
    for (let child = 0; child < bytes.readUInt16LE(page + lowerAt) / 2; child++)
      writeSync(descriptor, Buffer.alloc(6, 0x55), 0, 6, page + base + bytes.readUInt16LE(page + pointersAt + 2 * child));
  }
  closeSync(descriptor);
  return met;
}

describe("store", () => {
  it("keys come back in the order of their numbers, also beyond 32 bits", async (t) => {
    const { tables } = await open(t),
      batch = new Batch();
    const offsets = [1, 255, 256, 65_535, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 5, 2 ** 47];
    for (const offset of [...offsets].reverse())
      for (const party of [1, 256]) batch.put(tables.updateIndex, { party, template: 7, offset });
    await batch.flush();
    const range = { start: { party: 1, template: 7, offset: 0 }, end: { party: 1, template: 8, offset: 0 } };
    assert.deepEqual(
      tables.updateIndex.keys(range).map((key) => key.offset),
      offsets,
    );
    assert.deepEqual(
      tables.updateIndex
        .keys({ start: { party: 1, template: 7, offset: 2 ** 40 + 5 }, end: { party: 1, template: 7, offset: 256 }, reverse: true })
        .map((key) => key.offset),
      [2 ** 40 + 5, 2 ** 32, 2 ** 32 - 1, 65_535],
    );
  });

  it("records of every field type come back as they were written", () => {
    const record = new RecordWriter()
      .u8(200)
      .u32(2 ** 32 - 1)
      .offset(2 ** 48 - 1)
      .i64(-(2n ** 63n))
      .text("é😀")
      .bytes(Buffer.from([1, 2]))
      .finish(3);
    const reader = new RecordReader(unseal(record, 3, "test"));
    assert.deepEqual(
      [reader.u8(), reader.u32(), reader.offset(), reader.i64(), reader.text(), [...reader.bytes()]],
      [200, 2 ** 32 - 1, 2 ** 48 - 1, -(2n ** 63n), "é😀", [1, 2]],
    );
  });

  it("any flipped bit of a record is noticed, and so is a newer version", () => {
    const record = new RecordWriter().text("contents").finish(1);
    for (let bit = 0; bit < record.length * 8; bit++) {
      if (bit >= 8 && bit < 32) continue; // the three unused bytes of the seal
      const damaged = Buffer.from(record);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      assert.throws(() => unseal(damaged, 1, "test"), CorruptRecord);
    }
    assert.throws(() => unseal(new RecordWriter().finish(2), 1, "test"), CorruptRecord);
    assert.throws(() => unseal(Buffer.from([1]), 1, "test"), CorruptRecord);
  });

  it("ids that tell an offset lie in its order, whatever else is in them", async (t) => {
    const { tables } = await open(t),
      told = [1, 255, 256, 70_000, 2 ** 40],
      ids = told.map((offset, index) => `1220${"f0a5c3"[index]!.repeat(52)}${offset.toString(16).padStart(12, "0")}`),
      batch = new Batch();
    for (const id of ids.toReversed()) batch.put(tables.updateIds, id, new RecordWriter().text(id).finish(1));
    await batch.flush();
    assert.deepEqual(
      [...tables.updateIds.all()].map(({ key, value }) => [key, new RecordReader(unseal(value, 1, "test")).text()]),
      ids.map((id) => [id, id]),
    );
    assert.ok(ids.every((id) => tables.updateIds.has(id)));
  });

  it("what was opened of a folder that is refused half-way is closed", { skip: process.platform !== "linux" }, async (t) => {
    const folder = temporaryFolder();
    await (await open(t, folder)).close();
    rmSync(join(folder, journalFile));
    symlinkSync("/nowhere/journal", join(folder, journalFile)); // there is none, and none can be made
    const held = (): readonly string[] =>
      readdirSync("/proc/self/fd").flatMap((file) => {
        try {
          return [readlinkSync(`/proc/self/fd/${file}`)].filter((path) => path.startsWith(folder));
        } catch {
          return []; // of the list itself
        }
      });
    for (let attempt = 0; attempt < 3; attempt++) await assert.rejects(openStore({ folder }), /ENOENT/);
    assert.deepEqual(held(), []);
  });

  it("a file of another format is refused by number", async () => {
    const folder = temporaryFolder(),
      store = await openStore({ folder }),
      batch = new Batch();
    batch.put(store.tables.state, "format", new RecordWriter().u32(99).finish(1));
    await batch.flush();
    await store.close();
    await assert.rejects(openStore({ folder }), (error) => error instanceof StoreFormatError && error.message.includes("99"));
  });

  it("a page that leads nowhere is damage to whoever reads it, of the newest or of a snapshot; a snapshot that is over is none", async (t) => {
    const folder = temporaryFolder(),
      { tables } = await openStore({ folder }), // to close it would write to what is damaged
      batch = new Batch(),
      told: Ending[] = [];
    t.after(onEnding((ending) => told.push(ending)));
    for (let offset = 1; offset <= 2_000; offset++) batch.put(tables.updateIndex, { party: 1, template: 1, offset });
    await batch.flush();
    assert.ok(misleadBranches(join(folder, "data.mdb")) > 0);
    assert.throws(() => tables.updateIndex.has({ party: 1, template: 1, offset: 7 }), Damage);
    assert.throws(
      () => tables.updateIndex.keys({ start: { party: 1, template: 1, offset: 1 }, end: { party: 1, template: 2, offset: 0 } }),
      Damage,
    );
    assert.ok(told.length >= 2);
    const over = { isDone: true } as unknown as Transaction;
    const bad = Object.assign(new Error("bad"), { code: -30_782 });
    assert.equal(asEndingOfRead(bad, over, "table"), bad);
  });

  it("that LMDB does nothing more after a refused write is no damage of what is stored", () => {
    const panic = Object.assign(new Error("MDB_PANIC: Update of meta page failed or environment had fatal error"), { code: -30_795 });
    assert.ok(asEnding(panic, "table") instanceof Unwritable);
  });

  it("a pinned snapshot keeps its view while commits go on, and a later one sees them", async (t) => {
    const store = await open(t),
      { tables } = store;
    const write = async (offset: number): Promise<void> => {
      const batch = new Batch();
      batch.append(tables.updates, offset, new RecordWriter().u32(offset).finish(1));
      await batch.flush();
    };
    await write(1);
    const old = SnapshotReader.pin(store, 1);
    await write(2);
    assert.deepEqual([old.lastOffset, old.tables.updates.has(2)], [1, false]);
    const young = SnapshotReader.pin(store, 2);
    assert.ok(young.tables.updates.has(2));
    assert.equal(old.tables.updates.has(2), false);
    old.release();
    young.release();
    assert.throws(() => SnapshotReader.pin(store, 3), /not older/);
  });

  it("what is appended in front of another key fails, and nothing of its batch is written", async (t) => {
    const { tables } = await open(t),
      record = new RecordWriter().u32(1).finish(1);
    const write = async (fill: (batch: Batch) => void): Promise<void> => {
      const batch = new Batch();
      fill(batch);
      await batch.flush();
    };
    await write((batch) => batch.append(tables.updates, 7, record));
    for (const offset of [7, 5]) {
      await assert.rejects(
        write((batch) => {
          batch.append(tables.updates, offset, record);
          batch.put(tables.users, "with it", record);
        }),
        /lies behind/,
      );
      assert.deepEqual([tables.updates.has(5), tables.users.has("with it")], [false, false]);
    }
    await assert.rejects(
      write((batch) => {
        batch.append(tables.updates, 9, record);
        batch.append(tables.updates, 8, record);
      }),
      /lies behind/,
    );
    await write((batch) => {
      batch.append(tables.updates, 8, record);
      batch.append(tables.updates, 9, record);
    });
    assert.deepEqual(tables.updates.keys({ start: 1, end: 100 }), [7, 8, 9]);
  });

  it("a batch is one transaction of LMDB, however small or large, and all of it is on the disk when it is told", async (t) => {
    const store = await open(t);
    const transactions = (): number => {
      const pinned = store.pin();
      pinned.tablesOf(0).state.has("format"); // the first read takes the snapshot
      const [holder] = store.readers();
      pinned.release();
      return holder!.snapshot;
    };
    let offset = 0;
    for (const size of [1, 2, 5, 40, 1_100, 6_000]) {
      const before = transactions(),
        batch = new Batch();
      for (let index = 0; index < size; index++) batch.append(store.tables.updates, ++offset, Buffer.alloc(100, 1));
      await batch.flush();
      assert.deepEqual([size, transactions() - before], [size, 1]);
      assert.equal(store.tables.updates.has(offset), true);
    }
  });

  it("a shared read is a view that holds exactly the record", async (t) => {
    const store = await open(t),
      batch = new Batch();
    for (const size of [1, 100, 5_000, 200_000]) batch.put(store.tables.updates, size, Buffer.alloc(size, size & 0xff));
    await batch.flush();
    for (const size of [200_000, 1, 5_000, 100]) {
      const shared = store.tables.updates.readShared(size)!;
      assert.equal(Buffer.from(shared).equals(Buffer.alloc(size, size & 0xff)), true);
      assert.equal(store.tables.updates.read(size)!.length, size);
    }
  });
});
