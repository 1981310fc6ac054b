import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError, type InterpretationError } from "../../../src/lf/errors.js";
import type { ContractInfo } from "../../../src/lf/interpret/contract-info.js";
import { ContractState, type GlobalKey } from "../../../src/lf/interpret/contract-state.js";
import { ContractId } from "../../../src/lf/value/value.js";

const templateId = { packageId: "p", module: "M", name: "T" };
const key: GlobalKey = { templateId, packageName: "pkg", key: { kind: "unit" }, hash: "k" };
const info: ContractInfo = {
  templateId,
  packageName: "pkg",
  argument: { kind: "unit" },
  signatories: ["a"],
  observers: [],
  stakeholders: ["a"],
  key: { key: key.key, maintainers: ["a"], hash: "k" },
  version: "2",
};
const created = (contractId: string) => ({ kind: "create" as const, contractId: new ContractId(contractId), info });
const archived = (contractId: string, nodeId: number) => ({
  kind: "exercise" as const,
  nodeId,
  start: {
    contractId,
    info,
    interfaceId: undefined,
    choice: "Use",
    consuming: true,
    controllers: ["a"],
    observers: [],
    authorizers: undefined,
    argument: { kind: "unit" as const },
    byKey: false,
  },
});
const stored =
  (...ids: string[]) =>
  () =>
    ids[Symbol.iterator]();
const refusalOf = (run: () => unknown): InterpretationError => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof FatalError && error.error.phase === "interpretation");
    return error.error;
  }
  return assert.fail("nothing was thrown");
};
const classOf = (run: () => unknown): string => refusalOf(run).class;

test("contract state: an archived contract tells which node archived it", () => {
  const state = new ContractState("NUCK");
  state.create(created("a"));
  assert.deepEqual(state.status("a"), { kind: "usable" });
  state.archive(archived("a", 7));
  assert.deepEqual(state.status("a"), { kind: "consumed", by: 7 });
});

test("contract state: without keys a rolled-back scope gives back what it created and archived", () => {
  const state = new ContractState("NoKey");
  state.create(created("before"));
  const mark = state.mark();
  state.create(created("inside"));
  state.archive(archived("before", 3));
  state.rollBackTo(mark);
  assert.deepEqual(state.status("before"), { kind: "usable" });
  assert.deepEqual(state.status("inside"), { kind: "rolledBack" });
});

test("contract state: with keys a scope with effects cannot be rolled back, one without can", () => {
  const state = new ContractState("NUCK");
  const mark = state.mark();
  state.useById("stored", undefined);
  state.rollBackTo(mark);
  state.create(created("inside"));
  assert.equal(
    classOf(() => state.rollBackTo(mark)),
    "EffectfulRollback",
  );
});

test("contract state: of what cannot be rolled back it tells first what was consumed", () => {
  const state = new ContractState("NUCK");
  const mark = state.mark();
  state.create(created("first"));
  state.archive(archived("first", 3));
  state.create(created("second"));
  const refusal = refusalOf(() => state.rollBackTo(mark));
  assert.equal(refusal.class, "EffectfulRollback");
  assert.deepEqual(
    refusal.detail.nodes.map((node) => [node.class, node.coid]),
    [
      ["Exercise", "first"],
      ["Create", "first"],
      ["Create", "second"],
    ],
  );
});

test("key queries: local contracts come newest first, then those of the ledger in its order", () => {
  const state = new ContractState("NUCK");
  state.create(created("first"));
  state.create(created("second"));
  assert.deepEqual(state.queryByKey(key, 4, stored("c", "b", "a")), { contractIds: ["second", "first", "c", "b"], exhaustive: false });
  assert.deepEqual(state.inputs, ["c", "b"]);
});

test("key queries: an answer is exhaustive when fewer were found than asked for", () => {
  const state = new ContractState("NUCK");
  assert.deepEqual(state.queryByKey(key, 2, stored("a", "b")), { contractIds: ["a", "b"], exhaustive: false });
  assert.deepEqual(state.queryByKey(key, 3, stored()), { contractIds: ["a", "b"], exhaustive: true });
});

test("key queries: archived contracts are passed over", () => {
  const state = new ContractState("NUCK");
  state.useById("b", key);
  state.archive(archived("b", 1));
  assert.deepEqual(state.queryByKey(key, 2, stored("b", "a")), { contractIds: ["a"], exhaustive: true });
});

test("key queries: a contract of the key met by id after the key was read to the end is an inconsistency", () => {
  const state = new ContractState("NUCK");
  state.queryByKey(key, 2, stored("a"));
  assert.equal(
    classOf(() => state.useById("hidden", key)),
    "InconsistentContractKey",
  );
});

test("key queries: a contract used by id that the ledger then does not give is an inconsistency", () => {
  const state = new ContractState("NUCK");
  state.useById("hidden", key);
  assert.equal(
    classOf(() => state.queryByKey(key, 2, stored("a"))),
    "InconsistentContractKey",
  );
});
