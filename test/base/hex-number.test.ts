import assert from "node:assert/strict";
import { test } from "node:test";
import { hexNumber } from "../../src/base/hex-number.js";

test("digits in hex: any thirteen of a text stand for the number that they print", () => {
  const text = "00ff19a0bcdef3456789abcdef0123fffffffffffff";
  for (let digits = 1; digits <= 13; digits++)
    for (let from = 0; from + digits <= text.length; from++)
      assert.equal(hexNumber(text, from, digits), Number.parseInt(text.slice(from, from + digits), 16), `${digits} from ${from}`);
  assert.equal(hexNumber("f".repeat(13), 0, 13), 2 ** 52 - 1);
});
