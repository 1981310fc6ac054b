import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ChunkMemory } from "../../src/base/chunk-memory.js";

describe("memory in chunks", () => {
  it("a chunk that was given back is used again, but in no turn in which somebody may still read in it", async () => {
    const memory = new ChunkMemory(16, 4),
      chunk = memory.take();
    memory.giveBack(chunk);
    assert.notEqual(memory.take(), chunk);
    await Promise.resolve();
    assert.notEqual(memory.take(), chunk);
    await nextTurn();
    assert.equal(memory.take(), chunk);
    assert.notEqual(memory.take(), chunk);
  });

  it("no more are kept than it was told, and it knows its own", async () => {
    const memory = new ChunkMemory(16, 2),
      chunks = [1, 2, 3].map(() => memory.take());
    for (const chunk of chunks) memory.giveBack(chunk);
    await nextTurn();
    const again = chunks.map(() => memory.take());
    assert.deepEqual(again.map((chunk) => chunks.includes(chunk)).sort(), [false, true, true]);
    assert.ok([...chunks, ...again].every((chunk) => memory.owns(chunk) && chunk.length === 16));
    assert.equal(memory.owns(Buffer.alloc(16)), false);
  });
});
