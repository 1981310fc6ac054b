/** A DAR with ten mistakes that are made again and again, its sources beside the package as a compiler puts them. */
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { readDar } from "../../src/lf/archive/index.js";
import { readZip } from "../../src/lf/archive/zip.js";
import { writeZip } from "../../src/lf/archive/zip-writer.js";
import { limits } from "../../src/config.js";
import { expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { type Rest, ScriptBuilder } from "../support/script-builder.js";

const moduleName = "Bank.Tests";

/** What the package says in Daml. */
export const source = `module Bank.Tests where

import Daml.Script
import DA.Assert

template Iou
  with
    issuer : Party
    owner : Party
    amount : Int
  where
    signatory issuer
    observer owner
    ensure amount > 0

    choice Transfer : ContractId Iou
      with newOwner : Party
      controller owner
      do create this with owner = newOwner

    choice Swap : ContractId Iou
      with with_ : Party
      controller owner
      do _ <- create this with amount = amount + 1
         create Iou with issuer = with_, owner, amount

    choice Repay : ()
      controller issuer
      do abort "the debt is not due before June"

    choice Renegotiate : ()
      controller issuer
      do try do create this with amount = 2 * amount
                throw Refused
         catch Refused -> pure ()

authority = script do
  alice <- allocateParty "alice"
  bob <- allocateParty "bob"
  submit alice do createCmd Iou with issuer = bob, owner = alice, amount = 10

authorityInChoice = script do
  (alice, bob, iou) <- debt
  carol <- allocateParty "carol"
  submit bob do exerciseCmd iou Swap with with_ = carol

spentTwice = script do
  (alice, bob, iou) <- debt
  submit bob do exerciseCmd iou Transfer with newOwner = alice
  submit bob do exerciseCmd iou Transfer with newOwner = bob

notSeen = script do
  (alice, bob, iou) <- debt
  carol <- allocateParty "carol"
  submit carol do exerciseCmd iou Transfer with newOwner = carol

precondition = script do
  alice <- allocateParty "alice"
  submit alice do createCmd Iou with issuer = alice, owner = alice, amount = 0

assertion = script do
  (alice, bob, iou) <- debt
  Some paid <- queryContractId bob iou
  paid.amount === 11

failsInChoice = script do
  (alice, bob, iou) <- debt
  submit alice do exerciseCmd iou Repay

expectedFailure = script do
  (alice, bob, iou) <- debt
  submitMustFail bob do exerciseCmd iou Transfer with newOwner = alice

neverAllocated = script do
  let Some dora = partyFromText "dora"
  submit dora do createCmd Iou with issuer = dora, owner = dora, amount = 1

rollsBack = script do
  (alice, bob, iou) <- debt
  submit alice do exerciseCmd iou Renegotiate

debt = do
  alice <- allocateParty "alice"
  bob <- allocateParty "bob"
  iou <- submit alice do createCmd Iou with issuer = alice, owner = bob, amount = 10
  pure (alice, bob, iou)
`;

type At = readonly [string, number];
/** The line of a text within the definition. */
function at(definition: string, text: string): At {
  const lines = source.split("\n"),
    start = lines.findIndex((line) => line.startsWith(`${definition} =`));
  const index = lines.findIndex((line, number) => number >= start && line.includes(text));
  if (start < 0 || index < 0) throw new Error(`no line of ${definition} has ${text}`);
  return [definition, index + 1];
}

export function buildMistakesDar(): Uint8Array {
  const module = new ModuleBuilder(moduleName),
    script = new ScriptBuilder(module),
    iou = ious(module);
  const { commands } = script;
  const owe = (issuer: Expr, owner: Expr, amount: bigint): Expr =>
    commands.create({ template: iou, argument: expr.record(iou, { issuer, owner, amount: expr.int64(amount) }) });
  const exercise = (contract: Expr, choice: string, given: Readonly<Record<string, Expr>> = {}): Expr => {
    const id = module.id(choice);
    return commands.exercise({ template: iou, contract, choice, argument: { type: type.con(id), expr: expr.record(id, given) } });
  };
  const end = (): Rest => script.end();
  const debt = (rest: (alice: Expr, bob: Expr, contract: Expr) => Rest): Rest =>
    script.allocate("alice", (alice) =>
      script.allocate("bob", (bob) =>
        script.submit(
          { actAs: [alice], commands: [owe(alice, bob, 10n)], at: at("debt", "createCmd") },
          (answer) => rest(alice, bob, script.firstCreated(answer)),
          script.submitAnswer,
        ),
      ),
    );

  script.define(
    "authority",
    script.allocate("alice", (alice) =>
      script.allocate("bob", (bob) =>
        script.submit({ actAs: [alice], commands: [owe(bob, alice, 10n)], at: at("authority", "createCmd") }, end),
      ),
    ),
  );
  script.define(
    "authorityInChoice",
    debt((_, bob, contract) =>
      script.allocate("carol", (carol) =>
        script.submit({ actAs: [bob], commands: [exercise(contract, "Swap", { with_: carol })], at: at("authorityInChoice", "Swap") }, end),
      ),
    ),
  );
  script.define(
    "spentTwice",
    debt((alice, bob, contract) =>
      script.submit(
        { actAs: [bob], commands: [exercise(contract, "Transfer", { newOwner: alice })], at: at("spentTwice", "newOwner = alice") },
        () =>
          script.submit(
            { actAs: [bob], commands: [exercise(contract, "Transfer", { newOwner: bob })], at: at("spentTwice", "newOwner = bob") },
            end,
          ),
      ),
    ),
  );
  script.define(
    "notSeen",
    debt((_, __, contract) =>
      script.allocate("carol", (carol) =>
        script.submit(
          { actAs: [carol], commands: [exercise(contract, "Transfer", { newOwner: carol })], at: at("notSeen", "exerciseCmd") },
          end,
        ),
      ),
    ),
  );
  script.define(
    "precondition",
    script.allocate("alice", (alice) =>
      script.submit({ actAs: [alice], commands: [owe(alice, alice, 0n)], at: at("precondition", "createCmd") }, end),
    ),
  );
  script.define(
    "assertion",
    debt((_, bob, contract) =>
      script.ask({ ...script.queryContract([bob], iou, contract), at: at("assertion", "queryContractId") }, () => script.error("10 /= 11")),
    ),
  );
  script.define(
    "failsInChoice",
    debt((alice, _, contract) =>
      script.submit({ actAs: [alice], commands: [exercise(contract, "Repay")], at: at("failsInChoice", "Repay") }, end),
    ),
  );
  script.define(
    "expectedFailure",
    debt((alice, bob, contract) =>
      script.submit(
        {
          actAs: [bob],
          commands: [exercise(contract, "Transfer", { newOwner: alice })],
          behaviour: "MustFail",
          at: at("expectedFailure", "submitMustFail"),
        },
        end,
      ),
    ),
  );
  const dora: Expr = expr.match(
    expr.apply(expr.builtin("TEXT_TO_PARTY"), expr.text("dora")),
    { pattern: { kind: "some", body: "party" }, body: expr.variable("party") },
    { pattern: { kind: "default" }, body: expr.apply(expr.applyTypes(expr.builtin("ERROR"), type.party), expr.text("no party")) },
  );
  script.define(
    "neverAllocated",
    script.submit({ actAs: [dora], commands: [owe(dora, dora, 1n)], at: at("neverAllocated", "createCmd") }, end),
  );
  script.define(
    "rollsBack",
    debt((alice, _, contract) =>
      script.submit({ actAs: [alice], commands: [exercise(contract, "Renegotiate")], at: at("rollsBack", "Renegotiate") }, end),
    ),
  );
  return withSource(script.buildDar("bank-tests", [module]));
}

function ious(module: ModuleBuilder): DefinitionId {
  const iou = module.id("Iou"),
    created: Type = type.contractId(type.con(iou)),
    refused = module.exception("Refused", {}, () => expr.text("refused"));
  const unitUpdate = type.update(type.unit),
    done = expr.pure(type.unit, expr.unit);
  const twice = (field: (name: string) => Expr): Expr =>
    expr.create(
      iou,
      expr.record(iou, {
        issuer: field("issuer"),
        owner: field("owner"),
        amount: expr.apply(expr.builtin("MUL_INT64"), expr.int64(2n), field("amount")),
      }),
    );
  return module.template("Iou", {
    fields: { issuer: type.party, owner: type.party, amount: type.int64 },
    signatories: (self) => [self("issuer")],
    observers: (self) => [self("owner")],
    precondition: (self) => expr.apply(expr.applyTypes(expr.builtin("GREATER"), type.int64), self("amount"), expr.int64(0n)),
    choices: {
      Transfer: {
        fields: { newOwner: type.party },
        returns: created,
        controllers: (self) => [self("owner")],
        update: (self, arg) =>
          expr.create(iou, expr.record(iou, { issuer: self("issuer"), owner: arg("newOwner"), amount: self("amount") })),
      },
      Swap: {
        fields: { with_: type.party },
        returns: created,
        controllers: (self) => [self("owner")],
        update: (self, arg) =>
          expr.block(
            [
              expr.bind(
                "more",
                created,
                expr.create(
                  iou,
                  expr.record(iou, {
                    issuer: self("issuer"),
                    owner: self("owner"),
                    amount: expr.apply(expr.builtin("ADD_INT64"), self("amount"), expr.int64(1n)),
                  }),
                ),
              ),
            ],
            expr.create(iou, expr.record(iou, { issuer: arg("with_"), owner: self("owner"), amount: self("amount") })),
          ),
      },
      Repay: {
        fields: {},
        returns: type.unit,
        controllers: (self) => [self("issuer")],
        update: () => expr.apply(expr.applyTypes(expr.builtin("ERROR"), unitUpdate), expr.text("the debt is not due before June")),
      },
      Renegotiate: {
        fields: {},
        returns: type.unit,
        controllers: (self) => [self("issuer")],
        update: (self) =>
          expr.update({
            kind: "tryCatch",
            returnType: type.unit,
            binder: "caught",
            handler: expr.some(unitUpdate, done),
            body: expr.block([expr.bind("made", created, twice(self))], {
              kind: "throw",
              returnType: unitUpdate,
              exceptionType: type.con(refused),
              exception: expr.record(refused, {}),
            }),
          }),
      },
    },
  });
}

function withSource(dar: Uint8Array): Uint8Array {
  const { main } = readDar(dar, limits).ok!,
    path = `bank-tests-1.0.0-${main}/${moduleName.replaceAll(".", "/")}.daml`;
  return writeZip(new Map([...readZip(dar, limits), [path, Buffer.from(source)]]));
}
