import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsExceeded, memberText } from "../../src/api/json-text.js";

const bounds = { depthMax: 3, numberCharsMax: 5 };

test("json text: nesting up to the bound passes, one more does not", () => {
  assert.equal(boundsExceeded('[[["x"]]]', bounds), undefined);
  assert.match(boundsExceeded("[[[[]]]]", bounds) ?? "", /deeper than 3/);
});

test("json text: brackets and digits inside strings do not count", () => {
  assert.equal(boundsExceeded('{"a":"[[[[[[123456789\\"[[[["}', bounds), undefined);
});

test("json text: a number longer than the bound is refused before it is parsed", () => {
  assert.equal(boundsExceeded("[12345]", bounds), undefined);
  assert.match(boundsExceeded("[123456]", bounds) ?? "", /longer than 5/);
});

test("json text: an unclosed string is no trap", () => {
  assert.equal(boundsExceeded('{"a":"[[[[', bounds), undefined);
});

const members: readonly (readonly [title: string, text: string, name: string, expected: string | undefined])[] = [
  ["the value's text exactly as written", '{ "a" : [1.0,  2e3 ] , "b":2}', "a", "[1.0,  2e3 ]"],
  ["the last of repeated members", '{"a":1,"a":[2]}', "a", "[2]"],
  ["a key written with escapes", '{"\\u0061":7}', "a", "7"],
  ["not a key that merely contains it", '{"ab":1,"ba":{"a":3}}', "a", undefined],
  ["a string with escaped quotes and brackets", '{"x":"}\\"]","a":"\\\\"}', "a", '"\\\\"'],
  ["a scalar before the closing brace", '{"a":true}', "a", "true"],
  ["nothing in an empty object", " {} ", "a", undefined],
];
for (const [title, text, name, expected] of members)
  test(`json text: memberText finds ${title}`, () => assert.equal(memberText(text, name), expected));

test("json text: memberText agrees with JSON.parse on generated objects", () => {
  let seed = 42;
  const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  const value = (depth: number): unknown =>
    [() => random(1e6) / 7, () => `q"\\${"{[,:]}"[random(7)]}`, () => null, () => random(2) === 1,
      () => Array.from({ length: random(4) }, () => value(depth + 1)),
      () => Object.fromEntries(Array.from({ length: random(4) }, (_, index) => [`k"${index}`, value(depth + 1)]))][random(depth > 4 ? 4 : 6)]!();
  for (let round = 0; round < 500; round++) {
    const object = { a: value(0), b: value(0), c: value(0) };
    const text = JSON.stringify(object, undefined, random(3));
    assert.deepEqual(JSON.parse(memberText(text, "b") as string), object.b);
  }
});
