/** When the disk counts as full, and what the reserve is for. */
import assert from "node:assert/strict";
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { limits } from "../../src/config.js";
import { Batch, RecordWriter, reserveFile, openStore } from "../../src/store/index.js";
import { OpeningLock } from "../../src/store/opening-lock.js";
import { StorageRoom } from "../../src/store/room.js";
import { temporaryFolder } from "../support/folders.js";

const { ampleRoomBytes, reserveBytesMin, reserveBytesMax, storageRoomBytesMin, storageRoomBytesAgain } = limits,
  megabyte = 1024 * 1024;

/** A disk with so many bytes free, which a test changes; what is on it is not counted. */
function roomOn(folder: string, disk: { bytes: number; fileBytes: number; usedBytes: number }, keepsReserve = true): StorageRoom {
  const room = new StorageRoom({ folder, keepsReserve, diskBytes: () => disk.bytes, sizes: () => disk });
  room.begin();
  return room;
}

const sizeOf = (folder: string): number => statSync(join(folder, reserveFile), { throwIfNoEntry: false })?.size ?? 0;

describe("room on the disk", () => {
  it("the reserve is as large as the file, within bounds, and grows with it", async () => {
    const folder = temporaryFolder(),
      disk = { bytes: 1e9, fileBytes: 0, usedBytes: 0 },
      room = roomOn(folder, disk);
    for (const [fileBytes, reserve] of [
      [0, reserveBytesMin],
      [3 * megabyte + 1, 3 * megabyte + 1],
      [2 * megabyte, 3 * megabyte + 1],
      [1e12, reserveBytesMax],
    ] as const) {
      disk.fileBytes = disk.usedBytes = fileBytes;
      await room.keepReserve();
      assert.equal(sizeOf(folder), reserve);
      assert.equal(room.impediment(), undefined);
    }
  });

  it("the reserve has half of what is free at most, so that commands have the other half", async () => {
    const folder = temporaryFolder(),
      free = 20 * megabyte,
      disk = { bytes: free + storageRoomBytesMin, fileBytes: 30 * megabyte, usedBytes: 30 * megabyte },
      room = roomOn(folder, disk);
    for (let times = 0; times < 3; times++) {
      await room.keepReserve();
      assert.equal(sizeOf(folder), free / 2);
      disk.bytes = free + storageRoomBytesMin - sizeOf(folder);
    }
    assert.equal(room.impediment(), undefined);
  });

  it("what is acknowledged before it is in the file finds room for sure: by the reserve, and until that is made on an ample disk", async () => {
    const folder = temporaryFolder(),
      disk = { bytes: ampleRoomBytes, fileBytes: 0, usedBytes: 0 },
      room = roomOn(folder, disk);
    assert.ok(room.assuredBytes > reserveBytesMin / 4);
    await room.keepReserve();
    assert.equal(room.assuredBytes, reserveBytesMin / 4);
    assert.ok(room.giveUpReserve());
    assert.equal(room.assuredBytes, 0);
    const other = roomOn(temporaryFolder(), { ...disk, bytes: ampleRoomBytes - 1 });
    assert.equal(other.assuredBytes, 0, "nothing is set aside yet");
    await other.keepReserve();
    assert.equal(other.assuredBytes, reserveBytesMin / 4);
    assert.equal(roomOn(temporaryFolder(), disk, false).assuredBytes, 0, "nobody sets anything aside");
  });

  it("the file's free pages are not counted while there is room on the disk: every command asks before there is a reserve", () => {
    const disk = { bytes: 1e9, fileBytes: 0, usedBytes: 0 };
    let counted = 0;
    const sizes = (): typeof disk => {
      counted++;
      return disk;
    };
    const room = new StorageRoom({ folder: temporaryFolder(), keepsReserve: true, diskBytes: () => disk.bytes, sizes });
    room.begin();
    const atFirst = counted;
    for (let command = 0; command < 10; command++) assert.equal(room.impediment(), undefined);
    assert.equal(counted, atFirst);
    disk.bytes = 0;
    assert.match(room.impediment()!, /full/);
    assert.ok(counted > atFirst);
  });

  it("no reserve is made where it would take the last room, nor for a ledger that goes with its process", async () => {
    const folder = temporaryFolder();
    await roomOn(folder, { bytes: reserveBytesMin + storageRoomBytesMin - 1, fileBytes: 0, usedBytes: 0 }).keepReserve();
    await roomOn(folder, { bytes: 1e9, fileBytes: 0, usedBytes: 0 }, false).keepReserve();
    assert.equal(existsSync(join(folder, reserveFile)), false);
  });

  it("a refused write tells of a full disk only where little is free: others may have asked for too much", async () => {
    const disk = { bytes: 1e9, fileBytes: 0, usedBytes: 0 },
      room = roomOn(temporaryFolder(), disk);
    await room.keepReserve();
    room.refused();
    assert.equal(room.impediment(), undefined);
    disk.bytes = storageRoomBytesMin - 1;
    assert.equal(room.impediment(), undefined, "nothing was refused yet");
    room.refused();
    assert.match(room.impediment()!, /^The node's disk is full: of the 4\.2 MB that commands need, the reserve included, 3\.1 MB are free/);
  });

  it("room on the disk and free pages in the file end it, without a restart", async () => {
    for (const makeRoom of [
      (disk: { bytes: number }) => {
        disk.bytes = storageRoomBytesAgain;
      },
      (disk: { usedBytes: number }) => {
        disk.usedBytes -= storageRoomBytesAgain;
      },
    ]) {
      const disk = { bytes: 1e9, fileBytes: 5 * megabyte, usedBytes: 5 * megabyte },
        room = roomOn(temporaryFolder(), disk);
      await room.keepReserve();
      disk.bytes = 0;
      room.refused();
      assert.match(room.impediment()!, /full/);
      makeRoom(disk);
      assert.equal(room.impediment(), undefined);
    }
  });

  it("an error of input and output tells of a full disk where there is hardly room, else of a broken one", () => {
    const disk = { bytes: storageRoomBytesMin, fileBytes: 0, usedBytes: 0 },
      room = roomOn(temporaryFolder(), disk),
      cutShort = { code: constants.errno.EIO };
    assert.equal(room.explains(cutShort), false);
    disk.bytes--;
    assert.equal(room.explains(cutShort), true);
  });

  it("what is left when the reserve was given up counts as the reserve first", async () => {
    const folder = temporaryFolder(),
      disk = { bytes: 1e9, fileBytes: 0, usedBytes: 0 },
      room = roomOn(folder, disk);
    await room.keepReserve();
    assert.equal(room.giveUpReserve(), true);
    assert.equal(existsSync(join(folder, reserveFile)), false);
    disk.bytes = reserveBytesMin + storageRoomBytesMin - 1;
    assert.match(room.impediment()!, /full/);
    disk.bytes = reserveBytesMin + storageRoomBytesAgain - 1;
    assert.match(room.impediment()!, /full/);
    disk.bytes++;
    assert.equal(room.impediment(), undefined);
    assert.equal(room.giveUpReserve(), false);
  });

  it("what a reserve that is being made has taken counts as room: commands are not refused for the time of its making", async () => {
    const folder = temporaryFolder(),
      disk = { bytes: 12 * megabyte, fileBytes: 5 * megabyte, usedBytes: 5 * megabyte };
    let free = disk.bytes;
    const room = new StorageRoom({ folder, keepsReserve: true, diskBytes: () => free - sizeOf(folder), sizes: () => disk });
    room.begin();
    const seen = new Set<number>(),
      making = room.keepReserve();
    let isMade = false;
    void making.then(() => (isMade = true));
    free -= 4 * megabyte; // what commands write meanwhile
    while (!isMade) {
      await setImmediate();
      assert.equal(room.impediment(), undefined, `with ${sizeOf(folder)} bytes of it made`);
      seen.add(sizeOf(folder));
    }
    assert.ok(seen.size > 2, `it was looked at with ${[...seen].join(", ")} bytes of it made`);
    assert.equal(sizeOf(folder), 5 * megabyte);
  });

  it("a reserve is not made when the room for it goes while it is being made", async () => {
    const folder = temporaryFolder(),
      disk = { bytes: 0, fileBytes: 8 * megabyte, usedBytes: 8 * megabyte };
    let free = 20 * megabyte;
    const room = new StorageRoom({ folder, keepsReserve: true, diskBytes: () => free - sizeOf(folder), sizes: () => disk });
    room.begin();
    const making = room.keepReserve();
    free = 8 * megabyte;
    await making;
    assert.equal(sizeOf(folder), 0);
    await room.keepReserve();
    assert.equal(sizeOf(folder), (free - storageRoomBytesMin) / 2, "as much as there is room for now");
  });

  it("a reserve that is given up while it is being made larger is free at once, and one that somebody removed is no error", async () => {
    const folder = temporaryFolder(),
      path = join(folder, reserveFile),
      disk = { bytes: 1e9, fileBytes: 0, usedBytes: 0 },
      room = roomOn(folder, disk);
    await room.keepReserve();
    disk.fileBytes = disk.usedBytes = 8 * megabyte;
    const making = room.keepReserve(),
      file = openSync(path, "r");
    while (fstatSync(file).size < 4 * megabyte) await setImmediate();
    assert.equal(room.giveUpReserve(), true);
    assert.equal(fstatSync(file).size, 0);
    disk.bytes = reserveBytesMin;
    assert.match(room.impediment()!, /full/, "what was made of it counts no more");
    disk.bytes = 1e9;
    assert.equal(room.impediment(), undefined);
    await making;
    closeSync(file);
    assert.equal(existsSync(path), false);
    await room.keepReserve();
    rmSync(path);
    assert.equal(room.giveUpReserve(), true);
  });

  it("a start on a full disk finds it full before anything is refused, whether the reserve is there or not", () => {
    const folder = temporaryFolder(),
      full = { bytes: 0, fileBytes: megabyte, usedBytes: megabyte };
    assert.match(roomOn(folder, full).impediment()!, /full/);
    writeFileSync(join(folder, reserveFile), Buffer.alloc(reserveBytesMin));
    assert.match(roomOn(folder, full).impediment()!, /full/);
  });

  it("that no reserve could be made is told who wanted it, not who closes; the file is closed whole, whatever fails", async (t) => {
    const folder = temporaryFolder(),
      room = roomOn(folder, { bytes: 1e9, fileBytes: 0, usedBytes: 0 });
    mkdirSync(join(folder, reserveFile));
    const making = assert.rejects(room.keepReserve(), { code: "EISDIR" });
    await room.close();
    await making;
    const file = temporaryFolder(),
      store = await openStore({ folder: file }),
      closing = t.mock.method(StorageRoom.prototype, "close", () => Promise.reject(new Error("the room"))),
      unlocking = t.mock.method(OpeningLock.prototype, "close");
    await assert.rejects(store.close(), /the room/);
    closing.mock.restore();
    assert.equal(unlocking.mock.callCount(), 1);
    await (await openStore({ folder: file })).close();
  });

  it("a write that removes gets the reserve and is written, one that adds is refused and leaves it", async (t) => {
    const folder = temporaryFolder(),
      store = await openStore({ folder });
    await store.close();
    writeFileSync(join(folder, reserveFile), Buffer.alloc(reserveBytesMin));
    const again = await openStore({ folder }),
      { users } = again.tables;
    t.after(() => again.close());
    const { during } = OpeningLock.prototype;
    // The system refuses as long as the reserve takes its room.
    t.mock.method(OpeningLock.prototype, "during", function (this: OpeningLock, commit: () => unknown) {
      if (sizeOf(folder) > 0) return Promise.reject(Object.assign(new Error("No space left on device"), { code: 28 }));
      return during.call(this, commit);
    });
    const batch = (): Batch => {
      const made = new Batch();
      made.put(users, "name", new RecordWriter().u32(1).finish(1));
      return made;
    };
    await assert.rejects(batch().flush(), /No space left/);
    assert.equal(sizeOf(folder), reserveBytesMin);
    await batch().flush({ removes: true });
    assert.deepEqual([sizeOf(folder), users.has("name")], [0, true]);
  });
});
