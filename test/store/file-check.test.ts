import assert from "node:assert/strict";
import fs, { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  Batch,
  checkFile,
  dataFile,
  formatNumber,
  lockFile,
  RecordReader,
  RecordWriter,
  openStore,
  type Store,
  StoreDamaged,
  StoreFormatError,
  type Tables,
} from "../../src/store/index.js";
import type { Random } from "../crash/damaged-ledger.js";
import { drawFrom } from "../support/random.js";
import { temporaryFolder } from "../support/folders.js";

const pageBytes = 8_192;
/** Of LMDB: what a meta page says; of others the number, the commit but for its lowest part, kind and bounds; where a node has its flags. */
const metaBytes = 160,
  headBytes = 24,
  headWords = [0, 2, 4, 6, 10, 12, 14, 18, 20, 22],
  nodeFlagsAt = 4;

/** What is wrong with the file, or "sound". */
const verdict = (folder: string, options = {}): string => checkFile(folder, options)?.error?.text ?? "sound";

async function write(folder: string, fill: (batch: Batch, tables: Tables) => void): Promise<void> {
  const store = await openStore({ folder }),
    batch = new Batch();
  fill(batch, store.tables);
  await batch.flush();
  await store.close();
}

const record = (bytes: number): Buffer => new RecordWriter().raw(Buffer.alloc(bytes, bytes & 0xff)).finish(1);

/** A log of some pages with its index, records in pages of their own among them. */
async function sampleFile(): Promise<string> {
  const folder = temporaryFolder();
  await write(folder, (batch, { updates, updateIndex }) => {
    for (let offset = 1; offset <= 400; offset++) {
      batch.append(updates, offset, record(offset % 40 === 0 ? 20_000 : 300));
      for (const party of [0, offset % 7]) if (party > 0 || offset % 7 > 0) batch.put(updateIndex, { party, template: 1, offset });
    }
  });
  return folder;
}

/** The page in which a key's bytes stand, and where in the file. */
function placeOf(folder: string, bytes: Buffer): { readonly file: Buffer; readonly at: number } {
  const file = readFileSync(join(folder, dataFile)),
    at = file.lastIndexOf(bytes);
  assert.ok(at > 0, "the bytes are in the file");
  return { file, at };
}

const indexKey = (party: number, offset: number): Buffer => {
  const key = Buffer.alloc(14);
  key.writeUInt32BE(party, 0);
  key.writeUInt32BE(1, 4);
  key.writeUIntBE(offset, 8, 6);
  return key;
};

