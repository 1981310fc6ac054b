import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import type { ArchiveError } from "../../../src/lf/errors.js";
import type { Package } from "../../../src/lf/ast.js";
import { checkPackage, decodePackage, packageIdOf } from "../../../src/lf/archive/index.js";
import { writeMessage, type MessageInput } from "../../../src/lf/archive/wire-writer.js";
import { limits } from "../../../src/config.js";
import { drawFrom } from "../../support/random.js";

type PackageInput = MessageInput<"Package">;
type ExprInput = MessageInput<"Expr">;

const flags = {
  forbidPartyLiterals: true,
  dontDivulgeContractIdsInCreateArguments: true,
  dontDiscloseNonConsumingChoicesToObservers: true,
};
const unitType: MessageInput<"Type"> = { builtin: { builtin: 0 } };
const unit: ExprInput = { builtinCon: 0 };

/** A package with one module `M` and one value `f`, whose body and tables the test gives. */
function packageBytes(minor: string, body: ExprInput, more: PackageInput = {}): Uint8Array {
  const module: MessageInput<"Module"> = {
    flags,
    values: [{ nameWithType: { nameInternedDname: 1, type: { internedType: 0 } }, expr: body }],
  };
  const input: PackageInput = {
    modules: [module],
    internedStrings: ["M", "f", "1.0.0"],
    internedDottedNames: [{ segmentsInternedStr: [0] }, { segmentsInternedStr: [1] }],
    metadata: { nameInternedStr: 0, versionInternedStr: 2 },
    internedTypes: [unitType],
    ...more,
  };
  return writeMessage("ArchivePayload", { minor, damlLf_2: writeMessage("Package", input) });
}

function check(payload: Uint8Array): { readonly package?: Package; readonly error?: ArchiveError } {
  const decoded = decodePackage(packageIdOf(payload), payload);
  if (isFailure(decoded)) return { error: decoded.error! };
  const checked = checkPackage(decoded.ok!);
  return isFailure(checked) ? { error: checked.error! } : { package: checked.ok! };
}
const classOf = (payload: Uint8Array): string => check(payload).error?.class ?? "ok";

/** `some (some (... unit))`, `depth` deep: two messages a level. */
const nestedSome = (depth: number): ExprInput => {
  let expr = unit;
  for (let level = 0; level < depth; level++) expr = { optionalSome: { type: { internedType: 0 }, value: expr } };
  return expr;
};

test("bodies: decoding is lazy, checking is not", () => {
  const payload = packageBytes("1", { builtin: 9_000 });
  const decoded = decodePackage(packageIdOf(payload), payload);
  assert.ok(!isFailure(decoded));
  assert.equal(decoded.ok!.modules.get("M")!.values.get("f")!.name, "f");
  assert.equal(checkPackage(decoded.ok!).error?.class, "Parsing");
});

test("nesting: 2.1 nests messages up to 1000 deep, later versions up to 100", () => {
  const deepest = (messages: number) => Math.floor((messages - 3) / 2); // Package > Module > DefValue > Expr > OptionalSome > Expr ...
  assert.equal(classOf(packageBytes("1", nestedSome(deepest(1000)))), "ok");
  assert.equal(classOf(packageBytes("1", nestedSome(deepest(1000) + 1))), "IO");
  assert.equal(classOf(packageBytes("2", nestedSome(deepest(100)))), "ok");
  assert.equal(classOf(packageBytes("2", nestedSome(deepest(100) + 1))), "IO");
});

test("interned expressions: a chain far deeper than the stack of a naive decoder is fine up to the limit", () => {
  const chain = (length: number): ExprInput[] =>
    Array.from({ length }, (_, index) =>
      index === 0 ? unit : { optionalSome: { type: { internedType: 0 }, value: { internedExpr: index - 1 } } },
    );
  const last = (length: number) => packageBytes("2", { internedExpr: length - 1 }, { internedExprs: chain(length) });
  const good = check(last(limits.lfExprDepthMax));
  assert.equal(good.error, undefined);
  assert.equal(good.package!.modules.get("M")!.values.get("f")!.body.kind, "some");
  assert.equal(classOf(last(limits.lfExprDepthMax + 1)), "LimitExceeded");
});

