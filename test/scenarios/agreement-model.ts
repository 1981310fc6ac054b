/**
 * What several agree to, as a package `agreements`: payouts that change hands, proposals that need three, offers that are taken or
 * countered, who of two is told, and effects that are rolled back.
 */
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";

const agreements = new ModuleBuilder("Agreements");
const id = (name: string): DefinitionId => agreements.id(name);
const contractOf = (template: string): Type => type.contractId(type.con(id(template)));
const argumentOf = (choice: string, fields: Readonly<Record<string, Expr>> = {}): Expr => expr.record(id(choice), fields);
const parties =
  (...names: string[]) =>
  (self: FieldOfThis): readonly Expr[] =>
    names.map(self);
const done = expr.pure(type.unit, expr.unit);
const made = (template: string, fields: Readonly<Record<string, Expr>>): Expr =>
  expr.create(id(template), expr.record(id(template), fields));
const either = (condition: Expr, yes: Expr, no: Expr): Expr =>
  expr.match(condition, { pattern: { kind: "bool", value: true }, body: yes }, { pattern: { kind: "default" }, body: no });
const isSame = (left: Expr, right: Expr): Expr => expr.apply(expr.applyTypes(expr.builtin("EQUAL"), type.party), left, right);
/** Fails unless the two are one. */
const asserted = (name: string, left: Expr, right: Expr) =>
  expr.bind(
    name,
    type.int64,
    expr.pure(
      type.int64,
      expr.apply(expr.builtin("DIV_INT64"), expr.int64(1n), either(isSame(left, right), expr.int64(1n), expr.int64(0n))),
    ),
  );

agreements.template("Payout", {
  fields: { giver: type.party, receiver: type.party },
  signatories: parties("giver"),
  observers: parties("receiver"),
  choices: {
    Hand: {
      fields: { newReceiver: type.party },
      returns: contractOf("Payout"),
      controllers: parties("receiver"),
      update: (self, arg) => made("Payout", { giver: self("giver"), receiver: arg("newReceiver") }),
    },
    Ask: { fields: {}, returns: type.unit, consuming: false, controllers: parties("receiver"), update: () => done },
  },
});

const three = { operator: type.party, receiver: type.party, giver: type.party };
agreements.template("TriAgreement", { fields: three, signatories: parties("operator", "receiver", "giver") });
agreements.template("TriProposal", {
  fields: three,
  signatories: parties("operator"),
  observers: parties("receiver", "giver"),
  choices: {
    AgreeAll: {
      fields: {},
      returns: contractOf("TriAgreement"),
      controllers: parties("receiver", "giver"),
      update: (self) => made("TriAgreement", { operator: self("operator"), receiver: self("receiver"), giver: self("giver") }),
    },
  },
});
agreements.template("AgreementOffer", {
  fields: { receiver: type.party, giver: type.party },
  signatories: parties("giver"),
  observers: parties("receiver"),
  choices: {
    TakeOn: {
      fields: {},
      returns: contractOf("Agreement"),
      controllers: parties("receiver"),
      update: (self) => made("Agreement", { receiver: self("receiver"), giver: self("giver") }),
    },
  },
});
const proposed = (field: string): Expr => expr.field(id("TriProposal"), field, expr.variable("proposal"));
agreements.template("Agreement", {
  fields: { receiver: type.party, giver: type.party },
  signatories: parties("receiver", "giver"),
  choices: {
    /** With the authority of both, of a proposal to both. */
    AgreeTo: {
      fields: { triProposal: contractOf("TriProposal") },
      returns: contractOf("TriAgreement"),
      consuming: false,
      controllers: parties("giver"),
      update: (self, arg) =>
        expr.block(
          [
            expr.bind("proposal", type.con(id("TriProposal")), expr.fetch(id("TriProposal"), arg("triProposal"))),
            asserted("sameReceiver", proposed("receiver"), self("receiver")),
            asserted("sameGiver", proposed("giver"), self("giver")),
          ],
          expr.exercise(id("TriProposal"), "AgreeAll", arg("triProposal"), argumentOf("AgreeAll")),
        ),
    },
  },
});

agreements.template("BranchingObserver", {
  fields: { giver: type.party, firstIsTold: type.bool, first: type.party, second: type.party },
  signatories: parties("giver"),
  observers: (self) => [either(self("firstIsTold"), self("first"), self("second"))],
});
agreements.template("BranchingSignatory", {
  fields: { firstSigns: type.bool, first: type.party, second: type.party },
  signatories: (self) => [either(self("firstSigns"), self("first"), self("second"))],
});

