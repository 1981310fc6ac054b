import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { type LoggedRecord, UpdateCache } from "../../src/ledger/reading/update-cache.js";

const textStart = 100;
const add = (cache: UpdateCache, offset: number, bytes = record(offset)): unknown => cache.add(offset, bytes, textStart, undefined);

/** Head and text put together again. */
const recordOf = ({ bytes, head, text }: LoggedRecord, size = 1_000): Buffer =>
  Buffer.concat([bytes.subarray(head, head + textStart), bytes.subarray(text, text + size - textStart)]);

/** Bytes that only the record of this offset has. */
function record(offset: number, bytes = 1_000): Buffer {
  const seed = createHash("sha256").update(String(offset)).digest();
  return Buffer.alloc(bytes, seed);
}

function holds(cache: UpdateCache, offset: number, bytes?: number): boolean {
  const found = cache.find(offset),
    expected = record(offset, bytes);
  if (found) assert.ok(recordOf(found, expected.length).equals(expected), `the record of offset ${offset}`);
  return found !== undefined;
}

const fullOffsets = Math.ceil(limits.updateCacheBytesMax / 1_000);

describe("update cache", () => {
  it("gives back what was added, by offset, near and far", () => {
    const cache = new UpdateCache(),
      offsets = [1, 2, 63, 64, 65, 1_000, 2 ** 31 + 5, 2 ** 47];
    assert.equal(cache.find(1), undefined);
    for (const offset of offsets) add(cache, offset);
    for (const offset of offsets) assert.ok(holds(cache, offset));
    for (const offset of [3, 62, 66, 999, 2 ** 31 + 6]) assert.equal(cache.find(offset), undefined);
  });

  it("drops what was added first when it is full", () => {
    const cache = new UpdateCache();
    for (let offset = 1; offset <= 2 * fullOffsets; offset++) add(cache, offset);
    assert.equal(holds(cache, 1), false);
    assert.equal(holds(cache, fullOffsets - 5_000), false);
    assert.ok(holds(cache, 2 * fullOffsets - 20_000));
    assert.ok(holds(cache, 2 * fullOffsets));
  });

  it("keeps what is read again and again, however much comes", () => {
    const cache = new UpdateCache();
    add(cache, 1);
    for (let offset = 2; offset <= 5 * fullOffsets; offset++) {
      add(cache, offset);
      if (offset % 1_000 === 0) assert.ok(holds(cache, 1), `at offset ${offset}`);
    }
  });

  it("a record found stays whole while others come", () => {
    const cache = new UpdateCache();
    add(cache, 1);
    const found = cache.find(1)!;
    for (let offset = 2; offset <= 3 * fullOffsets; offset++) add(cache, offset);
    assert.ok(recordOf(found).equals(record(1)));
  });

  it("texts that were added one after the other lie one behind the other, with commas between", () => {
    const cache = new UpdateCache(),
      places = [1, 2, 3].map((offset) => cache.add(offset, record(offset), textStart, undefined)),
      texts = [1, 2, 3].map((offset) => record(offset).subarray(textStart).toString("latin1"));
    const { bytes, text } = places[0]!;
    assert.equal(bytes.toString("latin1", text, text + 3 * 900 + 2), texts.join(","));
  });

  it("does not take a record that would drive out much else", () => {
    const cache = new UpdateCache();
    assert.ok(cache.takes(record(1, 100_000)));
    assert.equal(cache.takes(record(1, limits.updateCacheChunkBytes)), false);
  });
});
