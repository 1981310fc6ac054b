import assert from "node:assert/strict";
import { test } from "node:test";
import { longTexts, parsed } from "../../src/api/json-values.js";
import { JsonWalk, lookaheadBytes, type JsonBounds, type JsonPiece, type JsonShape, type WalkFault } from "../../src/api/json-walk.js";
import type { Steps } from "../../src/base/steps.js";
import { Random } from "../support/random.js";

const wide: JsonBounds = {
  depthMax: 100,
  numberCharsMax: 100,
  textBytesMax: 10_000,
  textsBytesMax: 100_000,
  elementsMax: 1_000,
  valuesMax: 10_000,
  apartElementsMax: 1_000,
  apartValuesMax: 1_000,
  windowBytes: 10_000,
  cutFromBytes: 1_000,
};
const narrow: JsonBounds = {
  depthMax: 3,
  numberCharsMax: 5,
  textBytesMax: 40,
  textsBytesMax: 86,
  elementsMax: 3,
  valuesMax: 8,
  apartElementsMax: 2,
  apartValuesMax: 3,
  windowBytes: 5 + lookaheadBytes,
  cutFromBytes: 20,
};

function walked(text: string, bounds = wide, shape: JsonShape = {}, tokens = 1): JsonWalk {
  const walk = new JsonWalk(Buffer.from(text), bounds, shape);
  while (!walk.goOn(tokens));
  return walk;
}
function done<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
const pieceOf = (walk: JsonWalk, piece: JsonPiece): unknown => done(parsed(walk, piece));
const wholeOf = (walk: JsonWalk): unknown => pieceOf(walk, walk.whole);
const elementsOf = (walk: JsonWalk): unknown[] => (walk.apart?.elements ?? []).map((piece) => pieceOf(walk, piece));
const apartText = ({ apart, utf8 }: JsonWalk): string | undefined => apart && done(utf8.longBetween(apart.from, apart.to));
const faultOf = (text: string, bounds = wide, shape: JsonShape = {}): WalkFault | undefined => walked(text, bounds, shape).fault;

const faults: readonly (readonly [text: string, fault: string])[] = [
  ["{bad", `expected " got 'bad' (line 1, column 2)`],
  ["", "exhausted input"],
  [" \n", "exhausted input"],
  ['{"a": [1, 2', "exhausted input"],
  ['"a', "exhausted input"],
  ['"\\u00', "exhausted input"],
  ["-", "exhausted input"],
  ['{"a" 1}', `expected : got '1}' (line 1, column 6)`],
  ['{"a": 1 "b": 2}', `expected } or , got '"b": 2...' (line 1, column 9)`],
  ['{"a": 1, }', `expected " got '}' (line 1, column 10)`],
  ["[1 2]", `expected ] or , got '2]' (line 1, column 4)`],
  ["[1}", `expected ] or , got '}' (line 1, column 3)`],
  ["[1,\n  2,\n  truth]", `expected true got 'truth]' (line 3, column 3)`],
  ["[1,]", `expected json value got ']' (line 1, column 4)`],
  ["-x", `expected digit got 'x' (line 1, column 2)`],
  ["1.e5", `expected digit got 'e5' (line 1, column 3)`],
  ["01", `expected whitespace or eof got '1' (line 1, column 2)`],
  ['"\\x"', `expected an escape sequence got 'x"' (line 1, column 3)`],
  ['"\\u00g0"', `expected hex digit got 'g0"' (line 1, column 6)`],
  ['"a\tb"', `expected no control character in a string got '\tb"' (line 1, column 3)`],
];
for (const [text, message] of faults)
  test(`json walk: ${JSON.stringify(text)} has its fault told`, () => assert.deepEqual(faultOf(text), { kind: "unreadable", message }));

test("json walk: a fault is found exactly where V8 refuses, also in what is opaque", () => {
  const random = new Random(11),
    whole = `{"a": [1, -2.5e+3, "x\\u00e9\\n", true, null, {}], "b": {"c": false, "d": []}, "e": 0.1E-2}`;
  for (let round = 0; round < 20_000; round++) {
    const at = random.below(whole.length),
      other = `{}[]":,\\ux0-1.eE tfn\n\t`[random.below(23)] ?? "";
    const text = whole.slice(0, at) + other + whole.slice(at + random.below(3));
    let refused = false;
    try {
      JSON.parse(text);
    } catch {
      refused = true;
    }
    assert.equal(faultOf(text) !== undefined, refused, text);
    assert.equal(faultOf(text, wide, { opaque: true }) !== undefined, refused, text);
  }
});

