/** What is acknowledged ahead of the file: in the journal, and in the file some time later, whatever happens between. */
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { open as openLmdb, type RootDatabase } from "lmdb";
import { type Ending, onEnding, Unwritable } from "../../src/base/damage.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { commitsBehind, commitsIn, Journal, type JournalDevice, strayCommits } from "../../src/store/journal.js";
import { textKey } from "../../src/store/keys.js";
import type { StorageRoom } from "../../src/store/room.js";
import { setsOfTables } from "../../src/store/tables.js";
import { TableSums } from "../../src/store/table-sums.js";
import {
  Batch,
  checkFile,
  dataFile,
  formatNumber,
  journalFile,
  RecordReader,
  RecordWriter,
  openStore,
  type Store,
  StoreDamaged,
} from "../../src/store/index.js";
import type { WrittenTable } from "../../src/store/write.js";
import { StoreWriter, sumsKey } from "../../src/store/writer.js";
import { withoutWrites } from "../support/without-writes.js";
import { temporaryFolder } from "../support/folders.js";

async function open(t: TestContext, folder = temporaryFolder()): Promise<{ readonly store: Store; readonly folder: string }> {
  const store = await openStore({ folder, keepsReserve: true });
  t.after(() => store.close());
  return { store, folder };
}

const record = (text: string): Buffer => new RecordWriter().text(text).finish(1);

/** The entries of a table that is written to like a log, and of one where records are replaced. */
const seen = ({ tables: { updates, users } }: Store): string =>
  [
    ...updates.keys({ start: 0, end: 1_000 }).map(String),
    ...[...users.all()].map(({ key, value }) => `${key}=${value.toString("utf8", 12)}`),
  ].join(" ");

/** A commit of both. */
function commit(store: Store, offset: number, ...users: readonly string[]): Batch {
  const batch = new Batch();
  batch.append(store.tables.updates, offset, record(`update ${offset}`));
  for (const user of users)
    if (user.startsWith("-")) batch.remove(store.tables.users, user.slice(1));
    else batch.put(store.tables.users, user, record(String(offset)));
  return batch;
}

/** What the folder has then, as a machine would find it that loses its power; nothing of it is in the file. */
async function copyAfter(folder: string, commits: () => Promise<void>): Promise<string> {
  const copy = temporaryFolder();
  await withoutWrites(folder, async () => {
    await commits();
    for (const name of [dataFile, journalFile]) cpSync(join(folder, name), join(copy, name));
  });
  return copy;
}

