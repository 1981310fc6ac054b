import assert from "node:assert/strict";
import { test } from "node:test";
import { FatalError } from "../../../src/lf/errors.js";
import type { ContractInfo } from "../../../src/lf/interpret/contract-info.js";
import { ContractState } from "../../../src/lf/interpret/contract-state.js";
import { type ExerciseStart, PartialTransaction } from "../../../src/lf/interpret/partial-transaction.js";
import { childSeed, localContractId } from "../../../src/lf/transaction/index.js";
import { HmacSha256 } from "../../../src/base/sha256.js";

const seed = new Uint8Array(32).fill(7);
const templateId = { packageId: "p", module: "M", name: "T" };
const info = (...signatories: string[]): ContractInfo => ({
  templateId,
  packageName: "pkg",
  argument: { kind: "unit" },
  signatories,
  observers: [],
  stakeholders: signatories,
  key: undefined,
  version: "2.1",
});

const start = (contractId: string, consuming = false): ExerciseStart => ({
  contractId,
  info: info("a"),
  interfaceId: undefined,
  choice: "C",
  consuming,
  controllers: ["a"],
  observers: [],
  authorizers: undefined,
  argument: { kind: "unit" },
  byKey: false,
});

function open({ mode = "NoKey", nodesMax = 100 }: { readonly mode?: "NUCK" | "NoKey"; readonly nodesMax?: number } = {}) {
  const state = new ContractState(mode);
  return {
    state,
    transaction: new PartialTransaction(state, {
      submitters: ["a"],
      seed: { compute: () => seed, roots: [] },
      preparationTime: 5n,
      nodesMax,
    }),
  };
}

const seedOfChild = (parent: Uint8Array, index: number): Uint8Array => childSeed(new HmacSha256(parent), index);
const idAt = (index: number): string => localContractId(seedOfChild(seed, index), 5n, ["a"]);

test("partial transaction: local ids come from the position among the root's actions", () => {
  const { transaction } = open();
  assert.equal(transaction.create(info("a")).hex, idAt(0));
  assert.equal(transaction.create(info("a")).hex, idAt(1));
});

test("partial transaction: actions in a try scope count on, whether it is rolled back or not", () => {
  const { transaction } = open();
  transaction.create(info("a"));
  const kept = transaction.beginTry();
  assert.equal(transaction.create(info("a")).hex, idAt(1));
  transaction.endTry(kept);
  const lost = transaction.beginTry();
  assert.equal(transaction.create(info("a")).hex, idAt(2));
  transaction.rollbackTry(lost);
  assert.equal(transaction.create(info("a")).hex, idAt(3));
  assert.deepEqual(
    transaction.finish().map(({ kind }) => kind),
    ["create", "create", "rollback", "create"],
  );
});

test("partial transaction: children of an exercise are counted by themselves", () => {
  const { transaction } = open();
  transaction.create(info("a"));
  transaction.beginExercise(start("stored"));
  assert.equal(transaction.create(info("a")).hex, localContractId(seedOfChild(seedOfChild(seed, 1), 0), 5n, ["a"]));
  transaction.endExercise({ kind: "unit" });
  assert.equal(transaction.create(info("a")).hex, idAt(2));
});

test("partial transaction: inside an exercise its actors and the signatories are the authorizers", () => {
  const { transaction } = open();
  transaction.beginExercise({ ...start("stored"), info: info("b") });
  assert.deepEqual(transaction.authorizers, ["a", "b"]);
  transaction.endExercise({ kind: "unit" });
  assert.deepEqual(transaction.authorizers, ["a"]);
});

test("partial transaction: a rollback closes the exercises that were left open, without results", () => {
  const { state, transaction } = open();
  const scope = transaction.beginTry();
  transaction.beginExercise(start("stored", true));
  transaction.beginExercise(start("other", true));
  assert.equal(state.status("other").kind, "consumed");
  transaction.rollbackTry(scope);
  assert.equal(state.status("stored").kind, "usable");
  const [rollback] = transaction.finish();
  assert.ok(rollback?.kind === "rollback");
  const [outer] = rollback.children;
  assert.ok(outer?.kind === "exercise" && outer.result === undefined && outer.children.length === 1);
});

test("partial transaction: the number of nodes is bounded", () => {
  const { transaction } = open({ nodesMax: 2 });
  transaction.create(info("a"));
  transaction.create(info("a"));
  assert.throws(
    () => transaction.create(info("a")),
    (error) => error instanceof FatalError && error.error.phase === "interpretation" && error.error.class === "LimitExceeded",
  );
});
