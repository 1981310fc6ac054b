/** Amounts that come as numbers of JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { plainDecimal } from "../../src/splice/decimal.js";

test("amounts: a number is told in full, whatever form it has in JSON", () => {
  const plain = [0, 12.5, -3, 0.001, 0.0001, 1e-7, -1.25e-9, 123_456_789.5, 1e21, 1.5e22, 1.234e25].map(plainDecimal);
  assert.deepEqual(plain, [
    "0",
    "12.5",
    "-3",
    "0.001",
    "0.0001",
    "0.0000001",
    "-0.00000000125",
    "123456789.5",
    "1000000000000000000000.0",
    "15000000000000000000000.0",
    "12340000000000000000000000.0",
  ]);
});
