/** Values, times, amounts and patterns as Splice prints and reads them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { unscaled, parseDecimal, showDecimal } from "../../src/splice/decimal.js";
import {
  asJavaInstant,
  asRecordTime,
  instantProblem,
  isoTime,
  javaInstant,
  offsetDateTimeText,
  parseInstant,
  recordTimeText,
} from "../../src/splice/instants.js";
import { compactForm, contractForm, protobufForm } from "../../src/splice/values/forms.js";
import { valueProblem } from "../../src/splice/values/check-value.js";
import { compactText } from "../../src/splice/values/compact-text.js";
import { ValueTypes } from "../../src/splice/values/value-types.js";
import { walkValue } from "../../src/splice/values/walk.js";
import { contains } from "../../src/splice/votes/like.js";
import type { TypeDescription } from "../../src/lf/index.js";

test("times: microseconds in, no, three or six digits out, by what prints them", () => {
  const rows = [
    ["2025-01-31T10:00:00Z", "2025-01-31T10:00:00Z", "2025-01-31T10:00:00.000000Z", "2025-01-31T10:00Z"],
    ["2025-01-31T10:00:01.5Z", "2025-01-31T10:00:01.500Z", "2025-01-31T10:00:01.500000Z", "2025-01-31T10:00:01.500Z"],
    ["2025-01-31T12:00:01.65443+02:00", "2025-01-31T10:00:01.654430Z", "2025-01-31T10:00:01.654430Z", "2025-01-31T12:00:01.654430+02:00"],
    ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999999Z"],
    ["2025-01-31T10:00-00:00", "2025-01-31T10:00:00Z", "2025-01-31T10:00:00.000000Z", "2025-01-31T10:00Z"],
    ["2025-01-31T10:00:00.0700Z", "2025-01-31T10:00:00.070Z", "2025-01-31T10:00:00.070000Z", "2025-01-31T10:00:00.070Z"],
  ] as const;
  for (const [text, java, recordTime, offset] of rows) {
    const micros = parseInstant(text)!;
    assert.deepEqual([javaInstant(micros), recordTimeText(micros), offsetDateTimeText(text)], [java, recordTime, offset]);
  }
  for (const [ledger, java, recordTime] of [
    ["2025-01-31T10:00:00Z", "2025-01-31T10:00:00Z", "2025-01-31T10:00:00.000000Z"],
    ["2025-01-31T10:00:00.5Z", "2025-01-31T10:00:00.500Z", "2025-01-31T10:00:00.500000Z"],
    ["2025-01-31T10:00:00.65443Z", "2025-01-31T10:00:00.654430Z", "2025-01-31T10:00:00.654430Z"],
  ] as const) {
    assert.deepEqual([asJavaInstant(ledger), asRecordTime(ledger)], [java, recordTime]);
  }
  for (const wrong of ["", "now", "2025-01-31", "2025-02-30T00:00:00Z", "2025-01-31T25:00:00Z", "2025-01-31T10:00:00"])
    assert.equal(parseInstant(wrong), undefined, wrong);
});

test("times: with an offset they have no more digits than it takes, as the ledger's", () => {
  for (const text of ["2025-01-31T10:00:00Z", "2025-01-31T10:00:00.5Z", "2025-01-31T10:00:00.65443Z", "1969-12-31T23:59:59.999999Z"])
    assert.equal(isoTime(parseInstant(text)!), text);
});

test("times: why a text is none is told in Java's words, by the place where the first part should be that is missing", () => {
  for (const [text, what] of [
    ["Invalid", " at index 0"],
    ["2025-01-31", " at index 10"],
    ["2025-01-31 10:00:00Z", " at index 10"],
    ["2025-1-31T10:00:00Z", " at index 5"],
    ["2025-01-31T10:00:00", " at index 19"],
    ["2025-01-31T10:00:00Zulu", ", unparsed text found at index 20"],
    ["2025-02-30T10:00:00Z", " at index 0"],
  ] as const)
    assert.equal(instantProblem(text), `Text '${text}' could not be parsed${what}`);
  assert.equal(instantProblem("x".repeat(65)), `Text '${"x".repeat(64)}...' could not be parsed at index 0`);
});

test("amounts: ten digits, also of zero and below it; numbers of contracts as short as they can be", () => {
  for (const text of ["0.0000000000", "100.0000000000", "-1.5000000000", "0.0000000001"])
    assert.equal(showDecimal(parseDecimal(text)), text);
  assert.equal(showDecimal(parseDecimal("2.5") + parseDecimal("-3")), "-0.5000000000");
  assert.deepEqual(["10.0000000000", "0.0050000000", "0.0000000000", "7"].map(unscaled), ["10.0", "0.005", "0.0", "7.0"]);
});

test("patterns: % stands for any characters, _ for one, behind a backslash each for itself, and nothing makes them slow", () => {
  for (const [text, pattern, isIn] of [
    ["SRARC_SetConfig", "SetConfig", true],
    ["SRARC_SetConfig", "S_ARC", true],
    ["SRARC_SetConfig", "R%C", true],
    ["abc", "", true],
    ["abc", "d", false],
    ["abc", "a_d", false],
    ["", "x", false],
    ["abc", "ABC", false],
    ["a_c", "a\\_c", true],
    ["abc", "a\\_c", false],
    ["5%", "\\%", true],
    ["55", "\\%", false],
    ["a\\b", "\\\\", true],
    ["5%", "5\\", true],
    ["5", "5\\", false],
  ] as const) {
    assert.equal(contains(text, pattern), isIn, `${text} ${pattern}`);
  }
  assert.equal(contains("a".repeat(2_000), `${"a%".repeat(500)}b`), false);
});

/** A record of every kind of type. */
const types: TypeDescription = [
  {
    kind: "record",
    id: "p:M:R",
    fields: [
      ["text", 1],
      ["count", 2],
      ["amount", 3],
      ["at", 4],
      ["day", 5],
      ["who", 6],
      ["on", 7],
      ["nothing", 8],
      ["of", 9],
      ["list", 10],
      ["map", 11],
      ["pairs", 12],
      ["either", 13],
      ["colour", 14],
      ["maybe", 15],
      ["nested", 16],
      ["last", 15],
    ].map(([name, type]) => ({ name: name as string, type: type as number })),
  },
  { kind: "text" },
  { kind: "int64" },
  { kind: "numeric" },
  { kind: "timestamp" },
  { kind: "date" },
  { kind: "party" },
  { kind: "bool" },
  { kind: "unit" },
  { kind: "contractId" },
  { kind: "list", element: 2 },
  { kind: "textMap", value: 2 },
  { kind: "genMap", key: 2, value: 1 },
  {
    kind: "variant",
    id: "p:M:V",
    constructors: [
      { name: "L", type: 2 },
      { name: "R", type: 8 },
    ],
  },
  { kind: "enum", id: "p:M:Colour", constructors: ["Red", "Blue"] },
  { kind: "optional", element: 3, nested: false },
  { kind: "optional", element: 15, nested: true },
];
const value = {
  text: "t",
  count: "5",
  amount: "1.5000000000",
  at: "2025-01-31T10:00:00.25Z",
  day: "1970-01-03",
  who: "a::b",
  on: true,
  nothing: {},
  of: "00ab",
  list: ["1", "2"],
  map: { b: "1", a: "2" },
  pairs: [["1", "x"]],
  either: { tag: "L", value: "3" },
  colour: "Blue",
  maybe: null,
  nested: [["2.0000000000"]],
};

