import assert from "node:assert/strict";
import { test } from "node:test";
import type { Expr, Kind, Type } from "../../../src/lf/ast.js";
import type { BuiltinName } from "../../../src/lf/builtins.js";
import { apply, expr, type } from "../../support/lf-builder-notation.js";
import { ModuleBuilder } from "../../support/lf-builder.js";
import { verdictOn } from "./subject.js";

const { int64, text, bool, unit, party, arrow, list, optional, variable: tvar, forall, update } = type;
const x = expr.variable("x"),
  one = expr.int64(1n),
  hello = expr.text("hello");
const nat: Kind = { kind: "nat" };

/** Types and a template that the cases speak of. */
const world = new ModuleBuilder("M");
const pair = world.record("Pair", { first: tvar("a"), second: tvar("b") }, ["a", "b"]);
const choice = world.variant("Choice", { Left: int64, Right: tvar("a") }, ["a"]);
const color = world.enum("Color", ["Red", "Green"]);
const view = world.record("View", { owner: party });
const asset = world.interface("Asset", { view: type.con(view), methods: { owner: party } });
const other = world.interface("Other", { view: type.con(view), requires: [asset] });
const thisOwner = (self: (field: string) => Expr): Expr => self("owner");
const iou = world.template("Iou", {
  fields: { owner: party },
  signatories: (self) => [thisOwner(self)],
  implements: [
    {
      interface: asset,
      methods: new Map([["owner", expr.field(world.id("Iou"), "owner", expr.variable("this"))]]),
      view: expr.record(view, { owner: expr.field(world.id("Iou"), "owner", expr.variable("this")) }),
    },
  ],
  choices: { Archive: { fields: {}, returns: unit, controllers: (self) => [thisOwner(self)], update: () => expr.pure(unit, expr.unit) } },
});
const failure = world.exception("Failure", { text }, (self) => self("text"));
world.value("id", forall("a", arrow(tvar("a"), tvar("a"))), {
  kind: "tyAbs",
  params: [{ name: "a", kind: { kind: "star" } }],
  body: expr.lambda({ x: tvar("a") }, x),
});
const iouType = type.con(iou),
  assetType = type.con(asset),
  pairType = type.con(pair, int64, text);
const aPair = expr.record(pair, { first: one, second: hello }, int64, text);
const given = (types: Readonly<Record<string, Type>>, body: Expr): Expr => expr.lambda(types, body);
const binary = (builtin: BuiltinName, left: Expr, right: Expr): Expr => expr.apply(expr.builtin(builtin), left, right);
const contractOf = (of: Type): Type => type.contractId(of);
const struct: Type = {
  kind: "struct",
  fields: [
    { name: "a", type: int64 },
    { name: "b", type: text },
  ],
};
const polymorphic = (kind: Kind, ofVariable: Type): Type => ({ kind: "forall", binder: { name: "a", kind }, body: ofVariable });
const abstraction = (kind: Kind, body: Expr): Expr => ({ kind: "tyAbs", params: [{ name: "a", kind }], body });