const bounded: readonly (readonly [title: string, text: string, fault: WalkFault | undefined])[] = [
  ["nesting up to the bound passes", '[[["x"]]]', undefined],
  ["one level more does not", "[[[[]]]]", { kind: "unreadable", message: "nested deeper than 3 levels at character 3" }],
  ["a number up to the bound passes", "[12345]", undefined],
  ["one digit more does not", "[123456]", { kind: "unreadable", message: "number longer than 5 characters at character 1" }],
  ["brackets and digits in a string do not count", '{"a":"[[[[[[123456789\\"[[[["}', undefined],
  ["a text up to the bound passes", `["${"x".repeat(40)}"]`, undefined],
  [
    "a longer one is told by its place",
    `{"a":["${"x".repeat(41)}"]}`,
    { kind: "tooMany", path: "a[0]", message: "it is a text of more than 40 bytes" },
  ],
  [
    "a longer name too",
    `{"a":{"${"x".repeat(41)}":1}}`,
    { kind: "tooMany", path: "a", message: "the name of a member of it is a text of more than 40 bytes" },
  ],
  ["texts up to their bound together pass", `["${"x".repeat(40)}","${"y".repeat(40)}"]`, undefined],
  [
    "more of them are told by the first beyond",
    `{"a":["${"x".repeat(40)}","${"y".repeat(40)}"]}`,
    { kind: "tooMany", path: "a[1]", message: "texts up to it are more than 86 bytes together" },
  ],
  ["elements up to the bound pass", "[1,2,3]", undefined],
  [
    "one element more is told by its list",
    '{"a":{"b":[1,2,3,4]}}',
    { kind: "tooMany", path: "a.b", message: "it has more than 3 elements" },
  ],
  [
    "one member more by its object",
    '[0,{"a":1,"b":2,"c":3,"d":4}]',
    { kind: "tooMany", path: "[1]", message: "it has more than 3 members" },
  ],
  ["the whole by a name of its own", "[1,2,3,4]", { kind: "tooMany", path: "the body", message: "it has more than 3 elements" }],
  [
    "values are counted together",
    '{"a":[1,2],"b":[3,4],"\\u0063":[5,6]}',
    { kind: "tooMany", path: "c[0]", message: "it is one of more than 8 values" },
  ],
];
for (const [title, text, fault] of bounded) test(`json walk: ${title}`, () => assert.deepEqual(faultOf(text, narrow), fault));

test("json walk: what follows a bound that is exceeded is not looked at", () => {
  assert.equal(faultOf("[1,2,3,4 nonsense", narrow)?.kind, "tooMany");
});

const opaque: JsonShape = { opaque: true };

test("json walk: an opaque value is any JSON of any size, and is left out of what is parsed", () => {
  const text = `{"id":7,"\\u0061ny":[1,2,3,4,[5,[6]],{"a":1}],"of":{"any":[0]}}`,
    shape: JsonShape = { members: new Map([["any", opaque]]) };
  const walk = walked(text, { ...wide, elementsMax: 3, valuesMax: 6 }, shape);
  assert.equal(walk.fault, undefined);
  assert.equal(walk.values, 6);
  assert.deepEqual(wholeOf(walk), { id: 7, any: null, of: { any: [0] } });
  assert.equal(faultOf(text.replace("[6]", "[6}"), wide, shape)?.kind, "unreadable");
});

const commands: JsonShape = {
  members: new Map([["commands", { apart: true, each: { each: { members: new Map([["arguments", opaque]]) } } }]]),
};

test("json walk: a list that is apart is parsed element by element, each without what is opaque", () => {
  const create = `{"Create":{"of":"T","arguments":[1,2,3,4]}}`,
    text = `{"id":7,"commands":[${create}, 5 ,[]],"more":[[]]}`,
    walk = walked(text, wide, commands);
  assert.deepEqual(wholeOf(walk), { id: 7, commands: [], more: [[]] });
  assert.deepEqual(elementsOf(walk), [{ Create: { of: "T", arguments: null } }, 5, []]);
  assert.deepEqual([walk.apart?.path, apartText(walk)], ["commands", `[${create}, 5 ,[]]`]);
  assert.equal(walk.values, 5);
});