test("values: compact JSON from text to text is what it is from value to value, and keeps the bytes of texts and the order of maps", () => {
  const rows = [
    value,
    { ...value, nested: [] },
    { ...value, nested: [[]], maybe: "2.0", last: "1.5" },
    { ...value, either: { tag: "R", value: {} }, list: [], map: {}, pairs: [] },
    { ...value, text: `a "b" \\ {[,]} ü😀`, map: { 'k"\\': "1", "}": "2" } },
  ];
  for (const row of rows) assert.deepEqual(JSON.parse(compactText(types, JSON.stringify(row))), walkValue(types, row, compactForm));
  const numbered: TypeDescription = [
    {
      kind: "record",
      id: "p:M:R",
      fields: [
        { name: "map", type: 1 },
        { name: "last", type: 2 },
      ],
    },
    { kind: "textMap", value: 3 },
    { kind: "optional", element: 3, nested: false },
    { kind: "timestamp" },
  ];
  assert.equal(
    compactText(numbered, `{"map":{"2":"2025-01-31T10:00:00.5Z","1":"2025-01-31T10:00:00Z"}}`),
    `{"map":{"2":"2025-01-31T10:00:00.500Z","1":"2025-01-31T10:00:00Z"},"last":null}`,
  );
  assert.equal(compactText(numbered, `{"map":{},"last":"2025-01-31T10:00:00.1234Z"}`), `{"map":{},"last":"2025-01-31T10:00:00.123400Z"}`);
  const alone: TypeDescription = [
    { kind: "record", id: "p:M:R", fields: [{ name: "last", type: 1 }] },
    { kind: "optional", element: 2, nested: true },
    { kind: "optional", element: 3, nested: false },
    { kind: "text" },
  ];
  assert.equal(compactText(alone, "{}"), `{"last":[]}`);
  const recursive: TypeDescription = [
    { kind: "list", element: 1 },
    {
      kind: "record",
      id: "p:M:R",
      fields: [
        { name: "at", type: 2 },
        { name: "more", type: 0 },
      ],
    },
    { kind: "timestamp" },
  ];
  assert.equal(
    compactText(recursive, `[{"at":"2025-01-31T10:00:00.5Z","more":[{"at":"2025-01-31T10:00:00.5Z","more":[]}]}]`),
    `[{"at":"2025-01-31T10:00:00.500Z","more":[{"at":"2025-01-31T10:00:00.500Z","more":[]}]}]`,
  );
});

