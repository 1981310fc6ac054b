/** Messages of the Ledger API and the JSON of the same API, by declarations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import protobuf from "protobufjs";
import { limits } from "../../src/config.js";
import { decodeMessage, encodeMessage, longListsIn, type ValueReader, type ValueWriter, Written } from "../../src/grpc/codec/index.js";
import {
  bool,
  bytes,
  enumeration,
  enumOf,
  identifier,
  int32,
  int64,
  map,
  message,
  type MessageType,
  messageBytes,
  nested,
  oneOf,
  record,
  repeated,
  string,
  timestamp,
  value,
} from "../../src/grpc/schema/fields.js";
import { WireFailure } from "../../src/lf/wire/index.js";
import { positionsIn } from "./positions.js";

const colour = enumOf("t.Colour", { COLOUR_UNSPECIFIED: 0, COLOUR_RED: 1, COLOUR_BLUE: 7 });
const leaf = message("t.Leaf", { some_text: string(1), count: int64(2) });
const whole: MessageType = message("t.Whole", {
  plain_text: string(1),
  maybe_text: string(2, { isOptional: true }),
  is_set: bool(3),
  small: int32(4),
  large: int64(5),
  raw_bytes: bytes(6),
  colour: enumeration(7, colour),
  one_leaf: nested(8, () => leaf),
  leaves: repeated(nested(9, () => leaf)),
  numbers: repeated(int64(10)),
  texts: repeated(string(11)),
  colours: repeated(enumeration(12, colour)),
  by_name: map(
    13,
    nested(0, () => leaf),
  ),
  labels: map(14, string(0)),
  template_id: identifier(15),
  at_time: timestamp(16),
  choice: oneOf({ first_leaf: nested(17, () => leaf), second_number: int64(18) }, { json: "choice", isWrapped: true, none: "Empty" }),
  flat: oneOf({ this_way: string(19), that_way: bool(20) }),
  prepared: messageBytes(21, "t.Leaf"),
});
const cased = message("t.Event", {
  event: oneOf({ created: nested(1, () => leaf), archived: nested(2, () => leaf) }, { json: "", cases: { created: "CreatedEvent" } }),
});

/** The same as protobufjs reads and writes it. */
const { root } = protobuf.parse(`syntax = "proto3"; package t;
  enum Colour { COLOUR_UNSPECIFIED = 0; COLOUR_RED = 1; COLOUR_BLUE = 7; }
  message Leaf { string some_text = 1; int64 count = 2; }
  message Identifier { string package_id = 1; string module_name = 2; string entity_name = 3; }
  message Timestamp { int64 seconds = 1; int32 nanos = 2; }
  message Whole {
    string plain_text = 1; optional string maybe_text = 2; bool is_set = 3; int32 small = 4; int64 large = 5; bytes raw_bytes = 6;
    Colour colour = 7; Leaf one_leaf = 8; repeated Leaf leaves = 9; repeated int64 numbers = 10; repeated string texts = 11;
    repeated Colour colours = 12; map<string, Leaf> by_name = 13; map<string, string> labels = 14; Identifier template_id = 15;
    Timestamp at_time = 16; oneof choice { Leaf first_leaf = 17; int64 second_number = 18; }
    oneof flat { string this_way = 19; bool that_way = 20; }
    Leaf prepared = 21; string of_a_later_release = 500;
  }`);
const foreign = root.lookupType("t.Whole");
const foreignBytes = (content: object): Uint8Array => foreign.encode(foreign.fromObject(content)).finish();
const asForeign = (of: Uint8Array): unknown => foreign.toObject(foreign.decode(of), { longs: String, enums: String, bytes: String });

const noValues: ValueReader & ValueWriter = {
  readValue: () => assert.fail(),
  readRecord: () => assert.fail(),
  writeValue: () => assert.fail(),
  writeRecord: () => assert.fail(),
};

const full = {
  plainText: "text",
  maybeText: "",
  isSet: true,
  small: -5,
  large: -9_000_000_000_000_000,
  rawBytes: Buffer.from([0, 255]).toString("base64"),
  colour: "COLOUR_BLUE",
  oneLeaf: { someText: "ä", count: 1 },
  leaves: [
    { someText: "", count: 0 },
    { someText: "b", count: 2 },
  ],
  numbers: [0, 1, -1],
  texts: ["", "x"],
  colours: ["COLOUR_RED", "COLOUR_UNSPECIFIED"],
  byName: { "": { someText: "", count: 0 }, key: { someText: "c", count: 3 } },
  labels: { a: "b", "": "" },
  templateId: "#package-name:Some.Module:Entity",
  atTime: "2024-02-29T12:34:56.000001Z",
  choice: { FirstLeaf: { value: { someText: "d", count: 0 } } },
  thisWay: "",
  prepared: Buffer.from([0x10, 5]).toString("base64"),
};
const fullForeign = {
  plainText: "text",
  maybeText: "",
  isSet: true,
  small: -5,
  large: "-9000000000000000",
  rawBytes: "AP8=",
  colour: "COLOUR_BLUE",
  oneLeaf: { someText: "ä", count: "1" },
  leaves: [{}, { someText: "b", count: "2" }],
  numbers: ["0", "1", "-1"],
  texts: ["", "x"],
  colours: ["COLOUR_RED", "COLOUR_UNSPECIFIED"],
  byName: { "": {}, key: { someText: "c", count: "3" } },
  labels: { a: "b", "": "" },
  templateId: { packageId: "#package-name", moduleName: "Some.Module", entityName: "Entity" },
  atTime: { seconds: "1709210096", nanos: 1000 },
  firstLeaf: { someText: "d" },
  thisWay: "",
  prepared: { count: "5" },
};