agreements.template("Iou", {
  fields: { payer: type.party, owner: type.party, amount: type.int64 },
  signatories: parties("payer"),
  observers: parties("owner"),
  choices: {
    Pay: {
      fields: { newOwner: type.party },
      returns: contractOf("Iou"),
      controllers: parties("owner"),
      update: (self, arg) => made("Iou", { payer: self("payer"), owner: arg("newOwner"), amount: self("amount") }),
    },
    PayTwice: {
      fields: { first: type.party, second: type.party },
      returns: contractOf("Iou"),
      consuming: false,
      controllers: parties("owner"),
      update: (_, arg) => {
        const pay = (newOwner: Expr): Expr => expr.exercise(id("Iou"), "Pay", expr.variable("self"), argumentOf("Pay", { newOwner }));
        return expr.block([expr.bind("once", contractOf("Iou"), pay(arg("first")))], pay(arg("second")));
      },
    },
  },
});
agreements.template("Job", {
  fields: { painter: type.party, owner: type.party },
  signatories: parties("painter", "owner"),
});
const jobFor = (self: FieldOfThis): Expr => made("Job", { painter: self("painter"), owner: self("owner") });
agreements.template("JobOffer", {
  fields: { painter: type.party, owner: type.party },
  signatories: parties("painter"),
  observers: parties("owner"),
  choices: {
    AcceptOffer: {
      fields: { iou: contractOf("Iou") },
      returns: contractOf("Job"),
      controllers: parties("owner"),
      update: (self, arg) =>
        expr.block(
          [
            expr.bind(
              "paid",
              contractOf("Iou"),
              expr.exercise(id("Iou"), "Pay", arg("iou"), argumentOf("Pay", { newOwner: self("painter") })),
            ),
          ],
          jobFor(self),
        ),
    },
    CounterOffer: {
      fields: { amount: type.int64 },
      returns: contractOf("JobCounter"),
      controllers: parties("owner"),
      update: (self, arg) => made("JobCounter", { painter: self("painter"), owner: self("owner"), amount: arg("amount") }),
    },
  },
});
agreements.template("JobCounter", {
  fields: { painter: type.party, owner: type.party, amount: type.int64 },
  signatories: parties("owner"),
  observers: parties("painter"),
  choices: { AcceptCounter: { fields: {}, returns: contractOf("Job"), controllers: parties("painter"), update: jobFor } },
});

const fetches = (what: string) => ({
  fields: { of: contractOf(what) },
  returns: type.con(id(what)),
  consuming: false,
  controllers: parties("who"),
  update: (_: FieldOfThis, arg: FieldOfThis) => expr.fetch(id(what), arg("of")),
});
/** Looks at what it is told of with its own authority. */
agreements.template("Looker", {
  fields: { who: type.party },
  signatories: parties("who"),
  choices: { LookAtIou: fetches("Iou"), LookAtOffer: fetches("JobOffer"), LookAtJob: fetches("Job") },
});

/** Two are told when it rings. */
agreements.template("Bell", {
  fields: { owner: type.party, first: type.party, second: type.party },
  signatories: parties("owner"),
  choices: {
    Ring: {
      fields: {},
      returns: type.unit,
      consuming: false,
      controllers: parties("owner"),
      observers: parties("first", "second"),
      update: () => done,
    },
  },
});
const silence = agreements.exception("Silence", {}, () => expr.text("silence"));
const ring = (bell: Expr): Expr => expr.exercise(id("Bell"), "Ring", bell, argumentOf("Ring"));
const silenced = (name: string, bell: Expr) =>
  expr.bind(
    name,
    type.unit,
    expr.update({
      kind: "tryCatch",
      returnType: type.unit,
      body: expr.block([expr.bind(`${name}Rung`, type.unit, ring(bell))], {
        kind: "throw",
        returnType: type.update(type.unit),
        exceptionType: type.con(silence),
        exception: expr.record(silence, {}),
      }),
      binder: "error",
      handler: expr.some(type.update(type.unit), done),
    }),
  );
const bell = contractOf("Bell");
agreements.template("Ringer", {
  fields: { owner: type.party },
  signatories: parties("owner"),
  choices: {
    /** Of the three the second alone was rung in the end. */
    RingSecond: {
      fields: { first: bell, second: bell, third: bell },
      returns: type.unit,
      consuming: false,
      controllers: parties("owner"),
      update: (_, arg) =>
        expr.block(
          [silenced("before", arg("first")), expr.bind("rung", type.unit, ring(arg("second"))), silenced("after", arg("third"))],
          done,
        ),
    },
  },
});

export const agreementsDar = buildDar(buildPackage({ name: "agreements", version: "1.0.0", modules: [agreements] }));
/** Template names as commands take them. */
export const agreementTemplate = (template: string): string => `#agreements:Agreements:${template}`;
