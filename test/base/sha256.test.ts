import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { HmacSha256, hmacSha256Hex, sha256, sha256Hex } from "../../src/base/sha256.js";

const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 31 + length) & 0xff));
/** Around the sizes of blocks, of views that are kept and of the buffer for inner messages. */
const lengths = [...new Array(140).keys(), 446, 447, 448, 449, 450, 4031, 4032, 4033, 10_000];
const hex = (digest: Uint8Array): string => Buffer.from(digest).toString("hex");

test("SHA-256 agrees with OpenSSL for messages of every length up to five blocks", () => {
  for (let length = 0; length <= 320; length++) {
    const message = bytes(length);
    const expected = createHash("sha256").update(message).digest("hex");
    assert.equal(hex(sha256(message)), expected, `${length} bytes`);
    assert.equal(sha256Hex(message), expected, `${length} bytes`);
  }
});

test("HMAC-SHA256 agrees with OpenSSL, key after key and message after message", () => {
  for (const keyLength of [0, 1, 32, 63, 64, 65, 200]) {
    const key = new HmacSha256(bytes(keyLength));
    for (const length of lengths) {
      const expected = createHmac("sha256", bytes(keyLength)).update(bytes(length)).digest("hex");
      assert.equal(hex(key.digest(bytes(length))), expected, `key of ${keyLength}, message of ${length} bytes`);
      assert.equal(hmacSha256Hex(bytes(keyLength), bytes(length)), expected, `key of ${keyLength}, message of ${length} bytes, once`);
    }
  }
});
