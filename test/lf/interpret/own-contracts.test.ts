/** What is looked at again when a contract is used: nothing where the ledger made it itself, as the very template that uses it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import { decodePackage, stablePackages } from "../../../src/lf/archive/index.js";
import type { Expr } from "../../../src/lf/ast.js";
import { type Command, type ContractInstance, Engine, type InterpretResult, LedgerContract } from "../../../src/lf/index.js";
import { harnessSalt } from "../../golden/scenario-ledger.js";
import { submissionOf } from "./harness.js";
import { buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";

function items(version: string): ReturnType<typeof buildPackage> {
  const main = new ModuleBuilder("Main"),
    owned = (self: (field: string) => Expr): Expr[] => [self("owner")];
  const update = (): Expr => expr.pure(type.text, expr.text(version));
  main.template("Item", {
    fields: { owner: type.party },
    signatories: owned,
    choices: { Name: { fields: {}, returns: type.text, consuming: false, controllers: owned, update } },
  });
  return buildPackage({ name: "items", version, modules: [main] });
}

const first = items("1.0.0"),
  second = items("2.0.0");
const packages = new Map([...stablePackages(), first, second].map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
const engine = new Engine({ packages: { getPackage: (id) => packages.get(id) }, limits });
const template = { package: { name: "items" }, module: "Main", name: "Item" };

function submit(preferred: ReturnType<typeof buildPackage>, command: Command, stored?: LedgerContract): InterpretResult {
  return engine.interpret(submissionOf({ actAs: ["alice"], commands: [command], packagePreference: new Map([["items", preferred.id]]) }), {
    salt: harnessSalt,
    reader: { readContract: () => stored, readKey: () => [] },
  });
}

function created(): ContractInstance {
  const result = submit(first, { kind: "create", template, argument: { json: { owner: "alice" } } });
  assert.ok(!isFailure(result));
  return result.ok.created[0]!.instance;
}

/** The class of what is wrong with a use of it; undefined: nothing is. */
function useAs(version: ReturnType<typeof buildPackage>, contract: LedgerContract): unknown {
  const { contractId } = contract;
  const { error } = submit(version, { kind: "exercise", template, contractId, choice: "Name", argument: { json: {} } }, contract);
  return error?.phase === "interpretation" ? error.class : error;
}

test("contracts: one that the ledger made is taken as it was made; one that is brought, or used as another version, must match its id", () => {
  const instance = created(),
    { contractId } = instance,
    forged = { ...instance, contractId: contractId.slice(0, -1) + (contractId.endsWith("0") ? "1" : "0") };
  for (const isOwn of [true, false])
    for (const version of [first, second]) assert.equal(useAs(version, new LedgerContract(instance, isOwn)), undefined);
  const notAuthentic = "Upgrade.AuthenticationFailed";
  assert.deepEqual(
    [first, second].flatMap((version) => [true, false].map((isOwn) => useAs(version, new LedgerContract(forged, isOwn)))),
    [undefined, notAuthentic, notAuthentic, notAuthentic],
  );
});
