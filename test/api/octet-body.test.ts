import assert from "node:assert/strict";
import { test } from "node:test";
import { octetBody } from "../../src/api/body.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";

const { decode } = octetBody();
const filled = (bytes: Uint8Array): Uint8Array => bytes.map((_, at) => (at * 7) & 255);

async function decoded(bytes: Uint8Array): Promise<Uint8Array> {
  const { ok: taken } = await decode(bytes, new Turns(limits.turnMs));
  assert.ok(taken !== undefined);
  return taken.value;
}

test("octet bodies: a long one with memory of its own is taken with it, any other is copied", async () => {
  for (const [name, bytes, isCopied] of [
    ["short", new Uint8Array(1_000), true],
    ["long, in memory of others", new Uint8Array(2 * limits.shortBodyBytesMax).subarray(5), true],
    ["long", new Uint8Array(2 * limits.shortBodyBytesMax), false],
  ] as const) {
    const expected = filled(bytes);
    bytes.set(expected);
    const value = await decoded(bytes);
    assert.equal(Buffer.compare(value, expected), 0, name);
    assert.notEqual(value.buffer, bytes.buffer);
    assert.equal(bytes.length === expected.length, isCopied, name);
  }
});
