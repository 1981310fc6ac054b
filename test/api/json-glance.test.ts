import assert from "node:assert/strict";
import { test } from "node:test";
import { glancerFor } from "../../src/api/json-glance.js";
import { parsedAtOnce } from "../../src/api/json-values.js";
import { JsonWalk, type JsonBounds, type JsonShape } from "../../src/api/json-walk.js";
import { Random } from "../support/random.js";

const bounds: JsonBounds = {
  depthMax: 1_000,
  numberCharsMax: 100,
  textBytesMax: 20_000,
  textsBytesMax: 20_000,
  elementsMax: 10_000,
  valuesMax: 50_000,
  apartElementsMax: 100_000,
  apartValuesMax: 1_000,
  windowBytes: 20_000,
  cutFromBytes: 20_000,
};
const list: JsonShape = { apart: true };
const flat: JsonShape = {
    members: new Map([
      ["commands", list],
      ["other", { each: { opaque: true } }],
    ]),
  },
  withInteger: JsonShape = {
    members: new Map([
      ["commands", list],
      ["a", { members: new Map([["b", { int64: true }]]) }],
    ]),
  },
  wrapped: JsonShape = { members: new Map([["commands", flat]]) };

const glance = (text: string, shape: JsonShape = {}): ReturnType<ReturnType<typeof glancerFor>> => glancerFor(shape)(Buffer.from(text));

test("json glance: the list apart is cut out as received, and its elements are read", () => {
  const text = `{"userId": "commands", "commands" : [ {"a": [1, {"commands": [2]}]}, "x]" ], "readAs": []}`;
  assert.deepEqual(glance(text, flat), {
    value: { userId: "commands", commands: [], readAs: [] },
    apart: { text: `[ {"a": [1, {"commands": [2]}]}, "x]" ]`, elements: [{ a: [1, { commands: [2] }] }, "x]"] },
  });
});

test("json glance: an integer that a number can hold is nothing special, and neither is its text", () => {
  for (const a of [{ b: 9007199254740991 }, { b: "9223372036854775807" }, { c: [] }, {}])
    assert.deepEqual(glance(JSON.stringify({ commands: [], a }), withInteger)?.value, { commands: [], a });
});

test("json glance: characters of a value may be told by their numbers, as many clients write what is not ASCII", () => {
  const text = `{"commands":[{"a":"\\u00e9","\\u0000":"\\u4E2D\\u0000"}]}`;
  assert.deepEqual(glance(text, flat)?.apart?.elements, [{ a: "é", "\u0000": "中\u0000" }]);
});

test("json glance: a list in which there is nothing is nothing special", () => {
  const text = `{"commands":[1],"other":[]}`;
  assert.deepEqual(glance(text, flat), { value: { commands: [], other: [] }, apart: { text: "[1]", elements: [1] } });
});

test("json glance: what is wrong, special or near a bound is left to the walk", () => {
  const left: readonly [text: string, shape?: JsonShape][] = [
    ["{bad"],
    [""],
    ["[1,]"],
    [`{"a":"\\ud800"}`],
    [`{"a":"\\uDC00"}`],
    [`{"commands":[],"\\u0063ommands":[1]}`, flat],
    [`[${"0,".repeat(600)}0]`],
    ["[".repeat(200) + "]".repeat(200)],
    [`[${"1".repeat(60)}]`],
    ["\ufeff{}"],
    [`{"commands":{}}`, flat],
    [`{}`, flat],
    [`[]`, flat],
    [`{"commands":[],"other":[0]}`, flat],
    [`{"commands":[],"other":null}`, flat],
    [`{"commands":[]}`, wrapped],
    [`{"commands":{"commands":[],"other":1}}`, wrapped],
    [`{"a":1}`, { each: { opaque: true } }],
    [`{"a":1}`, { members: new Map([["a", { base64: true }]]) }],
  ];
  for (const [text, shape] of left) assert.equal(glance(text, shape), undefined, text.slice(0, 60));
  for (const number of ["9007199254740992", "-9223372036854775808"])
    assert.equal(glance(`{"commands":[],"a":{"b":${number}}}`, withInteger), undefined, number);
  assert.equal(glancerFor({})(Buffer.from([0x22, 0xff, 0x22])), undefined);
});

test("json glance: whatever it says the walk says too", () => {
  const random = new Random(7),
    names = ["commands", "other", "a", "b\\n", "é", "\\u0000", "\\u00e9", "\\u0063ommands", "\\ud83d\\ude00"];
  const name = (): string => `"${names[random.below(names.length)]}"`;
  const json = (depth: number): string => {
    const kind = random.below(depth > 4 ? 4 : 8),
      some = (make: () => string): string => Array.from({ length: random.below(4) }, make).join(random.below(2) ? "," : " , ");
    if (kind < 2) return name();
    if (kind < 4) return ["1", "-2.5e3", "null", "true"][random.below(4)]!;
    return kind < 6 ? `[${some(() => json(depth + 1))}]` : `{${some(() => `${name()}: ${json(depth + 1)}`)}}`;
  };
  let seen = 0;
  for (let round = 0; round < 20_000; round++) {
    const shape = [{}, flat, wrapped][round % 3]!,
      inner = `{"commands":${json(2)},${name()}:${json(2)}}`,
      whole = round % 3 === 2 ? `{"a":${json(2)},"commands":${inner}}` : inner;
    const text = random.below(8) === 0 ? whole.slice(0, random.below(whole.length)) : whole,
      glanced = glance(text, shape);
    if (glanced === undefined) continue;
    const walk = new JsonWalk(Buffer.from(text), bounds, shape);
    while (!walk.goOn(1_000));
    assert.equal(walk.fault, undefined, text);
    assert.deepEqual(glanced.value, parsedAtOnce(walk, walk.whole), text);
    assert.equal(glanced.apart?.text, walk.apart && walk.utf8.between(walk.apart.from, walk.apart.to), text);
    assert.deepEqual(
      glanced.apart?.elements,
      walk.apart?.elements.map((piece) => parsedAtOnce(walk, piece)),
      text,
    );
    seen++;
  }
  assert.ok(seen > 2_000, `${seen} seen`);
});