const apart: readonly (readonly [title: string, text: string, fault: WalkFault | undefined])[] = [
  ["elements up to its own bound pass", '{"commands":[1,2]}', undefined],
  ["one element more does not", '{"commands":[1,2,3]}', { kind: "tooMany", path: "commands", message: "it has more than 2 elements" }],
  ["values of each are counted by themselves", '{"commands":[[1,2],[4,5]],"a":[1,2,3]}', undefined],
  [
    "one value more is told by its place",
    '{"commands":[[1,2],[3,4,5]]}',
    { kind: "tooMany", path: "commands[1][2]", message: "it is one of more than 3 values" },
  ],
];
for (const [title, text, fault] of apart)
  test(`json walk: in a list that is apart ${title}`, () => assert.deepEqual(faultOf(text, narrow, commands), fault));

const kept: readonly (readonly [title: string, text: string, expected: string | undefined])[] = [
  ["exactly as it is written", '{ "commands" : [1.0,  2e3 ] , "b":2}', "[1.0,  2e3 ]"],
  ["the last where it is repeated", '{"commands":[1,3],"commands":[2]}', "[2]"],
  ["by a name with escapes", '{"\\u0063ommands":[7]}', "[7]"],
  ["not where it is elsewhere", '{"xcommands":[1],"a":{"commands":[3]}}', undefined],
  ["not where it is no list", '{"commands":{"a":[3]}}', undefined],
  ["with escaped quotes and brackets in it", '{"x":"}\\"]","commands":["\\\\]"]}', '["\\\\]"]'],
  ["with what is opaque in it", '{"commands":[{"C":{"arguments":{"n":1.10}}}]}', '[{"C":{"arguments":{"n":1.10}}}]'],
];
for (const [title, text, expected] of kept)
  test(`json walk: the text of a list that is apart is kept, ${title}`, () => {
    const walk = walked(text, wide, commands),
      { commands: last } = JSON.parse(text);
    assert.equal(apartText(walk), expected);
    if (expected !== undefined) assert.equal(walk.apart?.elements.length, last.length);
  });

test("json walk: a walk that pauses at every token finds what one without pauses does", () => {
  const random = new Random(5);
  const value = (depth: number): unknown =>
    [
      () => random.below(1e6) / 7,
      () => `q"\\${"{[,:]}"[random.below(7)]}`,
      () => null,
      () => random.below(2) === 1,
      () => Array.from({ length: random.below(4) }, () => value(depth + 1)),
      () => Object.fromEntries(Array.from({ length: random.below(4) }, (_, index) => [`k"${index}`, value(depth + 1)])),
    ][random.below(depth > 4 ? 4 : 6)]!();
  for (let round = 0; round < 500; round++) {
    const object = { a: value(0), commands: [value(0), value(0)], c: value(0) },
      text = JSON.stringify(object, undefined, random.below(3));
    const slow = walked(text, wide, commands, 1),
      fast = walked(text, wide, commands, Infinity);
    assert.equal(slow.values, fast.values);
    assert.deepEqual(wholeOf(slow), { ...object, commands: [] });
    assert.deepEqual(wholeOf(fast), wholeOf(slow));
    assert.deepEqual(elementsOf(slow), object.commands);
    assert.deepEqual(JSON.parse(apartText(slow)!), object.commands);
  }
});

test("json walk: a 64 bit integer that no number can hold is a text, where the shape has one", () => {
  const integer: JsonShape = { int64: true },
    shape: JsonShape = {
      members: new Map([
        ["a", integer],
        ["list", { each: integer }],
        ["daml", opaque],
      ]),
    };
  const text = `{"a":9007199254740993,"b":9007199254740993,"list":[-9223372036854775808,9007199254740991,1e18],"daml":9007199254740993}`;
  assert.deepEqual(wholeOf(walked(text, wide, shape)), {
    a: "9007199254740993",
    b: Number("9007199254740993"),
    list: ["-9223372036854775808", 9007199254740991, 1e18],
    daml: null,
  });
  assert.equal(wholeOf(walked("9223372036854775807", wide, integer)), "9223372036854775807");
  assert.equal(wholeOf(walked("9223372036854775808", wide, integer)), 2 ** 63, "too large for one");
});

