import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { keyHash } from "../../../src/lf/transaction/index.js";

const text = (value: string): Buffer => Buffer.concat([int32(value.length), Buffer.from(value)]);
function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Byte after byte until the rest is nothing but the sign of the last. */
function twosComplement(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 8n) {
    bytes.unshift(Number(rest & 0xffn));
    const next = rest >> 8n;
    if (next === (bytes[0]! >= 0x80 ? -1n : 0n)) return Buffer.from(bytes);
  }
}

test("hash: a Numeric is hashed with as few bytes as hold its sign, whatever its size", () => {
  const powers = Array.from({ length: 126 }, (_, bits) => 1n << BigInt(bits));
  const values = [0n, ...powers.flatMap((power) => [power - 1n, power, power + 1n])].flatMap((value) => [value, -value]);
  for (const unscaled of values) {
    const bytes = twosComplement(unscaled);
    const name = Buffer.concat([int32(1), text("M"), int32(1), text("T")]);
    const expected = createHash("sha256")
      .update(Buffer.concat([Buffer.of(3, 9, 1), text("p"), name, Buffer.of(1), int32(bytes.length), bytes]))
      .digest("hex");
    const actual = keyHash("p", { module: "M", name: "T" }, { kind: "numeric", scale: 10 }, { kind: "numeric", unscaled, scale: 10 });
    assert.equal(Buffer.from(actual).toString("hex"), expected, String(unscaled));
  }
});
