import assert from "node:assert/strict";
import { it } from "node:test";
import { limits } from "../../src/config.js";
import { encodeKeyed, readKeyed } from "../../src/ledger/records/index.js";
import { Batch, RecordWriter, openStore } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folders.js";

const hash = (byte: string): string => byte.repeat(32);

it("contracts with a key are read from the newest to the oldest, and who stops on the way holds no snapshot", async (t) => {
  const store = await openStore({ folder: temporaryFolder() }),
    batch = new Batch(),
    writer = new RecordWriter();
  t.after(() => store.close());
  const count = 3 * limits.keyedPieceMax,
    oldestFirst: string[] = [];
  for (let index = 0; index < count; index++) {
    const contractId = `contract ${index}`,
      place = { offset: 1 + Math.floor(index / 3), nodeId: index % 3 };
    oldestFirst.push(contractId);
    batch.put(store.tables.activeKeys, { keyHash: hash("b2"), ...place }, encodeKeyed(writer, { contractId, stakeholders: [1] }));
    // Neighbours in the index must not be found.
    for (const other of ["b1", "b3"])
      batch.put(store.tables.activeKeys, { keyHash: hash(other), ...place }, encodeKeyed(writer, { contractId: other, stakeholders: [1] }));
  }
  await batch.flush();
  const newestFirst = oldestFirst.reverse();
  for (const wanted of [0, 1, 2, 3, 100, count - 1, count + 1]) {
    const pinned = store.pin(),
      reader = readKeyed(pinned.tablesOf(0), hash("b2")),
      found: string[] = [];
    for (let next = reader.next(); next.done !== true && found.push(next.value.contractId) < wanted; next = reader.next());
    assert.deepEqual(found, newestFirst.slice(0, Math.max(1, wanted)));
    pinned.release();
    assert.deepEqual(store.readers(), [], `after ${wanted} of ${count}`);
  }
  assert.deepEqual([...readKeyed(store.tables, hash("b4"))], []);
});
