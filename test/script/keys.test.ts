import assert from "node:assert/strict";
import { test } from "node:test";
import { AnyValue, ContractId, none, type Some, type Value } from "../../src/lf/running-code.js";
import { list, templateRep, tuple, typeOf } from "../../src/script/values.js";
import {
  create,
  createdBy,
  elements,
  errorOf,
  exerciseByKey,
  keyedId,
  party,
  parts,
  resultsOf,
  scriptSubject,
  stopOf,
  submit,
} from "./harness.js";

const Acc = keyedId("Acc");
const account = (owner: string, k: number, note: string): Value => create(Acc, owner, k, note, list([]));
const idOf = (pair: Value): string => (parts(pair)[0] as ContractId).hex;

test("script keys: contracts are found by key, the newest first, in every version of the question", async () => {
  const { ask } = scriptSubject(),
    alice = await party(ask, "alice"),
    bob = await party(ask, "bob");
  const ids: string[] = [];
  for (const note of ["first", "second"])
    ids.unshift(createdBy(await submit(ask, { actAs: [alice], commands: [account(alice, 1, note)] })));
  const key = tuple(alice, 1),
    ofLibrary = tuple(key, templateRep(Acc)),
    ofStdlib = tuple(new AnyValue(typeOf(keyedId("K")), key), templateRep(Acc));
  for (const [name, version, given] of [
    ["QueryContractKey", 1, ofStdlib],
    ["QueryByKey", 1, ofStdlib],
    ["QueryByKey", 2, ofLibrary],
  ] as const) {
    const found = (await ask(name, [list([alice]), templateRep(Acc), given], version)) as Some;
    assert.equal(idOf(found.value), ids[0], `${name} ${version}`);
  }
  const all = elements(await ask("QueryNByKey", [list([alice]), templateRep(Acc), ofLibrary, 9_223_372_036_854_775_807n]));
  assert.deepEqual(all.map(idOf), ids);
  assert.equal(await ask("QueryByKey", [list([bob]), templateRep(Acc), ofLibrary], 2), none);
});

test("script keys: a contract that is not seen counts towards the limit of a query", async () => {
  const { ask } = scriptSubject(),
    alice = await party(ask, "alice"),
    bob = await party(ask, "bob");
  for (const observers of [[bob], []]) await submit(ask, { actAs: [alice], commands: [create(Acc, alice, 1, "", list(observers))] });
  const key = tuple(tuple(alice, 1), templateRep(Acc));
  const found = async (limit: number): Promise<number> =>
    elements(await ask("QueryNByKey", [list([bob]), templateRep(Acc), key, limit])).length;
  assert.deepEqual([await found(1), await found(2)], [0, 1]);
  assert.equal(await ask("QueryByKey", [list([bob]), templateRep(Acc), key], 2), none);
});

test("script keys: a choice is exercised on the contract with a key", async () => {
  const { ask } = scriptSubject(),
    alice = await party(ask, "alice");
  await submit(ask, { actAs: [alice], commands: [account(alice, 1, "first")] });
  assert.equal(
    resultsOf(await submit(ask, { actAs: [alice], commands: [exerciseByKey(Acc, "Rename", tuple(alice, 1), "new")] })).length,
    1,
  );
  const missing = errorOf(await submit(ask, { actAs: [alice], commands: [exerciseByKey(Acc, "Rename", tuple(alice, 2), "new")] }));
  assert.equal(missing.constructor_, "ContractKeyNotFound");
  assert.deepEqual(parts(parts(missing.value)[0]!)[0], [alice, 2]);
});

test("script keys: contract ids in keys, and keys without maintainers, are errors of their own", async () => {
  const { ask } = scriptSubject(),
    alice = await party(ask, "alice");
  const made = createdBy(await submit(ask, { actAs: [alice], commands: [account(alice, 1, "first")] }));
  assert.equal(
    errorOf(await submit(ask, { actAs: [alice], commands: [create(keyedId("CidKey"), alice, new ContractId(made))] })).constructor_,
    "ContractIdInContractKey",
  );
  const key = tuple(tuple(alice, new ContractId(made)), templateRep(keyedId("CidKey")));
  const stopped = await stopOf(ask("QueryByKey", [list([alice]), templateRep(keyedId("CidKey")), key], 2));
  assert.match((stopped as { message: string }).message, /^Contract IDs are not supported in contract keys: 00/);
  const empty = errorOf(await submit(ask, { actAs: [alice], commands: [create(keyedId("NoMaintainer"), alice)] }));
  assert.equal(empty.constructor_, "CreateEmptyContractKeyMaintainers");
});
