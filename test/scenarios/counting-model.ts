/**
 * What brings contracts of several synchronizers together, as a package `counting`: pieces of different owners that one counts, and notices
 * that are handed on.
 */
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";

const counting = new ModuleBuilder("Counting");
const id = (name: string): DefinitionId => counting.id(name);
const piece: Type = type.contractId(type.con(id("Piece")));
const done = expr.pure(type.unit, expr.unit);
const party =
  (name: string) =>
  (self: FieldOfThis): readonly Expr[] => [self(name)];

counting.template("Piece", {
  fields: { owner: type.party, counter: type.party },
  signatories: party("owner"),
  observers: party("counter"),
  choices: {
    Count: { fields: {}, returns: type.unit, consuming: false, controllers: party("counter"), update: () => done },
    Discard: { fields: {}, returns: type.unit, controllers: party("owner"), update: () => done },
  },
});

/** Each piece, after those before it. */
const countEach = (pieces: Expr): Expr =>
  expr.apply(
    expr.applyTypes(expr.builtin("FOLDL"), piece, type.update(type.unit)),
    expr.lambda(
      { before: type.update(type.unit), next: piece },
      expr.block(
        [expr.bind("counted", type.unit, expr.variable("before"))],
        expr.exercise(id("Piece"), "Count", expr.variable("next"), expr.record(id("Count"), {})),
      ),
    ),
    done,
    pieces,
  );
counting.template("Inventory", {
  fields: { counter: type.party, pieces: type.list(piece) },
  signatories: party("counter"),
  choices: {
    CountAll: {
      fields: {},
      returns: type.unit,
      consuming: false,
      controllers: party("counter"),
      update: (self) => countEach(self("pieces")),
    },
  },
});

counting.template("Notice", {
  fields: { author: type.party, reader: type.party },
  signatories: party("author"),
  observers: party("reader"),
  choices: {
    Forward: {
      fields: { newReader: type.party },
      returns: type.contractId(type.con(id("Notice"))),
      controllers: party("author"),
      update: (self, arg) => expr.create(id("Notice"), expr.record(id("Notice"), { author: self("author"), reader: arg("newReader") })),
    },
  },
});

export const countingDar = buildDar(buildPackage({ name: "counting", version: "1.0.0", modules: [counting] }));
/** Template names as commands take them. */
export const countingTemplate = (template: string): string => `#counting:Counting:${template}`;
