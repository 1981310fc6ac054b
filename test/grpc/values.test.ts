import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { BadValue, ReplyValues, requestValues, ValueWithoutEnd, type Verbosity } from "../../src/grpc/values/index.js";
import type { ValuePosition } from "../../src/grpc/schema/fields.js";
import { decodePackage, stablePackages } from "../../src/lf/archive/index.js";
import type { Type } from "../../src/lf/ast.js";
import { describeType, fromJson, toJson, toLedgerValue, type ValueType } from "../../src/lf/conversion/index.js";
import type { LedgerField, LedgerValue } from "../../src/lf/value/index.js";
import { ProtoReader, ProtoWriter, WireFailure, writeApiValue } from "../../src/lf/wire/index.js";
import { Engine } from "../../src/lf/index.js";
import { EngineValues } from "../../src/workers/rendered-values.js";
import { buildPackage, ModuleBuilder, type as built } from "../support/lf-builder.js";
import { generator } from "../lf/value/random.js";
import {
  boolT,
  con,
  contractIdT,
  dateT,
  genMapT,
  id,
  int64T,
  listT,
  numericT,
  optionalT,
  packageId,
  partyT,
  textMapT,
  textT,
  timestampT,
  unitT,
  valueTypes,
} from "../lf/value/types.js";

const types = valueTypes();
const int = (value: number): LedgerValue => ({ kind: "int64", value: BigInt(value) });
const text = (value: string): LedgerValue => ({ kind: "text", value });
const none: LedgerValue = { kind: "optional", value: undefined };
const some = (value: LedgerValue): LedgerValue => ({ kind: "optional", value });
const record = (...fields: (readonly [string | undefined, LedgerValue])[]): LedgerValue => ({
  kind: "record",
  fields: fields.map(([label, value]): LedgerField => (label === undefined ? { value } : { label, value })),
});

/** The fields of message `Value`. */
function encoded(value: LedgerValue): Uint8Array {
  const out = new ProtoWriter();
  writeApiValue(out, value);
  return out.finish();
}

/** From a request to the ledger, through JSON as text. */
const asked = (bytes: Uint8Array): unknown => JSON.parse(JSON.stringify(requestValues().readValue(new ProtoReader(bytes))));
const taken = (type: ValueType, value: LedgerValue) => fromJson(type, asked(encoded(value)));
function accepted(type: Type, value: LedgerValue): LedgerValue {
  const result = taken(types.of(type), value);
  assert(result.ok !== undefined, result.error?.message);
  return toLedgerValue(types.of(type), result.ok);
}
const refusal = (type: Type, value: LedgerValue) => taken(types.of(type), value).error ?? assert.fail("it should be refused");

const position: ValuePosition = { at: "createArgument", templateId: `${packageId}:Main:T` };

/** How it stands in a reply. */
async function told(type: ValueType, value: LedgerValue, verbosity: Verbosity): Promise<Uint8Array> {
  const values = new ReplyValues({ describeTypes: async (positions) => positions.map(() => describeType(type)) }),
    out = new ProtoWriter();
  await values.written(verbosity, (writer) => writer.writeValue(out, position, JSON.parse(toJson(type, value))));
  return out.finish();
}

/** With what verbose values have. */
function labelled(type: ValueType, value: LedgerValue): LedgerValue {
  const idOf = (of: Extract<ValueType, { kind: "record" | "variant" | "enum" }>): string => `${packageId}:Main:${of.id.name}`;
  switch (value.kind) {
    case "optional":
      assert(type.kind === "optional");
      return value.value === undefined ? value : some(labelled(type.element, value.value));
    case "list":
      assert(type.kind === "list");
      return { ...value, elements: value.elements.map((element) => labelled(type.element, element)) };
    case "textMap":
      assert(type.kind === "textMap");
      return { ...value, entries: value.entries.map(([key, entry]) => [key, labelled(type.value, entry)] as const) };
    case "genMap":
      assert(type.kind === "genMap");
      return { ...value, entries: value.entries.map(([key, entry]) => [labelled(type.key, key), labelled(type.value, entry)] as const) };
    case "record": {
      assert(type.kind === "record");
      const fields = value.fields.map(({ value: of }, at) => ({
        label: type.fields[at]!.name,
        value: labelled(type.fields[at]!.type, of),
      }));
      return { kind: "record", typeId: idOf(type), fields };
    }
    case "variant": {
      assert(type.kind === "variant");
      const constructor_ = type.constructors[type.rankOf(value.constructor_)!]!;
      return { ...value, typeId: idOf(type), value: labelled(constructor_.type, value.value) };
    }
    case "enum":
      assert(type.kind === "enum");
      return { ...value, typeId: idOf(type) };
    default:
      return value;
  }
}