describe("journal", () => {
  it("what only it has is in the file after a start, all of it and in its order, and counted", async (t) => {
    const { store, folder } = await open(t);
    await commit(store, 1, "ann", "bob").flush();
    const copy = await copyAfter(folder, async () => {
      for (const [offset, ...users] of [
        [2, "ann", "carl"],
        [3, "-bob", "carl"],
        [4, "bob", "-ann"],
      ] as const)
        assert.ok(await commit(store, offset, ...users).flushAhead());
    });
    const before = await openStore({ folder: copy, readOnly: true, readsJournal: true });
    assert.deepEqual([seen(before), before.commitsInJournal()], ["1 ann=1 bob=1", 3]);
    await before.close();
    const again = await openStore({ folder: copy });
    assert.equal(seen(again), "1 2 3 4 bob=4 carl=3");
    await again.close();
    assert.equal(checkFile(copy)?.error, undefined);
  });

  it("commits after which the tables hold what they held before are each taken once, in their order", async (t) => {
    const { store, folder } = await open(t);
    const holding = (text: string): Batch => {
      const batch = new Batch();
      batch.put(store.tables.users, "ann", record(text));
      return batch;
    };
    await holding("first").flush();
    const copy = await copyAfter(folder, async () => {
      for (const text of ["first", "second", "first", "first", "second", "third", "first"]) assert.ok(await holding(text).flushAhead());
    });
    const before = await openStore({ folder: copy, readOnly: true, readsJournal: true });
    assert.equal(before.commitsInJournal(), 7);
    await before.close();
    for (let starts = 0; starts < 2; starts++) {
      const again = await openStore({ folder: copy });
      assert.equal(seen(again), "ann=first");
      await again.close();
    }
    assert.equal(checkFile(copy)?.error, undefined);
  });

  it("what only it has is taken before a file of an earlier format becomes one of this", async (t) => {
    const { store, folder } = await open(t),
      batch = commit(store, 1, "ann");
    batch.put(store.tables.state, "format", new RecordWriter().u32(formatNumber - 1).finish(1));
    await batch.flush();
    const copy = await copyAfter(folder, async () => {
      for (const offset of [2, 3]) assert.ok(await commit(store, offset, "bob").flushAhead());
    });
    const again = await openStore({ folder: copy });
    assert.equal(seen(again), "1 2 3 ann=1 bob=3");
    assert.equal(new RecordReader(again.tables.state.read("format")!).u32(), formatNumber);
    await again.close();
    assert.equal(checkFile(copy)?.error, undefined);
  });

  it("one of an earlier version, which was shorter, is taken by the halves that it had", async (t) => {
    const { store, folder } = await open(t);
    await commit(store, 1, "ann").flush();
    const copy = await copyAfter(folder, async () => {
      for (const offset of [2, 3]) assert.ok(await commit(store, offset, "bob").flushAhead());
    });
    const journal = readFileSync(join(copy, journalFile)),
      former = Buffer.alloc(1024 * 1024);
    for (const [at, from] of [
      [512 * 1024, 0],
      [0, 4096],
    ] as const) {
      journal.copy(former, at, from, from + 4096);
      former[at + 3] = 1;
    }
    writeFileSync(join(copy, journalFile), former);
    const again = await openStore({ folder: copy });
    assert.equal(seen(again), "1 2 3 ann=1 bob=3");
    await commit(again, 4, "bob").flushAhead();
    await again.close();
    assert.equal(readFileSync(join(copy, journalFile)).length, limits.journalBytes);
    assert.equal(checkFile(copy)?.error, undefined);
  });

  it("the file gets it by itself a moment later, at once when it is asked, and in any case before it is written to otherwise", async (t) => {
    const { store, folder } = await open(t);
    let first: Awaited<ReturnType<Batch["flushAhead"]>>;
    await withoutWrites(folder, async () => {
      first = await commit(store, 1, "ann").flushAhead();
      assert.equal(seen(store), "", "readers do not find it before it is in the file");
    });
    await first!.inFile;
    assert.equal(seen(store), "1 ann=1");
    const [second, third] = [await commit(store, 2, "ann").flushAhead(), await commit(store, 3, "-ann").flushAhead()];
    third!.hurry("reader");
    await Promise.all([second!.inFile, third!.inFile]);
    assert.equal(seen(store), "1 2 3");
    await commit(store, 4, "ann").flush();
    await store.close();
    assert.equal(checkFile(folder)?.error, undefined, "what was replaced before the file had it is counted as it was");
  });

  it("a record that was not written to its end counts for nothing, and what comes before it does", async (t) => {
    const { store, folder } = await open(t);
    await commit(store, 1, "ann").flush();
    const copy = await copyAfter(folder, async () => {
      for (const offset of [2, 3]) assert.ok(await commit(store, offset, "ann").flushAhead());
    });
    const journal = readFileSync(join(copy, journalFile));
    journal[4096 + 200]! ^= 1;
    writeFileSync(join(copy, journalFile), journal);
    const again = await openStore({ folder: copy });
    assert.equal(seen(again), "1 2 ann=2");
    await again.close();
  });

  it("a record that is damaged costs nothing where the file has it, and is missed by those behind it where it has not", async () => {
    const bytes = Buffer.alloc(limits.journalBytes),
      write = async (record: Buffer, length: number, at: number): Promise<void> => void record.copy(bytes, at, 0, length),
      journal = new Journal({ write, remove: () => undefined, close: () => undefined });
    const sums = [new TableSums(setsOfTables)];
    for (let commit = 0; commit < 5; commit++) {
      sums.push(sums[commit]!.next());
      await journal.append([], sums[commit]!.encode(), sums[commit + 1]!.encode());
    }
    const inFile = sums[2]!.encode(),
      records = [...Array(bytes.length / 4096).keys()].map((block) => block * 4096).filter((at) => bytes[at] !== 0);
    const left = records.map((at) => {
      const damaged = Buffer.from(bytes);
      damaged[at + 60]! ^= 1;
      return [[...commitsBehind(damaged, inFile)].length, strayCommits(damaged, inFile)];
    });
    // Of the last nobody can tell that it was written to its end.
    assert.deepEqual(left, [
      [3, 0],
      [3, 0],
      [0, 2],
      [1, 1],
      [2, 0],
    ]);
  });

  it("what somebody wrote is never taken for a record, whatever it looks like and wherever it lies", async (t) => {
    const { store, folder } = await open(t);
    await commit(store, 1).flush();
    const withUser = (value: Buffer): Batch => {
      const batch = new Batch();
      batch.put(store.tables.users, "mallory", new RecordWriter().bytes(value).finish(1));
      return batch;
    };
    const journalAfter = async (batch: Batch): Promise<{ readonly journal: Buffer; readonly copy: string }> => {
      const copy = await copyAfter(folder, async () => void assert.ok(await batch.flushAhead()));
      await store.caughtUp();
      return { journal: readFileSync(join(copy, journalFile)), copy };
    };
    const likeness = (await journalAfter(commit(store, 2, "ann"))).journal.subarray(0, 400),
      unplaced = (await journalAfter(withUser(Buffer.concat([Buffer.alloc(8192), likeness])))).journal,
      at = unplaced.indexOf(likeness, 4096);
    assert.ok(at > 8192);
    const value = Buffer.concat([Buffer.alloc(8192 + 4096 - (at % 4096)), likeness]),
      { journal, copy } = await journalAfter(withUser(value));
    const isLike = (block: number): boolean => journal.readUInt32BE(block * 4096) === likeness.readUInt32BE();
    assert.deepEqual([...Array(journal.length / 4096).keys()].filter(isLike), [0], "it begins no block");
    assert.equal(commitsIn(journal), 1);
    const damaged = Buffer.from(journal);
    damaged[60]! ^= 1;
    assert.equal(commitsIn(damaged), 0);
    const again = await openStore({ folder: copy });
    assert.ok(again.tables.users.read("mallory")!.includes(value), "and is there as it was");
    await again.close();
  });

  /** A folder with the file as it was after `first` and the journal as it is after `then`. */
  async function putBack(t: TestContext, then: (store: Store) => Promise<void>): Promise<{ readonly old: string; readonly store: Store }> {
    const { store, folder } = await open(t);
    await commit(store, 1, "ann").flush();
    const old = await copyAfter(folder, async () => undefined);
    await then(store);
    await store.caughtUp();
    cpSync(join(folder, journalFile), join(old, journalFile));
    return { old, store };
  }
  const ahead = async (store: Store, offset: number): Promise<void> => assert.ok(await commit(store, offset, "bob").flushAhead());
  const verdict = (folder: string): string | undefined => checkFile(folder, { withJournal: true })?.error?.text;

  it("goes on behind what a program told that had fewer tables", async (t) => {
    const { store, folder } = await open(t);
    await commit(store, 1, "ann").flush();
    const copy = await copyAfter(folder, async () => {
      assert.ok(await commit(store, 2, "bob").flushAhead());
    });
    const root = openLmdb({
        path: copy,
        noSubdir: false,
        mapSize: limits.mapSizeBytes,
        pageSize: limits.pageSizeBytes,
        encoding: "binary",
        keyEncoder: textKey,
        overlappingSync: false,
      } as never) as RootDatabase<Buffer, string>,
      { perSet, sets } = setsOfTables;
    await root.put(sumsKey, TableSums.decode(root.get(sumsKey)!, { perSet: perSet - 1, sets }).encode());
    await root.close();
    const before = await openStore({ folder: copy, readOnly: true, readsJournal: true });
    assert.equal(before.commitsInJournal(), 1);
    await before.close();
    const again = await openStore({ folder: copy });
    assert.equal(seen(again), "1 2 ann=1 bob=2");
    await again.close();
  });

  it("one whose commits do not follow on the file, as that was put back from a copy, is refused with what to do", async (t) => {
    const { old } = await putBack(t, async (store) => {
      await ahead(store, 2);
      await store.caughtUp();
      await commit(store, 3).flush(); // by the file alone, so that the journal has a gap
      await ahead(store, 4);
    });
    assert.match(verdict(old)!, /1 commits in journal beside it do not follow .* removes lock\.mdb and journal beside it\.$/);
    await assert.rejects(openStore({ folder: old }), StoreDamaged);
    rmSync(join(old, journalFile));
    const again = await openStore({ folder: old });
    assert.equal(seen(again), "1 ann=1");
    await again.close();
  });

  it("one of another ledger is refused where it has come farther, and has no part in it where it has not", async (t) => {
    const { store, folder } = await open(t);
    for (let offset = 1; offset < 40; offset += 2) {
      await commit(store, offset).flush();
      await ahead(store, offset + 1);
      await store.caughtUp();
    }
    const other = await open(t);
    await commit(other.store, 1, "ann").flush();
    const behind = await copyAfter(other.folder, async () => undefined);
    cpSync(join(folder, journalFile), join(behind, journalFile));
    assert.match(verdict(behind)!, /do not follow/);
    for (let offset = 2; offset < 60; offset++) await commit(other.store, offset, "ann").flush();
    const farther = await copyAfter(other.folder, async () => undefined);
    cpSync(join(folder, journalFile), join(farther, journalFile));
    assert.equal(verdict(farther), undefined);
  });

  it("one whose commits all follow on a copy is taken, and it is told how many there were", async (t) => {
    const { old } = await putBack(t, async (store) => {
      for (const offset of [2, 3]) await ahead(store, offset);
    });
    const told: number[] = [],
      again = await openStore({ folder: old, onReplayed: (commits) => told.push(commits) });
    assert.deepEqual([seen(again), told], ["1 2 3 ann=1 bob=3", [2]]);
    await again.close();
  });

  it("no new ledger is made beside one that has commits, but beside one without any", async (t) => {
    const { old } = await putBack(t, (store) => ahead(store, 2));
    rmSync(join(old, dataFile));
    assert.match(
      verdict(old)!,
      /data\.mdb is damaged: it is not there, but journal beside it has 1 commits of it\. Put it back .* new ledger\.$/,
    );
    await assert.rejects(openStore({ folder: old }), StoreDamaged);
    writeFileSync(join(old, journalFile), Buffer.alloc(limits.journalBytes));
    await (await openStore({ folder: old })).close();
  });

  it("what the file has is not written again, also where it has come further by other ways", async (t) => {
    const { store, folder } = await open(t);
    await commit(store, 1, "ann").flush();
    await (await commit(store, 2, "ann").flushAhead())!.inFile;
    await commit(store, 3, "-ann").flush();
    await store.close();
    const again = await openStore({ folder, keepsReserve: true });
    assert.equal(seen(again), "1 2 3");
    await again.close();
  });

  it("is used again and again, never grows, and lets what is too large for it go the usual way", async (t) => {
    const { store, folder } = await open(t);
    await commit(store, 1).flush();
    let ahead = 0;
    for (let offset = 2; offset < 400; offset++) {
      const batch = commit(store, offset, `user-${offset % 7}`);
      batch.put(store.tables.users, "large", record("x".repeat(offset % 50 === 0 ? limits.journalBytes : 40_000)));
      const written = await batch.flushAhead();
      if (written) ahead++;
      else {
        await store.caughtUp();
        await batch.flush();
      }
    }
    assert.ok(ahead > 300, `${ahead} of 398 went by the journal`);
    await store.caughtUp();
    assert.equal(store.tables.updates.keys({ start: 0, end: 1_000 }).length, 399);
    assert.equal(readFileSync(join(folder, journalFile)).length, limits.journalBytes);
    await store.close();
    assert.equal(checkFile(folder)?.error, undefined);
  });

  it("a ledger without a reserve, or whose writes need not reach the disk, has all in the file before anybody hears of it", async () => {
    for (const options of [{ keepsReserve: false }, { keepsReserve: true, flushes: false }]) {
      const folder = temporaryFolder(),
        store = await openStore({ folder, ...options });
      assert.equal(await commit(store, 1, "ann").flushAhead(), undefined);
      await store.close();
      if ("flushes" in options) assert.equal(existsSync(join(folder, journalFile)), false);
    }
  });
});

