/** What a commit's record says of the tables is what they hold then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EntryHash, TableSums } from "../../src/store/table-sums.js";

const setsOfTables = { perSet: 2, sets: 3 };

function hashOf(key: string): EntryHash {
  const hash = new EntryHash();
  hash.of(Buffer.from(key), 0, key.length, 0, 0);
  return hash;
}

test("table sums: a record follows each entry that comes or goes, and those of a copy do not", () => {
  const sums = new TableSums(setsOfTables),
    empty = sums.encode();
  sums.add(1, hashOf("a"));
  const one = sums.encode(),
    copy = sums.copy();
  copy.add(4, hashOf("b"));
  assert.notDeepEqual(one, empty);
  assert.deepEqual(sums.encode(), one);
  const read = TableSums.decode(copy.encode(), setsOfTables);
  for (let table = 0; table < 6; table++) assert.ok(read.isSame(table, copy), `table ${table}`);
  assert.deepEqual(
    [1, 4, 5].map((table) => read.entriesOf(table)),
    [1, 1, 0],
  );
  copy.remove(4, hashOf("b"));
  assert.deepEqual(copy.encode(), one, "sets behind the last one that holds anything are left out");
  copy.remove(1, hashOf("a"));
  assert.deepEqual(copy.encode(), empty);
});