const everyType: readonly Type[] = [
  unitT,
  boolT,
  int64T,
  dateT,
  timestampT,
  partyT,
  textT,
  numericT(10),
  numericT(0),
  contractIdT(con("Point")),
  optionalT(int64T),
  optionalT(optionalT(optionalT(textT))),
  listT(optionalT(optionalT(con("Person")))),
  textMapT(numericT(3)),
  genMapT(int64T, con("Tree", textT)),
  genMapT(con("Point"), optionalT(con("Colour"))),
  con("Person"),
  con("Box", listT(con("Pair", con("Colour"), optionalT(boolT)))),
  con("Tree", con("Person")),
  con("Nest"),
  con("Colour"),
];

test("values: whatever the ledger tells is what it is taken for again, bare and verbose", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = generator(seed);
    for (const of of everyType) {
      const type = types.of(of),
        value = random.ofType(type, 4);
      const [bare, verbose] = [await told(type, value, "bare"), await told(type, value, "verbose")];
      assert.deepEqual(bare, encoded(value), `seed ${seed}: bare`);
      assert.deepEqual(verbose, encoded(labelled(type, value)), `seed ${seed}: verbose`);
      for (const bytes of [bare, verbose]) {
        const read = fromJson(type, asked(bytes));
        assert(read.ok !== undefined, `seed ${seed}: ${read.error?.message}`);
        assert.deepEqual(toLedgerValue(type, read.ok), value, `seed ${seed}: taken`);
      }
    }
  }
});

test("values of requests: they are of the kind that they say, whatever their JSON would be", () => {
  for (const [type, value] of [
    [int64T, { kind: "numeric", unscaled: 5n, scale: 0 }],
    [numericT(10), int(5)],
    [int64T, text("5")],
    [textT, { kind: "party", value: "alice::12" }],
    [unitT, record()],
    [optionalT(int64T), int(5)],
    [int64T, some(int(5))],
    [
      con("Point"),
      {
        kind: "textMap",
        entries: [
          ["x", int(1)],
          ["y", int(2)],
        ],
      },
    ],
  ] as const)
    assert.equal(refusal(type, value as LedgerValue).class, "TypeMismatch", value.kind);
});

test("values of requests: records are labelled or go by position, whole messages or fields", () => {
  const point = record([undefined, int(1)], [undefined, int(2)]);
  assert.deepEqual(accepted(con("Point"), record(["y", int(2)], ["x", int(1)])), point);
  assert.deepEqual(accepted(con("Point"), point), point);
  assert.deepEqual(accepted(con("Point"), record(["x", int(1)], [undefined, int(2)])), point);
  assert.match(refusal(con("Point"), record(["y", int(1)], [undefined, int(2)])).message, /Mismatching record field label/);
  const fields = new ProtoReader(encoded(record(["y", int(2)], ["x", int(1)])));
  fields.tag();
  fields.enter();
  const read = fromJson(types.of(con("Point")), requestValues().readRecord(fields));
  assert(read.ok !== undefined);
  assert.deepEqual(toLedgerValue(types.of(con("Point")), read.ok), point);
});

test("values of requests: None may be missing or too much, at the end as anywhere with labels", () => {
  const ann = record([undefined, text("Ann")]);
  assert.deepEqual(accepted(con("Person"), ann), ann);
  assert.deepEqual(accepted(con("Person"), record(["name", text("Ann")], ["age", none], ["note", none])), ann);
  assert.deepEqual(accepted(con("Person"), record(["later", none], ["name", text("Ann")])), ann);
  assert.match(refusal(con("Person"), record(["later", some(int(1))], ["name", text("Ann")])).message, /with a value of Some/);
  assert.match(refusal(con("Person"), record(["age", none])).message, /Missing non-optional field "name"/);
});

