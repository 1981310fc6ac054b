import assert from "node:assert/strict";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { offsetKey } from "../../src/store/keys.js";
import { Batch, dataFile, isSealed, RecordWriter, openStore, type Store, Stretch } from "../../src/store/index.js";
import { StretchFile } from "../../src/store/stretch.js";
import { temporaryFolder } from "../support/folders.js";
import { drawFrom } from "../support/random.js";

interface Opened {
  readonly folder: string;
  readonly store: Store;
}

async function open(t: TestContext): Promise<Opened> {
  const folder = temporaryFolder("stretch"),
    store = await openStore({ folder });
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, store };
}

/** It tells its offset and a number. */
function record(offset: number, bytes: number, number = 0): Buffer {
  return new RecordWriter().offset(offset).u32(number).raw(Buffer.alloc(bytes, offset)).finish(1);
}
const offsetAt = 8;
const offsetIn = (bytes: Buffer, from: number): number => bytes.readUIntLE(from + offsetAt, 6);

/** Small ones, and one that takes pages of its own. */
const sizeOf = (offset: number): number => (offset % 50 === 0 ? 9_000 : 40 + ((offset * 7_919) % 2_500));
const isLong = (offset: number): boolean => offset % 50 === 0;

async function write({ store }: Opened, offsets: readonly number[]): Promise<void> {
  const batch = new Batch();
  for (const offset of offsets) batch.append(store.tables.updates, offset, record(offset, sizeOf(offset)));
  await batch.flush();
}

const count = 4_000;
const everyOther = Array.from({ length: count }, (_, index) => 2 * index + 2);
const room = (): Stretch => new Stretch(128 * 1024, 500);

describe("stretches of records", () => {
  it("all records come in their order, but for those that lie in pages of their own", async (t) => {
    const opened = await open(t),
      { updates } = opened.store.tables,
      stretch = room(),
      found = new Set<number>();
    for (let from = 0; from < count; from += 400) await write(opened, everyOther.slice(from, from + 400));
    let searches = 0;
    for (let next = 2; next <= 2 * count; searches++) {
      updates.readStretch(next, stretch);
      assert.ok(stretch.count > 0, `something is found from ${next} on`);
      let last = 0;
      for (let index = 0; index < stretch.count; index++) {
        const { bytes, from, to } = stretch,
          offset = offsetIn(bytes, from[index]!);
        assert.ok(offset > last, "they rise");
        last = offset;
        assert.ok(bytes.subarray(from[index], to[index]).equals(updates.read(offset)!), `the record of ${offset}`);
        found.add(offset);
      }
      assert.ok(last >= next || isLong(next), `what is found from ${next} on goes beyond it, not only to ${last}`);
      next = Math.max(last, next) + 2;
    }
    assert.deepEqual(
      everyOther.filter((offset) => !found.has(offset)),
      everyOther.filter(isLong),
    );
    assert.ok(searches < count / 20, `${searches} searches for ${count} records`);
  });

  it("there is none behind the last, in an empty table, and by a snapshot, which others may be ahead of", async (t) => {
    const opened = await open(t),
      { updates, completions } = opened.store.tables,
      stretch = room();
    await write(opened, everyOther.slice(0, 100));
    completions.readStretch(1, stretch);
    assert.equal(stretch.count, 0);
    updates.readStretch(1_000, stretch);
    assert.ok(stretch.count === 0 || offsetIn(stretch.bytes, stretch.from[stretch.count - 1]!) === 198);
    const pinned = opened.store.pin();
    pinned.tablesOf(0).updates.readStretch(1, stretch);
    pinned.release();
    assert.equal(stretch.count, 0);
  });

  it("while commits go on, whatever passes its check is what was written", async (t) => {
    const opened = await open(t),
      { updates } = opened.store.tables,
      stretch = room();
    await write(opened, everyOther);
    let isOver = false,
      found = 0;
    const rewriting = (async (): Promise<void> => {
      for (let round = 1; round <= 15; round++) {
        const batch = new Batch();
        for (const offset of everyOther) if (offset % 16 === 2 * (round % 8)) batch.put(updates, offset, record(offset, 60, round));
        await batch.flush();
      }
      isOver = true;
    })();
    for (let next = 1; !isOver; next = (next + 601) % (2 * count)) {
      updates.readStretch(next, stretch);
      const { bytes, from, to } = stretch;
      for (let index = 0; index < stretch.count; index++) {
        if (!isSealed(bytes, from[index]!, to[index]!, 1)) continue;
        const offset = offsetIn(bytes, from[index]!),
          number = bytes.readUInt32LE(from[index]! + offsetAt + 6);
        assert.ok(bytes.subarray(from[index], to[index]).equals(record(offset, number === 0 ? sizeOf(offset) : 60, number)));
        found++;
      }
      await new Promise(setImmediate);
    }
    await rewriting;
    assert.ok(found > count, `${found} records were found meanwhile`);
  });

  it("a file that holds anything at all is read without harm, and what is given lies in the pages that were read", async (t) => {
    const opened = await open(t),
      path = join(opened.folder, dataFile),
      bad = join(opened.folder, "bad"),
      stretch = room();
    await write(opened, everyOther.slice(0, 600));
    await opened.store.caughtUp();
    const sound = readFileSync(path);
    const next = drawFrom(4_711);
    const key = Buffer.alloc(6);
    let given = 0;
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(sound);
      // Heads of pages and of nodes are few bytes of a page, so they are aimed at.
      for (let flip = 0; flip < 40; flip++) {
        const page = next(bytes.length / 8_192) * 8_192;
        bytes[page + (flip % 2 === 0 ? next(80) : next(8_192))] = next(256);
      }
      writeFileSync(bad, round % 10 === 0 ? bytes.subarray(0, next(bytes.length)) : bytes);
      const file = new StretchFile(bad);
      offsetKey.writeKey(next(1_200), key, 0);
      file.read("updates", key, stretch);
      file.close();
      given += stretch.count;
      for (let index = 0; index < stretch.count; index++) {
        const { from, to, bytes: pages } = stretch;
        assert.ok(from[index]! <= to[index]! && to[index]! <= pages.length);
        isSealed(pages, from[index]!, to[index]!, 1);
      }
    }
    assert.ok(given > 1_000, `${given} records were given`);
    const lost = Buffer.from(sound);
    for (let at = lost.indexOf("updates"); at >= 0; at = lost.indexOf("updates", at + 1)) {
      const head = at + "updates".length + (lost[at + "updates".length] === 0 ? 1 : 0);
      lost.writeUInt16LE(1, head + 6); // the depth of its tree, and its root: a page that no file has
      lost.writeBigUInt64LE(2n ** 60n, head + 40);
    }
    writeFileSync(bad, lost);
    const rootless = new StretchFile(bad);
    offsetKey.writeKey(1, key, 0);
    rootless.read("updates", key, stretch);
    rootless.close();
    assert.equal(stretch.count, 0);
    copyFileSync(path, bad);
    const whole = new StretchFile(bad);
    offsetKey.writeKey(1, key, 0);
    whole.read("updates", key, stretch);
    whole.close();
    assert.ok(stretch.count > 20, "of the sound file they are given");
  });
});