test("values: compact JSON writes None out and times with three or six digits", () => {
  assert.deepEqual(walkValue(types, value, compactForm), { ...value, at: "2025-01-31T10:00:00.250Z", last: null });
  assert.deepEqual(walkValue(types, { ...value, nested: [] }, compactForm), {
    ...value,
    at: "2025-01-31T10:00:00.250Z",
    nested: [],
    last: null,
  });
});

test("values: payloads of contracts have numbers without zeros at the end", () => {
  assert.deepEqual(walkValue(types, value, contractForm), {
    ...value,
    at: "2025-01-31T10:00:00.250Z",
    amount: "1.5",
    nested: [["2.0"]],
    last: null,
  });
});

test("values: protobuf's JSON tells every type; empty things are empty, what the ledger left out stays out", () => {
  const {
    record: { fields },
  } = walkValue(types, value, protobufForm) as { record: { fields: { value: unknown }[] } };
  assert.deepEqual(
    fields.map((field) => field.value),
    [
      { text: "t" },
      { int64: "5" },
      { numeric: "1.5000000000" },
      { timestamp: "1738317600250000" },
      { date: 2 },
      { party: "a::b" },
      { bool: true },
      { unit: {} },
      { contractId: "00ab" },
      { list: { elements: [{ int64: "1" }, { int64: "2" }] } },
      {
        textMap: {
          entries: [
            { key: "b", value: { int64: "1" } },
            { key: "a", value: { int64: "2" } },
          ],
        },
      },
      { genMap: { entries: [{ key: { int64: "1" }, value: { text: "x" } }] } },
      { variant: { constructor: "L", value: { int64: "3" } } },
      { enum: { constructor: "Blue" } },
      { optional: {} },
      { optional: { value: { optional: { value: { numeric: "2.0000000000" } } } } },
    ],
  );
  assert.deepEqual(
    [[], {}, []].map((empty, index) => walkValue([types[10 + index]!, ...types.slice(1)], empty, protobufForm)),
    [{ list: {} }, { textMap: {} }, { genMap: {} }],
  );
  assert.deepEqual(walkValue([{ kind: "record", id: "p:M:R", fields: [] }], {}, protobufForm), { record: {} });
});

test("values: a request's argument is checked; what is optional may be missing, what is unknown is ignored", () => {
  assert.equal(valueProblem(types, { ...value, count: 5, unknown: 1 }), undefined);
  for (const [change, told] of [
    [{ text: 1 }, "text"],
    [{ count: "x" }, "count"],
    [{ amount: "1,5" }, "amount"],
    [{ at: "soon" }, "at"],
    [{ of: "xyz" }, "of"],
    [{ list: ["1", "b"] }, "list[1]"],
    [{ map: { a: [] } }, "map.a"],
    [{ pairs: [["1"]] }, "pairs"],
    [{ either: { tag: "M" } }, "either"],
    [{ either: { tag: "L", value: [] } }, "either.L"],
    [{ colour: "Green" }, "colour"],
    [{ nested: "2.0" }, "nested"],
  ] as const)
    assert.ok(valueProblem(types, { ...value, ...change })?.includes(told), `${told}: ${valueProblem(types, { ...value, ...change })}`);
  assert.equal(valueProblem(types, { ...value, who: undefined }), "expected a value of type party at who");
  const { who: _, ...without } = value;
  assert.equal(valueProblem(types, without), "missing field who");
});

test("values that are written step by step let others come between, who may have their types forgotten: they are asked for again", async () => {
  let asked = 0;
  const describeTypes = async (positions: readonly unknown[]) => {
    asked++;
    return positions.map(() => null);
  };
  const types = new ValueTypes({ describeTypes } as unknown as ConstructorParameters<typeof ValueTypes>[0], new Turns(0)),
    positionOf = (name: string) => ({ at: "createArgument", templateId: `p:M:${name}` }) as const;
  const own = positionOf("Own"),
    crowd = Array.from({ length: limits.valueTypesKeptMax }, (_, index) => positionOf(`T${index}`));
  const steps = function* () {
    const written: string[] = [];
    for (let index = 0; index < 5; index++) {
      written.push(types.textInForm(own, `"${index}"`, compactForm));
      if (index === 1) void types.whileKnown(crowd, () => undefined);
      yield;
    }
    return written;
  };
  await types.whileKnown([own], () => undefined);
  assert.deepEqual(await types.through([own], steps()), ['"0"', '"1"', '"2"', '"3"', '"4"']);
  assert.equal(asked, 3, "of the crowd, and twice of its own");
});

test("values that are written step by step: positions are gone through once, however many there are and turns it takes", async () => {
  let looked = 0;
  const one = {
    at: "createArgument",
    get templateId() {
      looked++;
      return "p:M:T";
    },
  } as const;
  const types = new ValueTypes(
      { describeTypes: () => Promise.resolve([null]) } as unknown as ConstructorParameters<typeof ValueTypes>[0],
      new Turns(0),
    ),
    positions = Array.from({ length: 1_000 }, () => one);
  const steps = function* () {
    for (let index = 0; index < 50; index++) yield;
    return "written";
  };
  assert.equal(await types.through(positions, steps()), "written");
  assert.ok(looked < 2 * positions.length, `looked at ${looked} times`);
});