test("gRPC codec: what another library wrote is read, and it reads what is written", () => {
  const readAgain = decodeMessage(whole, foreignBytes(fullForeign), noValues);
  assert.deepEqual(readAgain, { ...full, atTime: "2024-02-29T12:34:56.000001000Z" });
  assert.deepEqual(asForeign(encodeMessage(whole, full, noValues)), fullForeign);
});

test("gRPC codec: an empty message has the defaults of its scalars, empty lists and maps, and nothing for what can be absent", () => {
  assert.deepEqual(decodeMessage(whole, new Uint8Array(), noValues), {
    plainText: "",
    isSet: false,
    small: 0,
    large: 0,
    rawBytes: "",
    colour: "COLOUR_UNSPECIFIED",
    leaves: [],
    numbers: [],
    texts: [],
    colours: [],
    byName: {},
    labels: {},
    choice: { Empty: {} },
  });
});

test("gRPC codec: defaults and what is not said take no bytes", () => {
  const nothing = { plainText: "", isSet: false, small: 0, colour: "COLOUR_UNSPECIFIED", leaves: [], labels: {}, oneLeaf: null };
  assert.equal(encodeMessage(whole, { ...nothing, choice: { Empty: {} }, unknown: 5 }, noValues).length, 0);
});

test("gRPC codec: fields of later releases and of other wire types are passed over", () => {
  const later = foreignBytes({ plainText: "a", ofALaterRelease: "b" });
  assert.equal(decodeMessage(whole, later, noValues)["plainText"], "a");
  assert.equal(decodeMessage(whole, Buffer.from([0x08, 5]), noValues)["plainText"], ""); // a number where a text should be
});

test("gRPC codec: lists of numbers may be packed or not", () => {
  for (const written of [
    [0x52, 2, 1, 2],
    [0x50, 1, 0x50, 2],
  ])
    assert.deepEqual(decodeMessage(whole, Buffer.from(written), noValues)["numbers"], [1, 2]);
});

test("gRPC codec: the last of several cases counts, and a message may be its case", () => {
  const twice = Buffer.concat([foreignBytes({ firstLeaf: {} }), foreignBytes({ secondNumber: 4 })]);
  assert.deepEqual(decodeMessage(whole, twice, noValues)["choice"], { SecondNumber: { value: 4 } });
  const event = { CreatedEvent: { someText: "e", count: 0 } };
  assert.deepEqual(decodeMessage(cased, encodeMessage(cased, event, noValues), noValues), event);
  assert.deepEqual(decodeMessage(cased, new Uint8Array(), noValues), {});
});

test("gRPC codec: numbers that a double cannot hold are texts, and enums of later releases have no name", () => {
  const largest = decodeMessage(whole, foreignBytes({ large: "9223372036854775807" }), noValues)["large"];
  assert.equal(largest, "9223372036854775807");
  assert.equal((asForeign(encodeMessage(whole, { large: largest }, noValues)) as { large: string }).large, largest);
  assert.match(decodeMessage(whole, Buffer.from([0x38, 99]), noValues)["colour"] as string, /99/);
});

test("gRPC codec: a map's key may be any text", () => {
  const labels = Object.fromEntries([["__proto__", "x"]]);
  const read = decodeMessage(whole, encodeMessage(whole, { labels }, noValues), noValues)["labels"] as object;
  assert.deepEqual(Object.entries(read), [["__proto__", "x"]]);
});

test("gRPC codec: bytes that are no such message are refused", () => {
  const beyond = { seconds: "253402300800" };
  for (const broken of [Buffer.from([0x0a, 5, 1]), Buffer.from([0x0a, 1, 0xff]), Buffer.from([0x80]), foreignBytes({ atTime: beyond })])
    assert.throws(() => decodeMessage(whole, broken, noValues), WireFailure);
});

