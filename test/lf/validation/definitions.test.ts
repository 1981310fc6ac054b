import assert from "node:assert/strict";
import { test } from "node:test";
import type { DefTypeSyn, Kind, Module, Type } from "../../../src/lf/ast.js";
import { expr, type } from "../../support/lf-builder-notation.js";
import { ModuleBuilder } from "../../support/lf-builder.js";
import { packageOf, problemOf, verdict, verdictOn } from "./subject.js";

const { int64, text, party, unit, arrow, list, variable: tvar } = type;
const star: Kind = { kind: "star" };
const unary: Kind = { kind: "arrow", param: star, result: star };
const moduleOf = (define: (module: ModuleBuilder) => void, name = "M"): ModuleBuilder => {
  const module = new ModuleBuilder(name);
  define(module);
  return module;
};
const withSynonyms = (...synonyms: readonly DefTypeSyn[]): Module => ({
  ...new ModuleBuilder("M").module,
  synonyms: new Map(synonyms.map((synonym) => [synonym.name, synonym])),
});
const synonym = (name: string, of: Type, ...params: readonly string[]): DefTypeSyn => ({
  name,
  params: params.map((param) => ({ name: param, kind: star })),
  type: of,
});
const use = (name: string, ...args: readonly Type[]): Type => ({ kind: "syn", id: new ModuleBuilder("M").id(name), args });

test("names: case does not tell names apart, except of values", () => {
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.record("Ab", {});
        m.record("aB", {});
      }),
    ),
    "Collision",
  );
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.record("R", { ab: int64, AB: int64 });
      }),
    ),
    "Collision",
  );
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.variant("V", { A: int64, a: int64 });
      }),
    ),
    "Collision",
  );
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.value("f", int64, expr.int64(1n));
        m.value("F", int64, expr.int64(1n));
      }),
    ),
    "ok",
  );
  assert.equal(verdict(new ModuleBuilder("A.B"), new ModuleBuilder("a.b")), "Collision");
});

test("names: a module and a definition, a choice and a field meet in full names", () => {
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.record("B", {});
      }, "A"),
      new ModuleBuilder("A.B"),
    ),
    "Collision",
  );
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.template("T", {
          fields: { archive: party },
          signatories: (self) => [self("archive")],
          choices: {
            Archive: { fields: {}, returns: unit, controllers: (self) => [self("archive")], update: () => expr.pure(unit, expr.unit) },
          },
        });
      }),
    ),
    "Collision",
  );
});

test("names: the record of a variant's constructor may have its name, in this spelling only", () => {
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.variant("V", { C: unit });
        m.record("V.C", {});
      }),
    ),
    "ok",
  );
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.variant("V", { C: unit });
        m.record("V.c", {});
      }),
    ),
    "Collision",
  );
});

test("recursion: modules in a circle are refused, types and values in a circle are not", () => {
  const refersTo = (name: string, other: string): ModuleBuilder =>
    moduleOf((m) => {
      m.value("f", int64, expr.value({ packageId: "self", module: other, name: "f" }));
    }, name);
  assert.equal(verdict(refersTo("A", "B"), refersTo("B", "C"), refersTo("C", "A")), "ImportCycle");
  assert.equal(verdict(refersTo("A", "B"), refersTo("B", "B")), "ok");
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.record("Tree", { children: list(type.con(m.id("Tree"))) });
      }),
    ),
    "ok",
  );
});

test("synonyms: circles, wrong arguments and higher kinds are refused", () => {
  assert.equal(verdict(withSynonyms(synonym("A", use("B")), synonym("B", list(use("A"))))), "TypeSynCycle");
  assert.equal(verdict(withSynonyms(synonym("A", use("B")), synonym("B", int64))), "ok");
  assert.equal(verdict(withSynonyms(synonym("A", use("B", int64)), synonym("B", int64))), "TypeSynAppWrongArity");
  assert.equal(verdict(withSynonyms(synonym("A", { kind: "builtin", builtin: "LIST" }))), "KindMismatch");
  assert.equal(verdict(withSynonyms(synonym("A", tvar("a"), "a", "a"))), "DuplicateTypeParam");
});

test("synonyms: they are what they stand for, wherever types are compared or taken apart", () => {
  const module = withSynonyms(
    synonym("Number", int64),
    synonym("To", arrow(tvar("a"), int64), "a"),
    synonym("Poly", type.forall("a", arrow(tvar("a"), tvar("a")))),
  );
  assert.equal(verdictOn(use("Number"), expr.int64(1n), module), "ok");
  assert.equal(verdictOn(use("Number"), expr.text(""), module), "TypeMismatch");
  assert.equal(
    verdictOn(arrow(use("To", text), int64), expr.lambda({ f: use("To", text) }, expr.apply(expr.variable("f"), expr.text(""))), module),
    "ok",
  );
  assert.equal(
    verdictOn(
      arrow(use("Poly"), int64),
      expr.lambda({ f: use("Poly") }, expr.apply(expr.applyTypes(expr.variable("f"), int64), expr.int64(1n))),
      module,
    ),
    "ok",
  );
});