test("interned expressions: forward, own and bare references are illegal, missing ones are malformed", () => {
  const reference = (index: number): ExprInput => ({ optionalSome: { type: { internedType: 0 }, value: { internedExpr: index } } });
  const withTable = (index: number, ...internedExprs: ExprInput[]) =>
    classOf(packageBytes("2", { internedExpr: index }, { internedExprs }));
  assert.equal(withTable(1, unit, reference(0)), "ok");
  assert.equal(withTable(0, reference(0)), "IllegalInterning");
  assert.equal(withTable(0, reference(1), unit), "IllegalInterning");
  assert.equal(withTable(1, unit, { internedExpr: 0 }), "IllegalInterning");
  assert.equal(withTable(7, unit), "Parsing");
  assert.equal(classOf(packageBytes("1", { internedExpr: 0 }, { internedExprs: [unit] })), "Parsing");
});

test("interned expressions: sharing cannot make a tree too large to walk", () => {
  const doubling = Array.from({ length: 40 }, (_, index): ExprInput =>
    index === 0 ? unit : { app: { fun: { internedExpr: index - 1 }, args: [{ internedExpr: index - 1 }] } },
  );
  assert.equal(classOf(packageBytes("2", { internedExpr: 39 }, { internedExprs: doubling })), "LimitExceeded");
  assert.equal(classOf(packageBytes("2", { internedExpr: 10 }, { internedExprs: doubling })), "ok");
});

test("interned types: sharing and chains are bounded, references point backwards", () => {
  const arrow = (from: number, to: number): MessageInput<"Type"> => ({
    builtin: { builtin: 16, args: [{ internedType: from }, { internedType: to }] },
  });
  const doubling = Array.from({ length: 40 }, (_, index) => (index === 0 ? unitType : arrow(index - 1, index - 1)));
  assert.equal(classOf(packageBytes("1", unit, { internedTypes: doubling })), "LimitExceeded");
  const chain = Array.from({ length: 2_000 }, (_, index) => (index === 0 ? unitType : arrow(0, index - 1)));
  assert.equal(classOf(packageBytes("1", unit, { internedTypes: chain })), "LimitExceeded");
  assert.equal(classOf(packageBytes("1", unit, { internedTypes: [unitType, arrow(0, 0)] })), "ok");
  assert.equal(classOf(packageBytes("1", unit, { internedTypes: [unitType, arrow(1, 0)] })), "Parsing");
  assert.equal(classOf(packageBytes("1", unit, { internedTypes: [unitType, { internedType: 0 }] })), "IllegalInterning");
});

test("kinds: chains through the table are bounded", () => {
  const kinds = (length: number) =>
    Array.from({ length }, (_, index): MessageInput<"Kind"> =>
      index === 0 ? { star: {} } : { arrow: { params: [{ internedKind: index - 1 }], result: { star: {} } } },
    );
  assert.equal(classOf(packageBytes("2", unit, { internedKinds: kinds(1_000) })), "ok");
  assert.equal(classOf(packageBytes("2", unit, { internedKinds: kinds(1_001) })), "LimitExceeded");
  const longList: MessageInput<"Kind"> = { arrow: { params: Array.from({ length: 2_000 }, () => ({ star: {} })), result: { star: {} } } };
  assert.equal(
    classOf(
      packageBytes("1", unit, {
        modules: [
          { flags, synonyms: [{ nameInternedDname: 1, params: [{ varInternedStr: 1, kind: longList }], type: { internedType: 0 } }] },
        ],
      }),
    ),
    "LimitExceeded",
  );
});

test("lists: millions of empty messages are refused before they fill the memory", () => {
  const modules = Buffer.alloc(2 * (limits.lfListElementsMax + 1), Buffer.from([0x0a, 0]));
  assert.equal(classOf(writeMessage("ArchivePayload", { minor: "1", damlLf_2: modules })), "LimitExceeded");
});