test("gRPC codec: what a message says in vain counts as values do", () => {
  const field = (tag: readonly number[], content: Buffer): Buffer => {
      const { length } = content;
      return Buffer.concat([
        Buffer.from([...tag, (length % 128) + 128, (Math.floor(length / 128) % 128) + 128, Math.floor(length / 16_384)]),
        content,
      ]);
    },
    many = (...bytes: number[]): Buffer => Buffer.alloc(bytes.length * (limits.requestValuesMax + 4), Buffer.from(bytes));
  const inVain = {
    "unknown fields": many(0xf0, 0x01, 0),
    "packed numbers, of which there are none": many(0x52, 0),
    "entries without a value": many(0x6a, 0),
    "keys of an entry": field([0x72], many(0x0a, 0)),
    "parts of an identifier": field([0x7a], many(0x0a, 0)),
    "seconds of a time": field([0x82, 0x01], many(0x08, 1)),
  };
  for (const [what, bytes] of Object.entries(inVain)) assert.throws(() => decodeMessage(whole, bytes, noValues), /more than 50000/, what);
});

test("gRPC codec: a message holds no more values than a request may", () => {
  const many = (count: number): Buffer => Buffer.alloc(2 * count, Buffer.from([0x5a, 0])); // empty texts
  assert.equal((decodeMessage(whole, many(limits.requestValuesMax), noValues)["texts"] as unknown[]).length, limits.requestValuesMax);
  assert.throws(() => decodeMessage(whole, many(limits.requestValuesMax + 1), noValues), WireFailure);
});

test("gRPC codec: elements of long lists, wherever they are, may be written before the message, which is the same then", () => {
  const holder = message("t.Holder", {
      held: nested(1, () => whole),
      some: repeated(nested(2, () => whole)),
      event: oneOf({ one: nested(3, () => whole), other: nested(4, () => whole) }, { json: "event", isWrapped: true }),
      flat: oneOf({ alone: nested(5, () => whole) }),
      bare: oneOf({ case: nested(6, () => whole) }, { json: "" }),
    }),
    made = () => {
      const leaves = (count: number) => ({ leaves: Array.from({ length: count }, (_, at) => ({ someText: `${at}`, count: at })) });
      const event = { Other: { value: leaves(102) } };
      return { held: leaves(101), some: [leaves(100), leaves(3)], event, alone: leaves(103), Case: leaves(104), unknown: leaves(105) };
    };
  const json = made(),
    lists = longListsIn(holder, json);
  assert.deepEqual(
    lists.map(({ of, elements }) => [of.name, elements.length]),
    [101, 102, 103, 104].map((length) => ["t.Leaf", length]),
  );
  for (const { of, elements } of lists)
    for (const [at, element] of elements.entries())
      elements[at] = new Written(encodeMessage(of, element as Record<string, unknown>, noValues));
  assert.deepEqual(encodeMessage(holder, json, noValues), encodeMessage(holder, made(), noValues));
  assert.deepEqual(longListsIn(holder, {}), []);
  assert.deepEqual(longListsIn(holder, { held: null, event: { Other: { value: {} } } }), []);
});

test("gRPC codec: values are read and written by others, who are told where they stand", () => {
  const holder = message("t.Exercised", {
    template_id: identifier(1),
    argument: value(2, ({ templateId }) => ({ at: "createArgument", templateId: templateId as string })),
    fields: record(3, ({ templateId }) => ({ at: "contractKey", templateId: templateId as string })),
    result: value(4, ({ templateId }) => ({ at: "contractKey", templateId: templateId as string })),
  });
  const json = { templateId: "p:M:E", argument: null, fields: { a: 1 } };
  const positions = [
    { at: "contractKey", templateId: "p:M:E" },
    { at: "createArgument", templateId: "p:M:E" },
  ];
  assert.deepEqual(positionsIn(holder, json), positions);
  const outer = message("t.Outer", { inner: nested(1, () => holder) });
  assert.deepEqual(positionsIn(outer, { inner: json }), positions);
  assert.deepEqual(positionsIn(whole, full), [], "a message without values has none");
  const written: unknown[] = [];
  const writer: ValueWriter = {
    writeValue: (out, position, of) => {
      written.push([position, of]);
      out.textField(8, "v");
    },
    writeRecord: (out, position, of) => {
      written.push([position, of]);
      out.textField(8, "r");
    },
  };
  const encoded = encodeMessage(holder, json, writer);
  assert.deepEqual(written, [
    [positions[0], { a: 1 }],
    [positions[1], null],
  ]);
  const reader: ValueReader = {
    readValue: (input) => (input.tag() === 66 ? input.text() : assert.fail()),
    readRecord: (input) => (input.tag() === 66 ? { record: input.text() } : assert.fail()),
  };
  assert.deepEqual(decodeMessage(holder, encoded, reader), { templateId: "p:M:E", argument: "v", fields: { record: "r" } });
});