test("data types: kinds, parameters and constructors", () => {
  const higher = (body: Type): Module => ({
    ...new ModuleBuilder("M").module,
    dataTypes: new Map([
      [
        "R",
        {
          name: "R",
          params: [{ name: "f", kind: unary }],
          serializable: false,
          cons: { kind: "record", fields: [{ name: "x", type: body }] },
        },
      ],
    ]),
  });
  assert.equal(verdict(higher({ kind: "app", fun: tvar("f"), arg: int64 })), "ok");
  assert.equal(verdict(higher(tvar("f"))), "KindMismatch");
  assert.equal(verdict(higher({ kind: "app", fun: int64, arg: int64 })), "ExpectedHigherKind");
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.record("R", { x: tvar("a") }, ["a", "a"]);
      }),
    ),
    "DuplicateTypeParam",
  );
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.dataType("I", { kind: "interface" }, [], false);
      }),
    ),
    "UnknownDefinition",
  );
});

test("serializability: what a stored type may hold", () => {
  const holding = (field: Type): string =>
    verdict(
      moduleOf((m) => {
        m.record("R", { x: field });
      }),
    );
  for (const fine of [
    int64,
    text,
    party,
    type.numeric(10),
    list(int64),
    type.optional(text),
    type.textMap(party),
    type.genMap(int64, text),
    type.contractId(arrow(int64, int64)),
    { kind: "builtin", builtin: "ANY_EXCEPTION" } as const,
  ])
    assert.equal(holding(fine), "ok");
  const struct: Type = { kind: "struct", fields: [{ name: "a", type: int64 }] };
  for (const wrong of [
    arrow(int64, int64),
    type.update(unit),
    type.any,
    { kind: "builtin", builtin: "TYPE_REP" } as const,
    struct,
    type.forall("a", tvar("a")),
    type.genMap(type.any, text),
    list(type.any),
  ])
    assert.equal(holding(wrong), "ExpectedSerializableType");
});

test("templates: each expression has its type, and what is stored is serializable", () => {
  const template = (changes: { readonly precondition?: "number"; readonly returns?: Type }): string =>
    verdict(
      moduleOf((m) => {
        m.template("T", {
          fields: { owner: party },
          signatories: (self) => [self("owner")],
          ...(changes.precondition === undefined ? {} : { precondition: () => expr.int64(1n) }),
          choices: {
            Go: {
              fields: {},
              returns: changes.returns ?? unit,
              controllers: (self) => [self("owner")],
              update: () => expr.pure(unit, expr.unit),
            },
          },
        });
      }),
    );
  assert.equal(template({}), "ok");
  assert.equal(template({ precondition: "number" }), "TypeMismatch");
  assert.equal(template({ returns: int64 }), "TypeMismatch");
});

test("interfaces: a circle of requirements, one that is not closed, and one without its data type", () => {
  const view = (m: ModuleBuilder): Type => type.con(m.record("View", { owner: party }));
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.interface("I", { view: view(m), requires: [m.id("I")] });
      }),
    ),
    "CircularInterfaceRequires",
  );
  const chain = (closed: boolean): string =>
    verdict(
      moduleOf((m) => {
        const viewType = view(m);
        const a = m.interface("A", { view: viewType });
        const b = m.interface("B", { view: viewType, requires: [a] });
        m.interface("C", { view: viewType, requires: closed ? [a, b] : [b] });
      }),
    );
  assert.equal(chain(true), "ok");
  assert.equal(chain(false), "NotClosedInterfaceRequires");
  assert.equal(
    verdict(
      moduleOf((m) => {
        m.interface("I", { view: view(m) });
        m.record("I", { x: int64 });
      }),
    ),
    "ExpectedInterfaceType",
  );
});

test("interfaces: of the instances of a template the last is looked at first", () => {
  const instances = (right: string): string =>
    verdict(
      moduleOf((m) => {
        const view = m.record("View", { owner: party }),
          ids = ["A", "B"].map((name) => m.interface(name, { view: type.con(view), methods: { number: int64 } }));
        m.template("T", {
          fields: { owner: party },
          signatories: (self) => [self("owner")],
          implements: ids.map((id) => ({
            interface: id,
            methods: new Map([["number", id.name === right ? expr.int64(1n) : expr.text("")]]),
            view: id.name === right ? expr.unit : expr.record(view, { owner: expr.field(m.id("T"), "owner", expr.variable("this")) }),
          })),
        });
      }),
    );
  assert.equal(instances("A"), "MethodTypeMismatch");
  assert.equal(instances("B"), "ViewTypeMismatch");
});

test("interfaces: a view is a record type without parameters", () => {
  const viewed = (define: (m: ModuleBuilder) => Type): string =>
    verdict(
      moduleOf((m) => {
        m.interface("I", { view: define(m) });
      }),
    );
  assert.equal(
    viewed(() => int64),
    "ViewTypeHeadNotCon",
  );
  assert.equal(
    viewed((m) => type.con(m.record("V", { x: tvar("a") }, ["a"]), int64)),
    "ViewTypeHasVars",
  );
  assert.equal(
    viewed((m) => type.con(m.enum("E", ["A"]))),
    "ViewTypeConNotRecord",
  );
});

test("dependencies: a package may not depend on one of a newer language version", () => {
  const newer = { ...packageOf([], "2.2"), id: "newer" };
  const older = { ...packageOf([], "2.1"), directDependencies: new Set(["newer"]) };
  assert.equal(problemOf(older, [newer])?.rule, "ModuleVersionDependencies");
  assert.equal(problemOf({ ...older, lfVersion: "2.2" }, [newer]), undefined);
  assert.equal(problemOf(older)?.rule, "UnknownDefinition");
});
