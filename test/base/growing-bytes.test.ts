import assert from "node:assert/strict";
import { test } from "node:test";
import { GrowingBytes } from "../../src/base/growing-bytes.js";
import { SpareMemory } from "../../src/base/spare-memory.js";

test("growing bytes: what outgrows its memory gets more from where it was told, leaves its own there, and stays whole", () => {
  const spare = new SpareMemory(1_000_000),
    text = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 31) & 255));
  const write = (): Buffer => {
    const out = new GrowingBytes(spare.take(64), spare);
    for (let at = 0; at < text.length; at += 100) out.run(text, at, at + 100);
    assert.ok(out.view().equals(text));
    return out.surrender();
  };
  const first = write();
  spare.give(first);
  assert.equal(write(), first, "the second is written in the memory of the first");
  assert.equal(spare.take(64).length, 64, "and left what it outgrew");
  assert.equal(spare.take(8_192).length, 8_192);
});

test("growing bytes: begun anew in the same memory", () => {
  const out = new GrowingBytes();
  out.text("before");
  out.clear();
  assert.equal(out.length, 0);
  out.text("after");
  assert.equal(out.view().toString(), "after");
});
