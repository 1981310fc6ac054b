/** What a commit's caller hears when LMDB refuses it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RootDatabase } from "lmdb";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import type { StorageRoom } from "../../src/store/room.js";
import type { WrittenTable } from "../../src/store/write.js";
import { StoreWriter } from "../../src/store/writer.js";

const table: WrittenTable = {
  name: "log",
  index: 0,
  encodeKey: () => 1,
  readShared: () => undefined,
  lastKey: () => undefined,
  write: () => undefined,
};
const write = { kind: "insert", table, key: 1 as never, value: Buffer.alloc(8) } as const;

const later = <T>(outcome: () => T): Promise<T> =>
  new Promise((resolve, reject) => setTimeout(() => void new Promise<T>((done) => done(outcome())).then(resolve, reject), 5));

/** Rejected as lmdb does: with a summary, and its reason by a promise of its own. */
function refusal(message: string): Error {
  const reason = Promise.reject(Object.assign(new Error(message), { code: 28 }));
  return Object.assign(new Error("Commit failed"), { commitError: reason });
}
function refuse(message: string): never {
  throw refusal(message);
}

/** On a file whose commits end so: that of a batch, and that of what comes behind it. */
function writerOn(batch: () => Promise<unknown>, behind: () => Promise<unknown>): StoreWriter {
  const root = { get: () => undefined, batch, remove: behind, resetReadTxn: () => undefined } as unknown as RootDatabase,
    room = { explains: () => false } as unknown as StorageRoom;
  return new StoreWriter(root, { room, turns: new Turns(limits.turnMs), opening: { during: async (work) => work() } });
}

describe("store writer", () => {
  it("a refused commit is its caller's to hear, also where lmdb ends what comes behind it in a later turn", async () => {
    for (const behind of [() => later(() => true), () => later(() => refuse("the second"))]) {
      const writer = writerOn(async () => refuse("the first"), behind);
      await assert.rejects(writer.write([write]), /the first/);
    }
  });

  it("a commit that is on disk counts, whatever becomes of what comes behind it", async () => {
    const writer = writerOn(
      async () => true,
      async () => refuse("the second"),
    );
    await writer.write([write]);
  });
});