const table: WrittenTable = {
  name: "log",
  index: 0,
  encodeKey: (_, target, at = 0) => target.writeUInt8(1, at),
  readShared: () => undefined,
  lastKey: () => undefined,
  write: () => undefined,
};
const write = { kind: "insert", table, key: 1 as never, value: Buffer.alloc(8) } as const;

const noRoom = (): Error => Object.assign(new Error("No space left on device"), { code: constants.errno.ENOSPC });

interface Failing {
  /** What a commit to the file fails with, one after the other; then none does. */
  readonly file?: Error[];
  readonly device?: Partial<JournalDevice>;
  /** How often the reserve can be given up. */
  readonly reserves?: number;
}

function writerOf({ file = [], device = {}, reserves = 0 }: Failing): { readonly writer: StoreWriter; readonly commits: () => number } {
  let commits = 0,
    left = reserves;
  const batch = async (): Promise<boolean> => {
    const error = file.shift();
    if (error !== undefined) throw error;
    commits++;
    return true;
  };
  const root = { get: () => undefined, batch, remove: async () => true, resetReadTxn: () => undefined } as unknown as RootDatabase,
    room = {
      assuredBytes: limits.journalBytes,
      explains: (error: { readonly code?: number }) => error.code === constants.errno.ENOSPC,
      giveUpReserve: () => left-- > 0,
      refused: () => undefined,
    } as unknown as StorageRoom,
    journal = new Journal({ write: async () => undefined, remove: () => undefined, close: () => undefined, ...device });
  const writer = new StoreWriter(root, { room, turns: new Turns(limits.turnMs), opening: { during: async (work) => work() } });
  writer.goAhead(journal);
  return { writer, commits: () => commits };
}

