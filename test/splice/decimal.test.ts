/** Amounts that come as numbers of JSON. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { IValidation } from "typia";
import { jsonBody } from "../../src/api/body.js";
import { withNumberTexts } from "../../src/api/number-text.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { plainDecimal } from "../../src/splice/decimal.js";

type Json = Readonly<Record<string, unknown>>;
const accepted = (input: unknown): IValidation<Json> => ({ success: true, data: input as Json });

test("amounts: a number is told in full, whatever form it has in JSON", () => {
  const plain = [0, 12.5, -3, 0.001, 0.0001, 1e-7, -1.25e-9, 123_456_789.5, 1e21, 1.5e22, 1.234e25].map(String).map(plainDecimal);
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
  const written = ["12345678901.1234567891", "12.5E3", "-0.05e+2", "100e-2", "0e0", "1e101", `1e${"9".repeat(30)}`].map(plainDecimal);
  assert.deepEqual(written, ["12345678901.1234567891", "12500.0", "-5.0", "1.00", "0.0", "1e101", `1e${"9".repeat(30)}`]);
});

test("amounts: a number of a body is had as it was written, whatever else is in the body", async () => {
  const { body, textOf } = withNumberTexts(
      jsonBody<Json>(accepted, (input) => input as Json),
      ["amount", "nonce"],
    ),
    turns = new Turns(limits.turnMs);
  for (const [json, text, nonce] of [
    [`{"amount":12345678901.1234567891}`, "12345678901.1234567891"],
    [` { "note" : "\\"amount\\": 1, \\\\" , "of" : {"amount":-3} , "amount" : -0.50e+1 } `, "-0.50e+1"],
    [`{"amount":1,"amount":2.0}`, "2.0"],
    [`{"nonce":9007199254740993,"amount":1}`, "1", "9007199254740993"],
    [`{"nonce":"9007199254740995","amount":1}`, "1", "9007199254740995"],
  ] as const) {
    const decoded = await body.decode(Buffer.from(json), turns);
    assert.equal(textOf(decoded.ok!.value, "amount"), text, json.slice(0, 80));
    assert.equal(textOf(decoded.ok!.value, "nonce"), nonce, json.slice(0, 80));
  }
  const long = await body.decode(Buffer.from(`{"note":"${"x".repeat(limits.shortBodyBytesMax)}","amount":0.10}`), turns);
  assert.equal(long.error, "it has more than 16384 bytes");
});
