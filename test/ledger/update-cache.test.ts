import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { UpdateCache } from "../../src/ledger/reading/update-cache.js";

/** Bytes that only the record of this offset has. */
function record(offset: number, bytes = 1_000): Buffer {
  const seed = createHash("sha256").update(String(offset)).digest();
  return Buffer.alloc(bytes, seed);
}

function holds(cache: UpdateCache, offset: number, bytes?: number): boolean {
  const found = cache.find(offset),
    expected = record(offset, bytes);
  if (found) assert.ok(found.bytes.subarray(found.at, found.at + expected.length).equals(expected), `the record of offset ${offset}`);
  return found !== undefined;
}

const fullOffsets = Math.ceil(limits.updateCacheBytesMax / 1_000);

describe("update cache", () => {
  it("gives back what was added, by offset, near and far", () => {
    const cache = new UpdateCache(),
      offsets = [1, 2, 63, 64, 65, 1_000, 2 ** 31 + 5, 2 ** 47];
    assert.equal(cache.find(1), undefined);
    for (const offset of offsets) cache.add(offset, record(offset));
    for (const offset of offsets) assert.ok(holds(cache, offset));
    for (const offset of [3, 62, 66, 999, 2 ** 31 + 6]) assert.equal(cache.find(offset), undefined);
  });

  it("drops what was added first when it is full", () => {
    const cache = new UpdateCache();
    for (let offset = 1; offset <= 2 * fullOffsets; offset++) cache.add(offset, record(offset));
    assert.equal(holds(cache, 1), false);
    assert.equal(holds(cache, fullOffsets - 5_000), false);
    assert.ok(holds(cache, 2 * fullOffsets - 20_000));
    assert.ok(holds(cache, 2 * fullOffsets));
  });

  it("keeps what is read again and again, however much comes", () => {
    const cache = new UpdateCache();
    cache.add(1, record(1));
    for (let offset = 2; offset <= 5 * fullOffsets; offset++) {
      cache.add(offset, record(offset));
      if (offset % 1_000 === 0) assert.ok(holds(cache, 1), `at offset ${offset}`);
    }
  });

  it("a record found stays whole while others come", () => {
    const cache = new UpdateCache();
    cache.add(1, record(1));
    const found = cache.find(1)!;
    for (let offset = 2; offset <= 3 * fullOffsets; offset++) cache.add(offset, record(offset));
    assert.ok(found.bytes.subarray(found.at, found.at + 1_000).equals(record(1)));
  });

  it("does not take a record that would drive out much else", () => {
    const cache = new UpdateCache();
    assert.ok(cache.takes(record(1, 100_000)));
    assert.equal(cache.takes(record(1, limits.updateCacheChunkBytes)), false);
  });
});
