import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { blocksOf, hmacLanes } from "../../src/base/hmac-lanes.js";
import { HmacSha256 } from "../../src/base/sha256.js";

const bytes = (length: number, salt: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 31 + length + salt * 7) & 0xff));

function chained(key: Uint8Array, index: number, content: Uint8Array): string {
  const number = Buffer.alloc(4);
  number.writeInt32BE(index);
  return createHmac("sha256", createHmac("sha256", key).update(number).digest()).update(content).digest("hex");
}

test("HMACs in lanes agree with OpenSSL for contents of every size, keys that change and keys that stay, in rows of one to four", () => {
  const lanes = hmacLanes();
  assert.ok(lanes, "this machine has vectors");
  const stays = bytes(32, 1),
    kept = new HmacSha256(stays);
  for (const length of [...new Array(200).keys(), 4000, 4096]) {
    const count = 1 + (length % 4),
      blocks = blocksOf(bytes(length, 0))!,
      expected: string[] = [];
    for (let lane = 0; lane < count; lane++) {
      const isKept = (lane + length) % 3 === 0,
        key = bytes(32, length + lane),
        content = bytes(length, lane),
        index = lane === 2 ? -1 : 1000 * lane + length;
      lanes.begin(lane, isKept ? kept : new HmacSha256(key), index, content);
      expected.push(`07${chained(isKept ? stays : key, index, content)}`);
    }
    assert.deepEqual(lanes.finish(7, { count, blocks }), expected, `${length} bytes`);
  }
});

test("contents that are too long for lanes are told", () => {
  assert.equal(blocksOf(bytes(4097, 0)), undefined);
});