function endings(t: TestContext): readonly Ending[] {
  const told: Ending[] = [];
  t.after(onEnding((ending) => told.push(ending)));
  return told;
}

describe("journal of a disk that fails", () => {
  it("what was acknowledged goes into the room that is set aside when the disk is full", async (t) => {
    const told = endings(t),
      { writer, commits } = writerOf({ file: [noRoom()], reserves: 1 });
    await (await writer.writeAhead([write]))!.inFile;
    assert.deepEqual([commits(), told.length], [1, 0]);
  });

  it("the process hears of it, and should start again, where the file cannot take it at all", async (t) => {
    const told = endings(t),
      { writer } = writerOf({ file: [new Error("Input/output error")] }),
      ahead = await writer.writeAhead([write]);
    ahead!.hurry("reader");
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(
      told.map((ending) => [ending.constructor, ending.place, /Input\/output error/.test(ending.problem)]),
      [[Unwritable, journalFile, true]],
    );
  });

  it("a journal that cannot be written is removed once the file has all of it, and the commit goes the usual way", async () => {
    const deeds: string[] = [];
    let isBroken = false;
    const { writer, commits } = writerOf({
      device: {
        write: async () => {
          if (isBroken) throw new Error("Input/output error");
        },
        remove: () => void deeds.push(`removed after ${commits()}`),
      },
    });
    const first = await writer.writeAhead([write]);
    isBroken = true;
    assert.equal(await writer.writeAhead([write]), undefined);
    await first!.inFile;
    await writer.write([write]);
    assert.deepEqual([deeds, commits()], [["removed after 1"], 2]);
    assert.equal(await writer.writeAhead([write]), undefined, "there is none any more");
  });
});
