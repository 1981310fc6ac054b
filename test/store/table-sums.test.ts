/** What a commit's record says of the tables is what they hold then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordWriter, sealBytes } from "../../src/store/records.js";
import { agree, EntryHash, TableSums } from "../../src/store/table-sums.js";

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

test("table sums: each commit has a number, also where the tables hold what they held before", () => {
  const sums = new TableSums(setsOfTables);
  sums.add(1, hashOf("a"));
  const next = sums.next(),
    read = TableSums.decode(next.next().encode(), setsOfTables);
  assert.notDeepEqual(next.encode(), sums.encode());
  assert.deepEqual(read.next().encode(), next.next().next().encode());
  assert.ok(read.isSame(1, sums));
  assert.deepEqual([agree(next.encode(), next.encode()), agree(next.encode(), sums.encode())], [true, false]);
});

test("table sums: a record of an earlier format, which has no number, agrees with any that holds the same", () => {
  const sums = new TableSums(setsOfTables);
  sums.add(3, hashOf("a"));
  const counted = sums.next().encode(),
    tables = counted.subarray(sealBytes + 4 + 6),
    earlier = new RecordWriter().u32(setsOfTables.perSet).raw(tables).finish(1);
  assert.ok(TableSums.decode(earlier, setsOfTables).isSame(3, sums));
  assert.deepEqual([agree(earlier, counted), agree(earlier, sums.encode()), agree(earlier, earlier)], [true, true, true]);
  sums.add(3, hashOf("b"));
  assert.equal(agree(earlier, sums.encode()), false);
});

test("table sums: a record of who had fewer tables in a set agrees with what says the same of them, and of others that they are empty", () => {
  const fewer = new TableSums({ perSet: 2, sets: 3 }),
    more = new TableSums({ perSet: 3, sets: 3 });
  fewer.add(1, hashOf("a"));
  fewer.add(2 * 1 + 0, hashOf("b"));
  more.add(1, hashOf("a"));
  more.add(3 * 1 + 0, hashOf("b"));
  assert.equal(agree(fewer.encode(), more.encode()), true);
  assert.equal(agree(fewer.next().encode(), more.encode()), false);
  more.add(2, hashOf("c"));
  assert.equal(agree(fewer.encode(), more.encode()), false);
});