type Case = readonly [what: string, verdict: string, type: Type, body: Expr];
const cases: readonly Case[] = [
  ["a literal", "ok", int64, one],
  ["a literal of another type", "TypeMismatch", int64, hello],
  ["a numeric has the scale of its type", "ok", type.numeric(2), expr.numeric(150n, 2)],
  ["a numeric of another scale", "TypeMismatch", type.numeric(3), expr.numeric(150n, 2)],
  ["a function", "ok", arrow(int64, int64), given({ x: int64 }, x)],
  ["a variable that is not there", "UnknownExprVar", int64, x],
  ["a variable that ended with its function", "UnknownExprVar", int64, expr.apply(given({ x: int64 }, one), x)],
  ["the innermost variable of a name counts", "ok", arrow(int64, text, text), given({ x: int64 }, given({ x: text }, x))],
  [
    "a parameter bound twice at once",
    "ok",
    arrow(int64, text, text),
    {
      kind: "abs",
      params: [
        { name: "x", type: int64 },
        { name: "x", type: text },
      ],
      body: x,
    },
  ],
  ["an application", "ok", int64, binary("ADD_INT64", one, one)],
  ["an argument of another type", "TypeMismatch", int64, binary("ADD_INT64", one, hello)],
  ["a number applied", "ExpectedFunctionType", int64, expr.apply(one, one)],
  ["too many arguments", "ExpectedFunctionType", int64, expr.apply(expr.builtin("ADD_INT64"), one, one, one)],
  ["a parameter of a higher kind", "KindMismatch", arrow(int64, int64), given({ x: { kind: "builtin", builtin: "LIST" } }, one)],
  ["a type that is not there", "UnknownDefinition", arrow(int64, int64), given({ x: type.con(world.id("Nope")) }, one)],
  ["a value", "ok", forall("a", arrow(tvar("a"), tvar("a"))), expr.value(world.id("id"))],
  ["bound type variables may have other names", "ok", forall("b", arrow(tvar("b"), tvar("b"))), expr.value(world.id("id"))],
  ["a value that is not there", "UnknownDefinition", int64, expr.value(world.id("nope"))],
  ["a type argument", "ok", arrow(int64, int64), expr.applyTypes(expr.value(world.id("id")), int64)],
  [
    "a type argument of another kind",
    "KindMismatch",
    arrow(int64, int64),
    expr.applyTypes(expr.value(world.id("id")), { kind: "nat", value: 1 }),
  ],
  ["one type argument too many", "ExpectedUniversalType", int64, expr.applyTypes(expr.value(world.id("id")), int64, int64)],
  [
    "a scale as type argument",
    "ok",
    arrow(type.numeric(7), type.numeric(7), type.numeric(7)),
    expr.applyTypes(expr.builtin("ADD_NUMERIC"), { kind: "nat", value: 7 }),
  ],
  ["a type where a scale belongs", "KindMismatch", int64, expr.applyTypes(expr.builtin("ADD_NUMERIC"), int64)],
  [
    "a polymorphic scale",
    "ok",
    polymorphic(nat, arrow(apply({ kind: "builtin", builtin: "NUMERIC" }, tvar("a")), int64)),
    abstraction(nat, expr.applyTypes(expr.builtin("NUMERIC_TO_INT64"), tvar("a"))),
  ],
  [
    "a kind that ends in nat",
    "NatKindRightOfArrow",
    int64,
    expr.applyTypes(abstraction({ kind: "arrow", param: nat, result: nat }, one), int64),
  ],
  ["a type variable that is not there", "UnknownTypeVar", arrow(int64, int64), given({ x: tvar("t") }, one)],
  ["a let", "ok", int64, expr.let([expr.bind("x", int64, one), expr.bind("y", int64, x)], expr.variable("y"))],
  ["a let that lies about its type", "TypeMismatch", text, expr.let([expr.bind("x", text, one)], x)],
  ["a let is not seen in its own value", "UnknownExprVar", int64, expr.let([expr.bind("x", int64, x)], x)],

  ["a record", "ok", pairType, aPair],
  [
    "a record whose fields are written in another order",
    "FieldMismatch",
    pairType,
    expr.record(pair, { second: hello, first: one }, int64, text),
  ],
  ["a record that lacks a field", "FieldMismatch", pairType, expr.record(pair, { first: one }, int64, text)],
  ["a record with a field of another type", "TypeMismatch", pairType, expr.record(pair, { first: one, second: one }, int64, text)],
  ["a record with too few type arguments", "TypeConAppWrongArity", pairType, expr.record(pair, { first: one, second: hello }, int64)],
  ["a variant built as a record", "ExpectedRecordType", pairType, expr.record(choice, {}, int64)],
  ["a field", "ok", text, expr.field(pair, "second", aPair, int64, text)],
  ["a field that is not there", "UnknownField", text, expr.field(pair, "third", aPair, int64, text)],
  ["a field of another record", "TypeMismatch", party, expr.field(view, "owner", aPair)],
  ["a field used as something else", "FieldTypeMismatch", int64, binary("ADD_INT64", one, expr.field(pair, "second", aPair, int64, text))],
  [
    "a changed field",
    "ok",
    pairType,
    { kind: "recUpd", type: { id: pair, args: [int64, text] }, field: "second", record: aPair, update: hello },
  ],
  [
    "a field changed to another type",
    "TypeMismatch",
    pairType,
    { kind: "recUpd", type: { id: pair, args: [int64, text] }, field: "second", record: aPair, update: one },
  ],
  ["a variant", "ok", type.con(choice, text), expr.variant(choice, "Right", hello, text)],
  ["a constructor that is not there", "UnknownVariantCon", type.con(choice, text), expr.variant(choice, "Middle", hello, text)],
  ["a record built as a variant", "ExpectedVariantType", pairType, expr.variant(pair, "first", one, int64, text)],
  ["an enumeration", "ok", type.con(color), expr.enum(color, "Red")],
  ["a color that is not there", "UnknownEnumCon", type.con(color), expr.enum(color, "Blue")],
  ["a variant built as an enumeration", "ExpectedEnumType", type.con(color), expr.enum(choice, "Left")],
  [
    "a struct, written in any order",
    "ok",
    struct,
    {
      kind: "structCon",
      fields: [
        { name: "b", expr: hello },
        { name: "a", expr: one },
      ],
    },
  ],
  [
    "a struct with a field twice",
    "DuplicateField",
    struct,
    {
      kind: "structCon",
      fields: [
        { name: "a", expr: one },
        { name: "a", expr: one },
      ],
    },
  ],
  ["a struct's field", "ok", arrow(struct, text), given({ x: struct }, { kind: "structProj", field: "b", struct: x })],
  [
    "a struct's field that is not there",
    "UnknownField",
    arrow(struct, text),
    given({ x: struct }, { kind: "structProj", field: "c", struct: x }),
  ],
  ["a struct's field of a record", "ExpectedStructType", text, { kind: "structProj", field: "second", struct: aPair }],
  [
    "a struct's changed field",
    "TypeMismatch",
    arrow(struct, struct),
    given({ x: struct }, { kind: "structUpd", field: "a", struct: x, update: hello }),
  ],
  ["a list", "ok", list(int64), expr.list(int64, one, one)],
  ["a list of two types", "TypeMismatch", list(int64), expr.list(int64, one, hello)],
  ["a cons without a front", "EmptyConsFront", list(int64), { kind: "cons", type: int64, front: [], tail: expr.list(int64) }],
  ["an optional", "ok", optional(int64), expr.some(int64, one)],
  ["an optional of something else", "TypeMismatch", optional(text), expr.some(text, one)],

  [
    "a case on a variant",
    "ok",
    arrow(type.con(choice, int64), int64),
    given(
      { x: type.con(choice, int64) },
      expr.match(
        x,
        { pattern: { kind: "variant", id: choice, constructor_: "Left", binder: "y" }, body: expr.variable("y") },
        { pattern: { kind: "variant", id: choice, constructor_: "Right", binder: "y" }, body: expr.variable("y") },
      ),
    ),
  ],
  [
    "a case that leaves out a constructor",
    "NonExhaustivePatterns",
    arrow(type.con(choice, int64), int64),
    given(
      { x: type.con(choice, int64) },
      expr.match(x, { pattern: { kind: "variant", id: choice, constructor_: "Left", binder: "y" }, body: one }),
    ),
  ],
  [
    "a case with a constructor that is not there",
    "UnknownVariantCon",
    arrow(type.con(choice, int64), int64),
    given(
      { x: type.con(choice, int64) },
      expr.match(
        x,
        { pattern: { kind: "variant", id: choice, constructor_: "Middle", binder: "y" }, body: one },
        { pattern: { kind: "default" }, body: one },
      ),
    ),
  ],
  [
    "a case on a color",
    "ok",
    arrow(type.con(color), int64),
    given(
      { x: type.con(color) },
      expr.match(
        x,
        { pattern: { kind: "enum", id: color, constructor_: "Green" }, body: one },
        { pattern: { kind: "enum", id: color, constructor_: "Red" }, body: one },
      ),
    ),
  ],
  [
    "a case with a pattern of another type",
    "PatternTypeMismatch",
    arrow(bool, int64),
    given({ x: bool }, expr.match(x, { pattern: { kind: "unit" }, body: one })),
  ],
  [
    "a case on Bool without False",
    "NonExhaustivePatterns",
    arrow(bool, int64),
    given({ x: bool }, expr.match(x, { pattern: { kind: "bool", value: true }, body: one })),
  ],
  [
    "a case on a list",
    "ok",
    arrow(list(int64), int64),
    given(
      { x: list(int64) },
      expr.match(x, { pattern: { kind: "nil" }, body: one }, { pattern: { kind: "cons", head: "h", tail: "t" }, body: expr.variable("h") }),
    ),
  ],
  [
    "a cons pattern with one name for both",
    "ClashingPatternVariables",
    arrow(list(int64), int64),
    given(
      { x: list(int64) },
      expr.match(x, { pattern: { kind: "nil" }, body: one }, { pattern: { kind: "cons", head: "h", tail: "h" }, body: one }),
    ),
  ],
  [
    "a case on an optional",
    "ok",
    arrow(optional(int64), int64),
    given(
      { x: optional(int64) },
      expr.match(x, { pattern: { kind: "none" }, body: one }, { pattern: { kind: "some", body: "y" }, body: expr.variable("y") }),
    ),
  ],
  [
    "alternatives of two types",
    "TypeMismatch",
    arrow(bool, int64),
    given({ x: bool }, expr.match(x, { pattern: { kind: "bool", value: true }, body: one }, { pattern: { kind: "default" }, body: hello })),
  ],
  ["a case on a number by default", "ok", int64, expr.match(one, { pattern: { kind: "default" }, body: one })],
  ["a case on a number by anything else", "PatternTypeMismatch", int64, expr.match(one, { pattern: { kind: "unit" }, body: one })],
  ["a case without alternatives", "EmptyCase", int64, expr.match(one)],

  ["an Any of a type constructor", "ok", type.any, { kind: "toAny", type: iouType, expr: expr.record(iou, { owner: anything(party) }) }],
  ["an Any of an applied type", "ExpectedAnyType", type.any, { kind: "toAny", type: pairType, expr: aPair }],
  ["an Any of a constructor that lacks arguments", "KindMismatch", type.any, { kind: "toAny", type: type.con(pair), expr: aPair }],
  [
    "a type representation of a builtin type",
    "ExpectedAnyType",
    { kind: "builtin", builtin: "TYPE_REP" },
    { kind: "typeRep", type: int64 },
  ],
  [
    "throwing an exception",
    "ok",
    int64,
    { kind: "throw", returnType: int64, exceptionType: type.con(failure), exception: expr.record(failure, { text: hello }) },
  ],
  [
    "throwing a record that is no exception",
    "UnknownDefinition",
    int64,
    { kind: "throw", returnType: int64, exceptionType: type.con(view), exception: aPair },
  ],
  ["throwing a number", "ExpectedExceptionType", int64, { kind: "throw", returnType: int64, exceptionType: int64, exception: one }],

  [
    "a template as its interface",
    "ok",
    arrow(iouType, assetType),
    given({ x: iouType }, { kind: "toInterface", interface: asset, template: iou, expr: x }),
  ],
  [
    "a template as an interface that it has no instance of",
    "UnknownDefinition",
    arrow(iouType, type.con(other)),
    given({ x: iouType }, { kind: "toInterface", interface: other, template: iou, expr: x }),
  ],
  [
    "a method",
    "ok",
    arrow(assetType, party),
    given({ x: assetType }, { kind: "callInterface", interface: asset, method: "owner", expr: x }),
  ],
  [
    "a method that is not there",
    "UnknownDefinition",
    arrow(assetType, party),
    given({ x: assetType }, { kind: "callInterface", interface: asset, method: "nope", expr: x }),
  ],
  [
    "a method of a template",
    "TypeMismatch",
    arrow(iouType, party),
    given({ x: iouType }, { kind: "callInterface", interface: asset, method: "owner", expr: x }),
  ],
  ["a view", "ok", arrow(assetType, type.con(view)), given({ x: assetType }, { kind: "viewInterface", interface: asset, expr: x })],
  [
    "an interface as one that it requires",
    "ok",
    arrow(type.con(other), assetType),
    given({ x: type.con(other) }, { kind: "toRequiredInterface", required: asset, requiring: other, expr: x }),
  ],
  [
    "an interface as one that it does not require",
    "WrongInterfaceRequirement",
    arrow(assetType, type.con(other)),
    given({ x: assetType }, { kind: "toRequiredInterface", required: other, requiring: asset, expr: x }),
  ],

  ["create", "ok", arrow(iouType, update(contractOf(iouType))), given({ x: iouType }, expr.create(iou, x))],
  ["create of a record", "UnknownDefinition", arrow(pairType, update(contractOf(pairType))), given({ x: pairType }, expr.create(pair, x))],
  [
    "create with an interface value",
    "TypeMismatch",
    arrow(assetType, update(contractOf(iouType))),
    given({ x: assetType }, expr.create(iou, x)),
  ],
  ["fetch", "ok", arrow(contractOf(iouType), update(iouType)), given({ x: contractOf(iouType) }, expr.fetch(iou, x))],
  [
    "fetch of a contract of the interface",
    "TypeMismatch",
    arrow(contractOf(assetType), update(iouType)),
    given({ x: contractOf(assetType) }, expr.fetch(iou, x)),
  ],
  [
    "exercise",
    "ok",
    arrow(contractOf(iouType), update(unit)),
    given({ x: contractOf(iouType) }, expr.exercise(iou, "Archive", x, expr.record(world.id("Archive"), {}))),
  ],
  [
    "exercise of a choice that is not there",
    "UnknownDefinition",
    arrow(contractOf(iouType), update(unit)),
    given({ x: contractOf(iouType) }, expr.exercise(iou, "Nope", x, expr.unit)),
  ],
  [
    "exercise with another argument",
    "TypeMismatch",
    arrow(contractOf(iouType), update(unit)),
    given({ x: contractOf(iouType) }, expr.exercise(iou, "Archive", x, expr.unit)),
  ],
  [
    "a block",
    "ok",
    update(type.timestamp),
    expr.block([expr.bind("t", type.timestamp, expr.update({ kind: "getTime" }))], expr.pure(type.timestamp, expr.variable("t"))),
  ],
  [
    "a block that binds what is no update",
    "TypeMismatch",
    update(int64),
    expr.block([expr.bind("t", int64, one)], expr.pure(int64, expr.variable("t"))),
  ],
  ["a block that ends in what is no update", "ExpectedUpdateType", update(int64), expr.block([], one)],
  [
    "a handler",
    "ok",
    update(int64),
    expr.update({ kind: "tryCatch", returnType: int64, body: expr.pure(int64, one), binder: "e", handler: expr.none(update(int64)) }),
  ],
  [
    "a handler of another type",
    "TypeMismatch",
    update(int64),
    expr.update({ kind: "tryCatch", returnType: int64, body: expr.pure(int64, one), binder: "e", handler: expr.none(update(text)) }),
  ],
  ["an update that is embedded", "ok", update(int64), embedded(int64)],
  ["an update that is embedded as one of another type", "TypeMismatch", update(text), embedded(text)],
  ["an update that is embedded as one of a type that there is not", "TypeMismatch", update(int64), embedded(type.variable("nope"))],
  ["an update that is embedded as one of what takes types", "TypeMismatch", update(int64), embedded({ kind: "builtin", builtin: "LIST" })],
  ["fetch by key without a key", "UnknownDefinition", update(int64), expr.update({ kind: "fetchByKey", template: iou })],
];

function embedded(as: Type): Expr {
  return expr.update({ kind: "embed", type: as, expr: expr.pure(int64, one) });
}

/** An error has every type. */
function anything(of: Type): Expr {
  return expr.apply(expr.applyTypes(expr.builtin("ERROR"), of), hello);
}

for (const [what, expected, of, body] of cases)
  test(`expressions: ${what}: ${expected}`, () => {
    assert.equal(verdictOn(of, body, world.module), expected);
  });
