/**
 * The templates that the stories about visibility, authority and contention are told with, as a package `story`:
 * cash that moves in a trade, notes that are shown to others, delegations to use them, and an agreement of several.
 */
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";

const story = new ModuleBuilder("Story");
const id = (name: string): DefinitionId => story.id(name);
const contractOf = (template: string): Type => type.contractId(type.con(id(template)));
const argumentOf = (choice: string, fields: Readonly<Record<string, Expr>> = {}): Expr => expr.record(id(choice), fields);
const parties =
  (...names: string[]) =>
  (self: FieldOfThis): readonly Expr[] =>
    names.map(self);
const done = expr.pure(type.unit, expr.unit);

const nonConsuming = (
  controller: string,
  fields: Readonly<Record<string, Type>>,
  returns: Type,
  update: (self: FieldOfThis, arg: FieldOfThis) => Expr,
) => ({ fields, returns, consuming: false, controllers: parties(controller), update });

story.template("Cash", {
  fields: { bank: type.party, owner: type.party, amount: type.int64 },
  signatories: parties("bank", "owner"),
  choices: {
    Offer: {
      fields: { newOwner: type.party },
      returns: contractOf("CashOffer"),
      controllers: parties("owner"),
      update: (self, arg) =>
        expr.create(
          id("CashOffer"),
          expr.record(id("CashOffer"), { bank: self("bank"), owner: self("owner"), newOwner: arg("newOwner"), amount: self("amount") }),
        ),
    },
    Look: nonConsuming("owner", {}, type.int64, (self) => expr.pure(type.int64, self("amount"))),
  },
});

story.template("CashOffer", {
  fields: { bank: type.party, owner: type.party, newOwner: type.party, amount: type.int64 },
  signatories: parties("bank", "owner"),
  observers: parties("newOwner"),
  choices: {
    Take: {
      fields: {},
      returns: contractOf("Cash"),
      controllers: parties("newOwner"),
      update: (self) =>
        expr.create(id("Cash"), expr.record(id("Cash"), { bank: self("bank"), owner: self("newOwner"), amount: self("amount") })),
    },
  },
});

const handOver = (name: string, cash: Expr, newOwner: Expr, then: Expr): Expr =>
  expr.block(
    [
      expr.bind(`${name}Offer`, contractOf("CashOffer"), expr.exercise(id("Cash"), "Offer", cash, argumentOf("Offer", { newOwner }))),
      expr.bind(
        `${name}Taken`,
        contractOf("Cash"),
        expr.exercise(id("CashOffer"), "Take", expr.variable(`${name}Offer`), argumentOf("Take")),
      ),
    ],
    then,
  );

/** The maker's cash against the taker's, in one transaction. */
story.template("Trade", {
  fields: { maker: type.party, taker: type.party, makerCash: contractOf("Cash") },
  signatories: parties("maker"),
  observers: parties("taker"),
  choices: {
    Settle: {
      fields: { takerCash: contractOf("Cash") },
      returns: type.unit,
      controllers: parties("taker"),
      update: (self, arg) => handOver("first", self("makerCash"), self("taker"), handOver("second", arg("takerCash"), self("maker"), done)),
    },
  },
});

story.template("Note", {
  fields: { owner: type.party, reader: type.party, text: type.text },
  signatories: parties("owner"),
  observers: parties("reader"),
  choices: {
    Touch: nonConsuming("owner", {}, type.text, (self) => expr.pure(type.text, self("text"))),
    Discard: { fields: {}, returns: type.unit, controllers: parties("owner"), update: () => done },
    Read: nonConsuming("reader", {}, type.text, (self) => expr.pure(type.text, self("text"))),
    TakeAway: { fields: {}, returns: type.unit, controllers: parties("reader"), update: () => done },
  },
});

const noteChoice = (update: (note: Expr) => Expr, returns: Type) =>
  nonConsuming("delegate", { note: contractOf("Note") }, returns, (_, arg) => update(arg("note")));

/** The delegate may do with the owner's notes what the owner may. */
story.template("Delegation", {
  fields: { owner: type.party, delegate: type.party },
  signatories: parties("owner"),
  observers: parties("delegate"),
  choices: {
    FetchNote: noteChoice((note) => expr.fetch(id("Note"), note), type.con(id("Note"))),
    TouchNote: noteChoice((note) => expr.exercise(id("Note"), "Touch", note, argumentOf("Touch")), type.text),
    DiscardNote: noteChoice((note) => expr.exercise(id("Note"), "Discard", note, argumentOf("Discard")), type.unit),
    DiscardTwice: noteChoice(
      (note) =>
        expr.block(
          [expr.bind("once", type.unit, expr.exercise(id("Note"), "Discard", note, argumentOf("Discard")))],
          expr.exercise(id("Note"), "Discard", note, argumentOf("Discard")),
        ),
      type.unit,
    ),
    WriteNote: nonConsuming("delegate", { reader: type.party, text: type.text }, contractOf("Note"), (self, arg) =>
      expr.create(id("Note"), expr.record(id("Note"), { owner: self("owner"), reader: arg("reader"), text: arg("text") })),
    ),
    WriteAndDiscard: nonConsuming("delegate", { text: type.text }, type.unit, (self, arg) =>
      expr.block(
        [
          expr.bind(
            "written",
            contractOf("Note"),
            expr.create(id("Note"), expr.record(id("Note"), { owner: self("owner"), reader: self("owner"), text: arg("text") })),
          ),
        ],
        expr.exercise(id("Note"), "Discard", expr.variable("written"), argumentOf("Discard")),
      ),
    ),
  },
});

/** Uses what he is told of, with no authority but his own. */
story.template("Stranger", {
  fields: { who: type.party },
  signatories: parties("who"),
  choices: {
    PeekAt: nonConsuming("who", { note: contractOf("Note") }, type.con(id("Note")), (_, arg) => expr.fetch(id("Note"), arg("note"))),
  },
});

const either = (condition: Expr, yes: Expr, no: Expr): Expr =>
  expr.match(condition, { pattern: { kind: "bool", value: true }, body: yes }, { pattern: { kind: "default" }, body: no });

story.template("Branch", {
  fields: { firstSigns: type.bool, first: type.party, second: type.party },
  signatories: (self) => [either(self("firstSigns"), self("first"), self("second"))],
});

const isSame = (left: Expr, right: Expr): Expr => expr.apply(expr.applyTypes(expr.builtin("EQUAL"), type.party), left, right);

/** Needs both at once. */
story.template("Pact", {
  fields: { host: type.party, first: type.party, second: type.party },
  signatories: parties("host"),
  observers: parties("first", "second"),
  choices: {
    Seal: { fields: {}, returns: type.unit, controllers: parties("first", "second"), update: () => done },
    /** Lets whoever is named act beside the first, and then fails unless it is the second. */
    SealWith: {
      fields: { by: type.party },
      returns: type.unit,
      controllers: (self) => [self("first"), expr.field(id("SealWith"), "by", expr.variable("arg"))],
      update: (self, arg) =>
        expr.let(
          [
            expr.bind(
              "checked",
              type.int64,
              expr.apply(
                expr.builtin("DIV_INT64"),
                expr.int64(1n),
                either(isSame(arg("by"), self("second")), expr.int64(1n), expr.int64(0n)),
              ),
            ),
          ],
          done,
        ),
    },
  },
});

export const storyOfVersion = (version: string): Uint8Array => buildDar(buildPackage({ name: "story", version, modules: [story] }));
export const storyDar = storyOfVersion("1.0.0");
/** Template names as commands take them. */
export const storyTemplate = (name: string): string => `#story:Story:${name}`;