test("json walk: what may be long may be, and what others read too", () => {
  const text = "x".repeat(100),
    shape: JsonShape = {
      members: new Map<string, JsonShape>([
        ["blob", { base64: true }],
        ["value", { opaque: true }],
      ]),
    };
  assert.equal(faultOf(JSON.stringify({ blob: text, value: [text] }), narrow, shape), undefined);
  assert.equal(faultOf(JSON.stringify({ blob: [text] }), narrow, shape)?.kind, "tooMany");
});

test("json walk: through a window of any size the same is found, in the same place", () => {
  const random = new Random(3),
    shape: JsonShape = {
      members: new Map<string, JsonShape>([
        ["blob", { base64: true }],
        ["value", { opaque: true }],
        ["commands", { apart: true }],
      ]),
    };
  const text = (): string =>
    Array.from({ length: random.below(80) }, () => ["a", "é", "😀", "\\u00e9", "\\ud83d\\ude00", "\\n", '\\"', "b"][random.below(8)]!).join(
      "",
    );
  const blank = (): string => " \n\t".repeat(random.below(30));
  for (let round = 0; round < 2_000; round++) {
    const blob = "QUJD".repeat(random.below(40)),
      escaped = blob.replace(/A/g, () => (random.below(2) === 0 ? "\\u0041" : "A"));
    let json = `{${blank()}"${text()}":${blank()}"${text()}","blob":"${random.below(2) === 0 ? blob : escaped}"${blank()},"value":["${text()}",${blank()}12],"commands":[${blank()}"${text()}",-1.5e3${blank()}]}${blank()}`;
    if (random.below(2) === 0)
      json =
        json.slice(0, random.below(json.length))
        + ["", "x", '"', "\\", "0", "\n"][random.below(6)]!
        + json.slice(random.below(json.length));
    const whole = walked(json, wide, shape),
      pieces = walked(
        json,
        { ...wide, numberCharsMax: 100, windowBytes: 100 + lookaheadBytes + random.below(60), cutFromBytes: 10 },
        shape,
        1 + random.below(4),
      );
    assert.deepEqual(pieces.fault, whole.fault, json);
    if (whole.fault !== undefined) continue;
    const value = wholeOf(pieces),
      places = done(longTexts(pieces, value));
    for (const place of places) place.fill();
    assert.deepEqual(value, wholeOf(whole), json);
    assert.deepEqual([elementsOf(pieces), apartText(pieces), pieces.values], [elementsOf(whole), apartText(whole), whole.values], json);
  }
});

const blobs: JsonShape = {
  members: new Map([
    ["blob", { base64: true }],
    ["list", { each: { members: new Map([["blob", { base64: true }]]) } }],
  ]),
};
const long = "QUJD".repeat(20);

function filled(text: string): unknown {
  const walk = walked(text, narrow, blobs),
    value = wholeOf(walk);
  assert.equal(walk.fault, undefined);
  for (const place of done(longTexts(walk, value))) place.fill();
  return value;
}

test("json walk: a long text in base64 is left out of what is checked, and filled in where it belongs", () => {
  const walk = walked(`{"blob":"${long}","list":[{"blob":"QQ=="},{"blob":"${long}QUI="}]}`, narrow, blobs),
    value = wholeOf(walk) as { blob: string };
  assert.match(value.blob, /^[A-Za-z0-9+/]{40}$/);
  assert.deepEqual(filled(`{"blob":"${long}","list":[{"blob":"QQ=="},{"blob":"${long}QUI="}]}`), {
    blob: long,
    list: [{ blob: "QQ==" }, { blob: `${long}QUI=` }],
  });
});

test("json walk: of a long text that is no base64 the begin stands there, and what is wrong", () => {
  for (const [text, shown] of [
    [`${long}!AAAA`, `${long}!AA`],
    [`${long}====`, `${long}===`],
    [`${long}=A`, `${long}=A`],
    [`${long}==`, `${long}==`],
    [`${long}Q`, `${long}Q`],
  ] as const)
    assert.deepEqual(filled(`{"blob":"${text}"}`), { blob: shown });
});

test("json walk: of members of the same name the last counts, however long", () => {
  assert.deepEqual(filled(`{"blob":"${long}","blob":"QQ=="}`), { blob: "QQ==" });
  assert.deepEqual(filled(`{"blob":"QQ==","blob":"${long}"}`), { blob: long });
  assert.deepEqual(filled(`{"list":[{"blob":"${long}"}],"list":[{}]}`), { list: [{}] });
  assert.deepEqual(filled(`{"list":[{"blob":"${long}"}],"list":"x"}`), { list: "x" });
});
