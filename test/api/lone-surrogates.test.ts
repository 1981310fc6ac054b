/** Half of a surrogate pair is no character: requests that hold one are refused, with its place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonWalk } from "../../src/api/json-walk.js";
import { decodeQuery, text, texts } from "../../src/api/query.js";

const bounds = {
  depthMax: 100,
  numberCharsMax: 100,
  textBytesMax: 10_000,
  textsBytesMax: 10_000,
  elementsMax: 100,
  valuesMax: 100,
  apartElementsMax: 100,
  apartValuesMax: 100,
  windowBytes: 1_000,
  cutFromBytes: 1_000,
};
function fault(json: string): string | undefined {
  const walk = new JsonWalk(Buffer.from(json), bounds, {
    members: new Map([
      ["opaque", { opaque: true }],
      ["apart", { apart: true }],
    ]),
  });
  while (!walk.goOn(1));
  return walk.fault?.message;
}

const broken: readonly (readonly [json: string, place: string])[] = [
  [String.raw`"\ud800"`, "at 'the body'"],
  [String.raw`"\ud83d\u0041"`, "at 'the body'"],
  [String.raw`{"a":{"b":["x",{"c":"y\uDFFFz"}]}}`, "at 'a.b[1].c'"],
  [String.raw`{"a":"\udbff\ud800"}`, "at 'a'"],
  [String.raw`{"a":"\udc00\ud800"}`, "at 'a'"],
  [String.raw`{"a":"\uD83D\\uDE00"}`, "at 'a'"],
  [String.raw`{"ok":"\ud83d\ude00","a":["\ud83d\ude00\ud83d"]}`, "at 'a[0]'"],
  [String.raw`{"of":{"\ud800":1}}`, "in the name of a member of 'of'"],
  [String.raw`{"\ud83d\ude00":{"b":"\ud800"}}`, "at '😀.b'"],
  [String.raw`{"opaque":{"x":["\ud800"]}}`, "at 'opaque.x[0]'"],
  [String.raw`{"apart":[{},{"x":"\ud800"}]}`, "at 'apart[1].x'"],
];
for (const [json, place] of broken)
  test(`lone surrogates: ${json} is refused ${place}`, () =>
    assert.equal(fault(json), `half of a surrogate pair, which is no character, ${place}`));

const whole: readonly string[] = [
  String.raw`"\ud83d\ude00"`,
  String.raw`"\uD83D\uDE00\uD83D\uDE00"`,
  String.raw`"\\ud800"`,
  String.raw`"\\\\ud800 \\u"`,
  String.raw`{"a":"\u00e9\n\t\"\/"}`,
  '"😀"',
  "[]",
  "5",
  "null",
];
for (const json of whole) test(`lone surrogates: there is none in ${json}`, () => assert.equal(fault(json), undefined));

test("lone surrogates: what is no JSON is told first", () => {
  assert.match(fault(String.raw`"\ud83d\ude0"`)!, /^expected hex digit/);
  assert.match(fault('"\\ud83d\\')!, /surrogate/);
});

test("queries: bytes that are not UTF-8 are refused by the parameter's name, not replaced", () => {
  const fields = { name: text(), list: texts() };
  for (const [query, says] of [
    ["name=%ED%A0%80", "query parameter name (its bytes are not UTF-8)"],
    ["list=a&list=b%ff", "query parameter list (its bytes are not UTF-8)"],
    ["%ff=1", "query (a name in it is not UTF-8)"],
  ] as const) {
    assert.equal(decodeQuery(fields, query).error, says, query);
  }
  assert.deepEqual(decodeQuery(fields, "name=%F0%9F%98%80+%C3%A9&list=100%25").ok, { name: "😀 é", list: ["100%"] });
});