describe("file check", () => {
  it("sums: whatever is put, inserted, appended and removed, also twice in a batch, the file holds what it says", async () => {
    const folder = temporaryFolder(),
      random: Random = drawFrom(7);
    const store = await openStore({ folder }),
      { users, active, updates, contracts } = store.tables;
    const known = new Set<number>();
    for (let round = 0, offset = 0; round < 60; round++) {
      const batch = new Batch();
      for (let change = random(12); change >= 0; change--) {
        const party = random(20),
          key = { party, template: 1, offset: 9, nodeId: 0 };
        const contractId = `00${party.toString(16).padStart(2, "0")}`;
        switch (random(6)) {
          case 0:
            batch.put(users, `user ${party}`, record(random(2_000)));
            break;
          case 1:
            batch.remove(users, `user ${party}`);
            break;
          case 2:
            if (!known.has(party)) {
              batch.insert(active, key);
              known.add(party);
            }
            break;
          case 3:
            batch.remove(active, key);
            known.delete(party);
            break;
          case 4:
            batch.append(updates, ++offset, record(random(30_000)));
            break;
          default:
            batch.put(contracts, contractId, record(random(60)));
        }
      }
      await batch.flush();
    }
    await store.close();
    assert.equal(verdict(folder), "sound");
    await (await openStore({ folder })).close();
    assert.equal(verdict(folder), "sound");
  });

  it("a key with another bit, in order all the same, is told", async () => {
    const folder = await sampleFile(),
      { file, at } = placeOf(folder, indexKey(0, 400));
    file[at + 13]! ^= 0x40; // behind all others still
    writeFileSync(join(folder, dataFile), file);
    assert.match(verdict(folder), /damaged: table updateIndex does not hold the 686 entries/);
    await assert.rejects(openStore({ folder }), StoreDamaged);
  });

  it("whatever stands at the head of a page, the check ends with a verdict, and tells of every word that is another", async () => {
    const folder = await sampleFile(),
      path = join(folder, dataFile),
      file = readFileSync(path),
      verdicts = new Set<string>();
    const changed = (at: number, to: number): string => {
      const copy = Buffer.from(file);
      copy.writeUInt16LE(to, at);
      writeFileSync(path, copy);
      const told = verdict(folder);
      if (told !== "sound") verdicts.add(told.slice(told.indexOf(": ") + 2).replaceAll(/\d+/g, "#"));
      return told;
    };
    for (let at = 0; at < metaBytes; at += 2)
      for (const page of [0, 1]) {
        const word = file.readUInt16LE(page * pageBytes + at); // the number of a page may be one: those beside it are others'
        for (const to of [0, 0xffff, word ^ 1, (word + 1) & 0xffff, (word - 1) & 0xffff]) changed(page * pageBytes + at, to);
      }
    for (let page = 2; page < file.length / pageBytes; page++) {
      const head = page * pageBytes;
      if (changed(head, page ^ 1) === "sound") continue; // it is free, or the rest of a long record
      for (const at of headWords)
        for (const to of [0xffff, file.readUInt16LE(head + at) ^ 1])
          assert.notEqual(changed(head + at, to), "sound", `${to} at byte ${at} of page ${page}`);
    }
    for (const words of [
      "is none of LMDB's",
      "which is not LMDB's",
      "describes no file that can be",
      "describes another file than the other",
      "ends the file at page",
      "has a depth of",
      "which is none of the file's",
      "which is in use elsewhere",
      "has no order in its nodes",
      "reaches beyond its place",
      "does not begin the value",
    ])
      assert.ok(
        [...verdicts].some((told) => told.includes(words)),
        words,
      );
  });

  it("nodes of an index in another order, or of no kind, are told", async () => {
    const folder = await sampleFile(),
      { file, at } = placeOf(folder, indexKey(3, 10)),
      page = at - (at % pageBytes),
      pointer = (node: number): number => page + headBytes + 2 * node;
    const withWord = (place: number, to: number): string => {
      const copy = Buffer.from(file);
      copy.writeUInt16LE(to, place);
      writeFileSync(join(folder, dataFile), copy);
      return verdict(folder);
    };
    assert.match(withWord(pointer(1), file.readUInt16LE(pointer(3))), /the key of node 2 is out of the order/);
    const node = page + headBytes + file.readUInt16LE(pointer(0));
    assert.match(withWord(node + nodeFlagsAt, 0x40), /node 0 of page \d+ of the table updateIndex is of no kind/);
  });

  it("a page that is an older version of itself is told, of an index in a file of any size", async () => {
    const folder = await sampleFile(),
      { at } = placeOf(folder, indexKey(0, 400)),
      page = Math.floor(at / pageBytes);
    const older = readFileSync(join(folder, dataFile));
    const pageOf = (file: Buffer): Buffer => file.subarray(page * pageBytes, (page + 1) * pageBytes);
    // Enough commits for the same page to be written again.
    let newer = older;
    for (let offset = 401; pageOf(newer).equals(pageOf(older)) || !pageOf(newer).includes(indexKey(0, offset - 1)); offset++) {
      assert.ok(offset < 600, "the page is used again");
      await write(folder, (batch, { updateIndex }) => batch.put(updateIndex, { party: 0, template: 1, offset }));
      newer = readFileSync(join(folder, dataFile));
    }
    older.copy(newer, page * pageBytes, page * pageBytes, (page + 1) * pageBytes);
    writeFileSync(join(folder, dataFile), newer);
    assert.match(verdict(folder, { logBytesMax: 0 }), /damaged/);
  });

  it("the log of a huge file is left to its readers, its branches and the indexes are not", async () => {
    const folder = await sampleFile(),
      { file, at } = placeOf(folder, record(300).subarray(0, 60));
    const leaf = Math.floor(at / pageBytes) * pageBytes;
    file.fill(0, leaf, leaf + pageBytes);
    writeFileSync(join(folder, dataFile), file);
    assert.equal(verdict(folder, { logBytesMax: 0 }), "sound");
    const page = leaf / pageBytes;
    assert.match(verdict(folder), new RegExp(`damaged at page ${page} \\(byte ${leaf}\\): page ${page} of the table updates`));
  });

  it("of a large file a start looks at the head only: its meta pages, size and list of tables; the rest is for who checks it whole", async () => {
    const folder = await sampleFile(),
      head = { wholeBytesMax: 0 },
      path = join(folder, dataFile),
      sound = readFileSync(path);
    assert.equal(checkFile(folder, head)?.ok?.isWhole, false);
    assert.equal(checkFile(folder)?.ok?.isWhole, true);
    const { file, at } = placeOf(folder, indexKey(0, 400));
    file[at + 13]! ^= 0x40;
    writeFileSync(path, file);
    assert.equal(verdict(folder, head), "sound");
    assert.match(verdict(folder, { isOpenHere: true }), /table updateIndex does not hold/);
    for (const bytes of [0, pageBytes, 2 * pageBytes, sound.length / 2]) {
      writeFileSync(path, sound);
      truncateSync(path, bytes);
      assert.match(verdict(folder, head), /damaged/, `${bytes} bytes`);
    }
    for (const meta of [0, 1]) {
      const other = Buffer.from(sound);
      other.fill(0, meta * pageBytes, meta * pageBytes + metaBytes);
      writeFileSync(path, other);
      assert.match(verdict(folder, head), /damaged/, `meta page ${meta}`);
    }
  });

  it("a file of a later format is told as that, whatever tables and sums it has, not as damaged", async () => {
    const folder = await sampleFile(),
      path = join(folder, dataFile),
      numbered = (number: number): Promise<void> =>
        write(folder, (batch, { state }) => batch.put(state, "format", new RecordWriter().u32(number).finish(1)));
    const withTableOfLater = (): void => {
      const { file, at } = placeOf(folder, Buffer.from("acceptanceRuns\0"));
      file.write("acceptanceRunz", at);
      writeFileSync(path, file);
    };
    const known = readFileSync(path);
    withTableOfLater();
    assert.match(verdict(folder), /damaged: there is no table "acceptanceRunz/);
    writeFileSync(path, known);
    await numbered(formatNumber + 1);
    const later = readFileSync(path);
    for (const options of [{}, { wholeBytesMax: 0 }]) {
      writeFileSync(path, later);
      assert.throws(() => checkFile(folder, options), StoreFormatError);
      withTableOfLater();
      assert.throws(
        () => checkFile(folder, options),
        new RegExp(`storage format ${formatNumber + 1}.*take the later version that wrote it`),
      );
      await assert.rejects(openStore({ folder }), StoreFormatError);
    }
  });

  it("a file that lost its newest commit is told by the lock file beside it, and taken as a copy without", async () => {
    const folder = await sampleFile(),
      kept = join(folder, "kept");
    copyFileSync(join(folder, dataFile), kept);
    await write(folder, (batch, { users }) => batch.put(users, "one", record(10)));
    assert.equal(verdict(folder), "sound");
    copyFileSync(kept, join(folder, dataFile));
    assert.match(verdict(folder), /it ends with commit \d+, but commit \d+ was written to it/);
    rmSync(join(folder, lockFile));
    assert.equal(verdict(folder), "sound");
  });

  it("a file that is cut anywhere is told, unless only free pages are missing", async () => {
    const folder = await sampleFile(),
      path = join(folder, dataFile),
      whole = readFileSync(path);
    for (const bytes of [1, 100, pageBytes, 2 * pageBytes, 2 * pageBytes + 1, 9 * pageBytes, whole.length - pageBytes, whole.length - 1]) {
      writeFileSync(path, whole);
      truncateSync(path, bytes);
      assert.match(verdict(folder), /damaged/, `${bytes} bytes`);
    }
  });

  it("a commit that makes the file longer while its check begins is no damage", async (t) => {
    const folder = await sampleFile(),
      path = join(folder, dataFile),
      before = readFileSync(path);
    await write(folder, (batch, { updates }) => {
      for (let offset = 401; offset <= 420; offset++) batch.append(updates, offset, record(20_000));
    });
    const after = readFileSync(path),
      read = fs.readSync;
    assert.ok(after.length > before.length);
    writeFileSync(path, before);
    const commits = t.mock.method(fs, "readSync", (...asked: Parameters<typeof read>) => {
      if (commits.mock.callCount() === 0) writeFileSync(path, after);
      return read(...asked);
    });
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    assert.equal(verdict(folder, { isOpenHere: true }), "sound");
    assert.ok(commits.mock.callCount() > 0);
  });

  it("a file of format 3 is proved by whoever can, counted, and held against that from then on", async () => {
    const folder = await sampleFile();
    await withoutSums(folder);
    let proved = 0;
    const failing = openStore({ folder, proveUncounted: () => Promise.reject(new StoreDamaged("an index is not that of the log")) });
    await assert.rejects(failing, /an index is not/);
    const store = await openStore({
      folder,
      proveUncounted: () => {
        proved++;
        return Promise.resolve();
      },
    });
    await store.close();
    await (
      await openStore({
        folder,
        proveUncounted: () => {
          proved++;
          return Promise.resolve();
        },
      })
    ).close();
    assert.equal(proved, 1);
    const { file, at } = placeOf(folder, indexKey(0, 400));
    file[at + 13]! ^= 0x40;
    writeFileSync(join(folder, dataFile), file);
    assert.match(verdict(folder), /damaged: table updateIndex/);
  });

  it("a file of format 3 on a full disk is there for readers, and gets its format with the first write that there is room for", async (t) => {
    const folder = await sampleFile();
    await withoutSums(folder);
    let proved = 0;
    const proveUncounted = (): Promise<void> => {
      proved++;
      return Promise.resolve();
    };
    const disk = t.mock.method(Batch.prototype, "flush", () =>
      Promise.reject(Object.assign(new Error("No space left on device"), { code: 28 })),
    );
    const store = await openStore({ folder, proveUncounted });
    disk.mock.restore();
    const formatOf = ({ tables }: Store): number => new RecordReader(tables.state.read("format")!).u32(),
      { users } = store.tables;
    assert.deepEqual([formatOf(store), users.has("late")], [3, false]);
    const batch = new Batch();
    batch.put(users, "late", new RecordWriter().u32(1).finish(1));
    await batch.flush();
    assert.deepEqual([formatOf(store), users.has("late")], [formatNumber, true]);
    await store.close();
    await (await openStore({ folder, proveUncounted })).close();
    assert.equal(proved, 1);
  });
});

/** As an earlier version left it. */
async function withoutSums(folder: string): Promise<void> {
  await write(folder, (batch, { state }) => batch.put(state, "format", new RecordWriter().u32(3).finish(1)));
  const { open } = await import("lmdb");
  const keyEncoder = { writeKey: (key: string, target: Buffer, start: number) => start + target.write(key, start), readKey: () => "" };
  const options = {
    path: folder,
    pageSize: pageBytes,
    mapSize: 1024 ** 4,
    overlappingSync: false,
    encoding: "binary",
    keyEncoder,
    maxDbs: 32,
  };
  const root = open(options as never);
  await root.remove("sums" as never);
  await root.close();
}
