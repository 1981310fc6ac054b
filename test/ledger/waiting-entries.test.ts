/** What waits for a run tells what a map of the same entries does, whatever is added, taken back and left. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PieceWriter, type RunKind, WaitingEntries } from "../../src/ledger/runs/index.js";
import { RecordReader, RecordWriter } from "../../src/store/index.js";
import { EntryPlace } from "../../src/ledger/runs/entries.js";
import { count } from "../support/knobs.js";
import { Random } from "../support/random.js";

const words: RunKind<string> = {
  hashAt: 1,
  isMostlyFound: false,
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text(),
};
const seed = count("LEDGERLINE_SEED") ?? 20_261_125;

/** Some share their rank, and differ behind it; some begin the same, and one is longer. */
const keyOf = (n: number): string =>
  `00${(Math.imul(n % 40, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}${n.toString(16).padStart(16, "0")}${n % 7 === 0 ? "ff" : ""}`;

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly offset: number;
}

const lastOf = (entries: readonly Entry[]): Map<string, string> => new Map(entries.map(({ key, value }) => [key, value]));

/** As a run of several pieces tells them, one after the other. */
function runOf(waiting: WaitingEntries<string>, offset: number, parts: number): [string, string][] {
  const sorted = waiting.sortedTo(offset),
    told: [string, string][] = [];
  let bytes = 0;
  for (let part = 0; part < parts; part++) {
    const writer = new PieceWriter({ number: 1, buckets: 2 * parts, bucketsPerPiece: 2 }, part, new RecordWriter());
    waiting.write(sorted, part, parts, writer);
    const piece = writer.finish();
    bytes += piece.bytes;
    for (const { record } of piece.records.slice(0, -1)) {
      const place = new EntryPlace(words);
      for (let isThere = place.begin(record); isThere; isThere = place.next())
        told.push([place.key, words.read(new RecordReader(record, place.valueAt))]);
    }
  }
  assert.deepEqual([sorted.numbers.length, sorted.bytes], [told.length, bytes]);
  return told;
}

describe("entries that wait for a run", () => {
  it("are found, taken back, written up to an offset and gone, as a list of them says", () => {
    const random = new Random(seed);
    for (let round = 0; round < 40; round++) {
      const waiting = round % 2 === 0 ? new WaitingEntries(words) : new WaitingEntries(words, 16);
      let entries: Entry[] = [],
        offset = 0;
      for (let step = 0; step < 60; step++) {
        const what = random.below(10);
        if (what < 7)
          for (let added = 1 + random.below(25); added > 0; added--) {
            const entry = { key: keyOf(random.below(600)), value: `${"v".repeat(random.below(30))}${step}-${added}`, offset };
            waiting.add(entry.key, entry.value, offset);
            entries.push(entry);
            if (random.below(3) === 0) offset++;
          }
        else if (what === 7) {
          const back = random.below(1 + Math.min(5, entries.length));
          waiting.cutBack(waiting.end - back);
          entries = entries.slice(0, entries.length - back);
        } else if (what === 8) {
          const to = Math.max(0, offset - random.below(20));
          waiting.leaveTo(to);
          entries = entries.filter((entry) => entry.offset > to);
        } else {
          const to = Math.max(0, offset - random.below(10)),
            expected = [...lastOf(entries.filter((entry) => entry.offset <= to))].sort(([a], [b]) => (a < b ? -1 : 1));
          assert.deepEqual(runOf(waiting, to, 1 + random.below(5)), expected, `seed ${seed}, round ${round}, step ${step}`);
        }
        const last = lastOf(entries);
        assert.equal(waiting.size, last.size);
        for (let n = 0; n < 600; n += 1 + random.below(40)) assert.equal(waiting.find(keyOf(n)), last.get(keyOf(n)));
        assert.deepEqual(new Map([...waiting.entries()].map(({ key, value }) => [key, value])), last);
      }
    }
  });

  it("a part of a record is an entry like one that is given", () => {
    const waiting = new WaitingEntries(words),
      key = keyOf(5),
      record = new RecordWriter().u8(9).rawHex(key).text("packed").u8(9).finish(1);
    waiting.addPacked(record, 9, key.length / 2, 4 + "packed".length, 1);
    assert.deepEqual([...waiting.entries()], [{ key, value: "packed" }]);
  });

  it("what is no key of a run is not found, and not taken", () => {
    const waiting = new WaitingEntries(words);
    waiting.add(keyOf(3), "there", 1);
    for (const key of ["", "00", "no hex at all, but as long as a key", `${keyOf(3).slice(0, -1)}x`, `${keyOf(3)}00`])
      assert.equal(waiting.find(key), undefined, key);
    for (const key of ["00", `${keyOf(3).slice(0, -2)}xy`]) assert.throws(() => waiting.add(key, "", 1), /has a hash, in hex/);
    assert.throws(() => waiting.add(keyOf(4), "v".repeat(70_000), 1), /an entry fits/);
    waiting.add(keyOf(6), "behind", 1);
    waiting.cutBack(waiting.end - 1);
    assert.deepEqual([waiting.size, waiting.find(keyOf(3)), waiting.find(keyOf(4))], [1, "there", undefined]);
  });

  it("what left is not taken back", () => {
    const waiting = new WaitingEntries(words),
      { end } = waiting;
    waiting.add(keyOf(1), "a", 1);
    waiting.leaveTo(1);
    assert.throws(() => waiting.cutBack(end), /is not taken back/);
  });
});