test("values of requests: Optionals are nested as the value says, where a type variable stands for one, too", () => {
  for (const value of [none, some(none), some(some(int(5)))]) assert.deepEqual(accepted(optionalT(optionalT(int64T)), value), value);
  for (const value of [none, some(none), some(some(int(5)))]) {
    const box = record([undefined, some(int(1))], [undefined, value]);
    assert.deepEqual(accepted(con("Box", optionalT(int64T)), box).kind, "record");
    assert.deepEqual(accepted(con("Box", optionalT(int64T)), box), value === none ? record([undefined, some(int(1))]) : box);
  }
});

/** The fields of message `Value` by hand. */
function written(write: (out: ProtoWriter) => void): Uint8Array {
  const out = new ProtoWriter();
  write(out);
  return out.finish();
}
const refused = (bytes: Uint8Array, code: string, cause: RegExp): void =>
  assert.throws(
    () => requestValues().readValue(new ProtoReader(bytes)),
    (error) => error instanceof BadValue && error.error.code === code && cause.test(error.error.cause),
  );

test("values of requests: what is none is refused with the code that the reference has for it", () => {
  refused(new Uint8Array(), "MISSING_FIELD", /mandatory field: value/);
  refused(
    written((out) => out.textField(99, "skipped")),
    "MISSING_FIELD",
    /value/,
  );
  refused(encoded({ kind: "enum", constructor_: "" }), "MISSING_FIELD", /value/);
  refused(encoded({ kind: "variant", constructor_: "", value: none }), "MISSING_FIELD", /constructor/);
  refused(encoded({ kind: "enum", constructor_: "not a name" }), "INVALID_FIELD", /value/);
  refused(encoded({ kind: "date", days: 2_932_897 }), "INVALID_ARGUMENT", /out of bound Date 2932897/);
  refused(encoded({ kind: "timestamp", micros: 253_402_300_800_000_000n }), "INVALID_ARGUMENT", /out of bound Timestamp/);
  refused(encoded({ kind: "party", value: "no/party" }), "INVALID_ARGUMENT", /no\/party/);
  refused(encoded({ kind: "contractId", hex: "00" }), "INVALID_ARGUMENT", /cannot parse ContractId/);
  refused(encoded(record(["no name", none])), "INVALID_ARGUMENT", /no name/);
  refused(
    encoded({
      kind: "textMap",
      entries: [
        ["a", int(1)],
        ["a", int(2)],
      ],
    }),
    "INVALID_ARGUMENT",
    /key a duplicated/,
  );
  refused(encoded({ ...record(), typeId: `${packageId}:Main:no name` } as LedgerValue), "INVALID_FIELD", /entity_name/);
  refused(encoded({ ...record(), typeId: ":Main:T" } as LedgerValue), "MISSING_FIELD", /package_id/);
  for (const numeric of ["", "1e3", "1,0", " 1", "1".repeat(39), `0.${"1".repeat(38)}`])
    refused(
      written((out) => out.textField(6, numeric)),
      "INVALID_ARGUMENT",
      /Could not read Numeric/,
    );
  assert.throws(() => requestValues().readValue(new ProtoReader(Uint8Array.of(0x42, 9))), WireFailure);
});

test("gRPC values: of many in one message those above a bound are looked through where they are typed", () => {
  const list = Buffer.concat([Uint8Array.of(0x5a, 0xc0, 0x3e), Buffer.alloc(8_000, Uint8Array.of(0x0a, 0))]), // of elements that are none
    sound = Buffer.concat([Uint8Array.of(0x5a, 0xc0, 0x3e), Buffer.alloc(8_000, Uint8Array.of(0x0a, 2, 0x0a, 0))]),
    values = requestValues();
  const read = (bytes: Uint8Array): unknown => values.readValue(new ProtoReader(bytes));
  for (let looked = 0; looked + sound.length <= limits.textPieceBytes; looked += sound.length) read(sound);
  read(list);
  assert.throws(() => requestValues().readValue(new ProtoReader(list)), BadValue);
});

test("values of requests: numerics are written in many ways", () => {
  for (const [written_, unscaled] of [
    ["5", 50_000_000_000n],
    ["+5.", 50_000_000_000n],
    ["-005.1000", -51_000_000_000n],
    [`0.${"0".repeat(37)}`, 0n],
  ] as const) {
    const read = fromJson(types.of(numericT(10)), asked(written((out) => out.textField(6, written_))));
    assert(read.ok !== undefined, written_);
    assert.deepEqual(toLedgerValue(types.of(numericT(10)), read.ok), { kind: "numeric", unscaled, scale: 10 });
  }
});