test("types: only references stand outside the table; numbers are 0 to 37", () => {
  assert.equal(classOf(packageBytes("1", { nil: { type: unitType } })), "Parsing");
  assert.equal(classOf(packageBytes("1", unit, { internedTypes: [unitType, { nat: 37n }] })), "ok");
  for (const nat of [-1n, 38n]) assert.equal(classOf(packageBytes("1", unit, { internedTypes: [unitType, { nat }] })), "Parsing");
});

test("names: every string used as a name follows the grammar", () => {
  for (const name of ["", "1a", "a b", "a-b", "é", "a\n", "x".repeat(1001), "__proto__; process.exit()"])
    assert.equal(classOf(packageBytes("1", unit, { internedStrings: ["M", name, "1.0.0"] })), "Parsing", JSON.stringify(name));
  for (const name of ["$", "_", "a1", "constructor", "__proto__", "x".repeat(1000)])
    assert.equal(classOf(packageBytes("1", unit, { internedStrings: ["M", name, "1.0.0"] })), "ok", name);
});

test("metadata: names and versions follow their grammars", () => {
  const withMetadata = (name: string, version: string) =>
    classOf(
      packageBytes("1", unit, { internedStrings: ["M", "f", name, version], metadata: { nameInternedStr: 2, versionInternedStr: 3 } }),
    );
  assert.equal(withMetadata("my-package_1", "0.10.2147483647"), "ok");
  for (const version of ["", "1.", "01", "1.2147483648", "1.0-rc", "-1"]) assert.equal(withMetadata("p", version), "Parsing", version);
  for (const name of ["", "a.b", "a b", "x".repeat(256)]) assert.equal(withMetadata(name, "1"), "Parsing", name);
});

/** A package with one module and one value, whose bytes the test gives. */
function packageOfValue(valueBytes: Uint8Array): Uint8Array {
  const field = (tag: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from([tag, 0x80 | (bytes.length & 0x7f), bytes.length >> 7]), bytes]);
  const module = Buffer.concat([writeMessage("Module", { flags }), field(0x2a, valueBytes)]);
  const rest = writeMessage("Package", {
    internedStrings: ["M", "1.0.0"],
    internedDottedNames: [{ segmentsInternedStr: [0] }],
    metadata: { nameInternedStr: 0, versionInternedStr: 1 },
    internedTypes: [unitType],
  });
  return writeMessage("ArchivePayload", { minor: "1", damlLf_2: Buffer.concat([field(0x0a, module), rest]) });
}

test("structure: a message that occurs again continues the one before, as protobuf has it", () => {
  const type = { type: { internedType: 0 } };
  const bodyOf = (...parts: MessageInput<"DefValue">[]) => {
    const { modules } = check(packageOfValue(Buffer.concat(parts.map((part) => writeMessage("DefValue", part))))).package!;
    return modules.get("M")!.values.get("M")!.body;
  };
  const list = (...front: ExprInput[]): ExprInput => ({ cons: { type: { internedType: 0 }, front, tail: { nil: type } } });
  assert.deepEqual(
    bodyOf(
      { nameWithType: type, expr: { cons: { type: { internedType: 0 }, front: [unit] } } },
      { expr: { cons: { front: [unit], tail: { nil: type } } } },
    ),
    bodyOf({ nameWithType: type, expr: list(unit, unit) }),
  );
  assert.deepEqual(bodyOf({ nameWithType: type, expr: list(unit) }, { expr: unit }), bodyOf({ nameWithType: type, expr: unit }));
  const more = writeMessage("DefValue", { nameWithType: {} });
  const parts = (count: number) =>
    classOf(
      packageOfValue(
        Buffer.concat([writeMessage("DefValue", { nameWithType: type, expr: unit }), ...new Array<Uint8Array>(count - 1).fill(more)]),
      ),
    );
  assert.equal(parts(limits.lfMessageMergesMax + 1), "ok");
  assert.equal(parts(limits.lfMessageMergesMax + 2), "LimitExceeded");
});

