/** Half of a surrogate pair is no character: requests that hold one are refused, with its place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loneSurrogate } from "../../src/api/lone-surrogates.js";
import { decodeQuery, text, texts } from "../../src/api/query.js";

const found = (json: string): string | undefined => loneSurrogate(json, JSON.parse(json));

const broken: readonly (readonly [json: string, place: string])[] = [
  [String.raw`"\ud800"`, ""],
  [String.raw`{"a":{"b":["x",{"c":"y\uDFFFz"}]}}`, "a.b[1].c"],
  [String.raw`{"a":"\udbff\ud800"}`, "a"],
  [String.raw`{"a":"\udc00\ud800"}`, "a"],
  [String.raw`{"a":"\uD83D\\uDE00"}`, "a"],
  [String.raw`{"ok":"\ud83d\ude00","a":["\ud83d\ude00\ud83d"]}`, "a[0]"],
  [String.raw`{"of":{"\ud800":1}}`, String.raw`of["\ud800"]`],
  [String.raw`{"with space":{"b":"\ud800"}}`, String.raw`["with space"].b`],
];
for (const [json, place] of broken)
  test(`lone surrogates: ${json} is refused at '${place}'`, () => assert.equal(found(json), `half of a surrogate pair, which is no character${place === "" ? "" : ` at '${place}'`}`));

const whole: readonly string[] = [
  String.raw`"\ud83d\ude00"`, String.raw`"\uD83D\uDE00\uD83D\uDE00"`, String.raw`"\\ud800"`, String.raw`"\\\\ud800 \\u"`, String.raw`{"a":"\u00e9\n\t\"\/"}`, '"😀"', "[]", "5", "null",
  String.raw`{"a":"\ud800","a":"of members with one name the last counts"}`,
];
for (const json of whole) test(`lone surrogates: there is none in ${json}`, () => assert.equal(found(json), undefined));

test("lone surrogates: a key of any length is told by its beginning", () => {
  assert.ok(found(`{"${"k".repeat(1_000_000)}":"\\ud800"}`)!.length < 400);
});

test("queries: bytes that are not UTF-8 are refused by the parameter's name, not replaced", () => {
  const fields = { name: text(), list: texts() };
  for (const [query, says] of [["name=%ED%A0%80", "query parameter name (its bytes are not UTF-8)"], ["list=a&list=b%ff", "query parameter list (its bytes are not UTF-8)"], ["%ff=1", "query (a name in it is not UTF-8)"]] as const) {
    assert.equal(decodeQuery(fields, query).error, says, query);
  }
  assert.deepEqual(decodeQuery(fields, "name=%F0%9F%98%80+%C3%A9&list=100%25").ok, { name: "😀 é", list: ["100%"] });
});