test("values of requests: nesting has an end, texts are the engine's to judge", () => {
  const nested = (levels: number): LedgerValue => {
    let value: LedgerValue = { kind: "variant", constructor_: "End", value: { kind: "unit" } };
    for (let level = 0; level < levels; level++) value = { kind: "variant", constructor_: "More", value };
    return value;
  };
  assert.deepEqual(accepted(con("Nest"), nested(limits.valueNestingMax - 1)), nested(limits.valueNestingMax - 1));
  refused(encoded(nested(limits.valueNestingMax)), "COMMAND_PREPROCESSING_FAILED", /maximum nesting/);
  assert.equal(refusal(textT, text("a\0")).class, "MalformedText");
});

test("values of requests: JSON that looks as if it carried one is refused", () => {
  const forged = (carried: string) => fromJson(types.of(textT), { "\0": carried }).error;
  assert.equal(forged("QgkA")?.code, "INVALID_ARGUMENT", "bytes that are no protobuf");
  assert.equal(forged("")?.code, "MISSING_FIELD");
  assert.equal(fromJson(types.of(textMapT(textT)), { "\0": "" }).error?.code, "MISSING_FIELD");
  assert.equal(fromJson(types.of(textMapT(textT)), { "\0": 1 }).error?.class, "MalformedText", "no map has such a key");
});

test("values of replies: keys of maps are in the ledger's order, and such as objects have themselves", async () => {
  const type = types.of(textMapT(int64T)),
    value: LedgerValue = {
      kind: "textMap",
      entries: ["", "10", "9", "__proto__", "\uffff", "😀"].map((key, at) => [key, int(at)] as const),
    };
  assert.deepEqual(await told(type, value, "bare"), encoded(value));
});

test("values of replies: types are asked for once each, of every kind of place", async () => {
  const asked_: unknown[] = [];
  const values = new ReplyValues({
    describeTypes: async (positions) => {
      asked_.push(...positions);
      return positions.map(() => describeType(types.of(con("Point"))));
    },
  });
  const templateId = `${packageId}:Main:T`,
    interfaceId = `${packageId}:Main:I`,
    places: readonly ValuePosition[] = [
      position,
      { at: "contractKey", templateId },
      { at: "interfaceView", interfaceId },
      { at: "choiceArgument", templateId, interfaceId: null, choice: "C" },
      { at: "exerciseResult", templateId, interfaceId, choice: "C" },
    ];
  const many = Array.from({ length: 1_000 }, () => places).flat(),
    out = new ProtoWriter();
  const write = () => values.written("bare", (writer) => many.forEach((at) => writer.writeRecord(out, at, { x: "1", y: "2" })));
  await write();
  await write();
  assert.deepEqual(asked_, [
    { kind: "createArgument", templateId: id("T") },
    { kind: "contractKey", templateId: id("T") },
    { kind: "interfaceView", interfaceId: id("I") },
    { kind: "choiceArgument", templateId: id("T"), interfaceId: undefined, choice: "C" },
    { kind: "exerciseResult", templateId: id("T"), interfaceId: id("I"), choice: "C" },
  ]);
});

test("values of replies: a value whose type has no end is not told", async () => {
  const values = new ReplyValues({ describeTypes: async () => [describeType(types.of(con("Perfect", int64T)))] });
  await assert.rejects(
    Promise.resolve(values.written("bare", (writer) => writer.writeValue(new ProtoWriter(), position, { tag: "Zero", value: "1" }))),
    ValueWithoutEnd,
  );
});

test("values of replies: the type of a view is that of its interface", () => {
  const main = new ModuleBuilder("Main"),
    view = main.record("View", { note: built.text }),
    shown = main.interface("Shown", { view: built.con(view) }),
    archive = buildPackage({ name: "shown", version: "1.0.0", modules: [main] }),
    packages = new Map([...stablePackages(), archive].map(({ id: of, payload }) => [of, decodePackage(of, payload).ok!]));
  const values = new EngineValues(new Engine({ packages: { getPackage: (of) => packages.get(of) }, limits }));
  const type = values.typeAt({ kind: "interfaceView", interfaceId: { ...shown, packageId: archive.id } });
  assert.deepEqual(describeType(type), [
    { kind: "record", id: `${archive.id}:Main:View`, fields: [{ name: "note", type: 1 }] },
    { kind: "text" },
  ]);
});
