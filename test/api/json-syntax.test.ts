import assert from "node:assert/strict";
import { test } from "node:test";
import { syntaxFault } from "../../src/api/json-syntax.js";
import { Random } from "../lf/validation/random.js";

const faults: readonly (readonly [text: string, fault: string])[] = [
  ["{bad", `expected " got 'bad' (line 1, column 2)`],
  ["", "exhausted input"],
  ['{"a": [1, 2', "exhausted input"],
  ['{"a" 1}', `expected : got '1}' (line 1, column 6)`],
  ['{"a": 1 "b": 2}', `expected } or , got '"b": 2...' (line 1, column 9)`],
  ["[1 2]", `expected ] or , got '2]' (line 1, column 4)`],
  ["[1,\n  2,\n  truth]", `expected true got 'truth]' (line 3, column 3)`],
  ["[1,]", `expected json value got ']' (line 1, column 4)`],
  ["-x", `expected digit got 'x' (line 1, column 2)`],
  ["01", `expected whitespace or eof got '1' (line 1, column 2)`],
  ['"\\x"', `expected an escape sequence got 'x"' (line 1, column 3)`],
  ['"a\tb"', `expected no control character in a string got '\tb"' (line 1, column 3)`],
];

for (const [text, fault] of faults) {
  test(`syntax of JSON: ${JSON.stringify(text)} has its fault told`, () => assert.equal(syntaxFault(text), fault));
}

test("syntax of JSON: a fault is found exactly where V8 refuses", () => {
  const random = new Random(11), whole = `{"a": [1, -2.5e+3, "x\\u00e9\\n", true, null, {}], "b": {"c": false, "d": []}, "e": 0.1E-2}`;
  for (let round = 0; round < 20_000; round++) {
    const at = random.below(whole.length), other = `{}[]":,\\ux0-1.eE tfn\n\t`[random.below(23)] ?? "";
    const text = whole.slice(0, at) + other + whole.slice(at + random.below(3));
    let refused = false;
    try { JSON.parse(text); } catch { refused = true; }
    assert.equal(syntaxFault(text) !== undefined, refused, text);
  }
});