test("structure: unfinished and unknown fields, bad text and duplicate definitions are refused", () => {
  const raw = (valueBytes: Uint8Array) => classOf(packageOfValue(valueBytes));
  const value = writeMessage("DefValue", { nameWithType: { type: { internedType: 0 } }, expr: unit });
  assert.equal(raw(value), "ok");
  assert.equal(raw(Buffer.concat([value, Buffer.from([0x78, 1])])), "Parsing");
  assert.equal(raw(value.subarray(0, -1)), "IO");

  const text = writeMessage("Package", { internedStrings: ["M"] });
  assert.equal(classOf(writeMessage("ArchivePayload", { minor: "1", damlLf_2: Buffer.from(text).fill(0xff, 2) })), "IO");

  const definition = { nameInternedDname: 1, record: {} };
  assert.equal(classOf(packageBytes("1", unit, { modules: [{ flags, dataTypes: [definition, definition] }] })), "Internal");
  assert.equal(classOf(packageBytes("1", unit, { modules: [{ flags }, { flags }] })), "Internal");
  assert.equal(classOf(packageBytes("1", unit, { modules: [{}] })), "Parsing");
});

test("locations: unknown fields are refused in one without a range too, what it names is not asked for", () => {
  const nested = (field: number, bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([8 * field + 2, bytes.length]), bytes]);
  const at = (self: readonly number[]) => {
    const location = nested(1, nested(1, nested(1, Uint8Array.from(self))));
    const expr = Buffer.concat([location, writeMessage("Expr", unit)]);
    return classOf(
      packageOfValue(Buffer.concat([writeMessage("DefValue", { nameWithType: { type: { internedType: 0 } } }), nested(3, expr)])),
    );
  };
  assert.equal(at([0x0a, 0]), "ok");
  assert.equal(at([0x0a, 2, 0x08, 1]), "Parsing");
  assert.equal(at([0x20, 99]), "ok"); // no such import
});

test("names: a template, an exception and an interface have names of their own", () => {
  const templates = [{ tyconInternedDname: 1, paramInternedStr: 1, signatories: unit, observers: unit }],
    exceptions = [{ nameInternedDname: 1, message: unit }],
    interfaces = [{ tyconInternedDname: 1, paramInternedStr: 1, view: { internedType: 0 } }];
  const classOfModule = (definitions: MessageInput<"Module">): string =>
    classOf(packageBytes("1", unit, { modules: [{ flags, ...definitions }] }));
  for (const alone of [{ templates }, { exceptions }, { interfaces }]) assert.equal(classOfModule(alone), "ok");
  assert.equal(classOfModule({ templates, exceptions }), "Internal");
  assert.equal(classOfModule({ templates, interfaces }), "Internal");
  assert.equal(classOfModule({ exceptions, interfaces }), "Internal");
});

test("literals: dates, timestamps and numerics outside their range are refused", () => {
  const literal = (builtinLit: MessageInput<"BuiltinLit">, text = "0.0") =>
    classOf(packageBytes("1", { builtinLit }, { internedStrings: ["M", "f", "1.0.0", text] }));
  assert.equal(literal({ date: -719_162 }), "ok");
  assert.equal(literal({ date: 2_932_897 }), "Parsing");
  assert.equal(literal({ timestamp: 253_402_300_799_999_999n }), "ok");
  assert.equal(literal({ timestamp: -62_135_596_800_000_001n }), "Parsing");
  for (const good of ["0.0", "-1.50", "5.", `${"9".repeat(38)}.`]) assert.equal(literal({ numericInternedStr: 3 }, good), "ok", good);
  for (const bad of ["1", ".5", "01.0", "+1.0", "1e3", `${"9".repeat(39)}.`, `0.${"0".repeat(38)}`])
    assert.equal(literal({ numericInternedStr: 3 }, bad), "Parsing", bad);
});

test("random damage: a package with flipped bytes decodes or is refused, and nothing else happens", () => {
  const payload = packageBytes("1", nestedSome(5));
  const random = drawFrom(42);
  for (let round = 0; round < 5_000; round++) {
    const damaged = Buffer.from(payload);
    for (let flips = 0; flips <= random(3); flips++) damaged[random(damaged.length)] = random(256);
    check(damaged); // throws only for our own mistakes
  }
});
