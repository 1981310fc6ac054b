import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Command, EngineError } from "../../../src/lf/index.js";
import { Harness } from "./harness.js";

const bench = (changed = {}) => {
  const harness = new Harness("bench-2.1", "bench", "Bench", changed);
  const [main] = harness.commit(["Alice"], harness.create("Main", { p: "Alice" })).created;
  assert.ok(main !== undefined);
  return { harness, run: (choice: string, json: unknown) => harness.exercise("Main", main.instance.contractId, choice, json) };
};

const limitOf = (error: EngineError): unknown => {
  assert.ok(error.phase === "interpretation");
  assert.equal(error.class, "LimitExceeded");
  return error.detail["limit"];
};

test("engine: work without end stops at the step budget and the next command runs", () => {
  const { harness, run } = bench({ stepsMax: 100_000 });
  assert.equal(limitOf(harness.refuse(["Alice"], run("Pure", { n: "60" }))), "stepsMax");
  assert.equal(harness.commit(["Alice"], run("Pure", { n: "10" })).transaction.nodes.length, 1);
});

test("engine: a transaction may not have more nodes than the limit, and the next command runs", () => {
  const { harness, run } = bench({ transactionNodesMax: 50 });
  assert.equal(limitOf(harness.refuse(["Alice"], run("CreateMany", { n: "60" }))), "transactionNodesMax");
  assert.equal(harness.commit(["Alice"], run("CreateMany", { n: "40" })).transaction.nodes.length, 41);
});

test("engine: recursion deeper than the stack is a typed error, and what it left half compiled is compiled when needed", () => {
  const { harness, run } = bench({ transactionNodesMax: 10_000_000 });
  assert.equal(limitOf(harness.refuse(["Alice"], run("Tree", { d: "1000000" }))), "stack");
  assert.equal(harness.commit(["Alice"], run("Tree", { d: "3" })).transaction.nodes.length, 15);
});

test("engine: a loop of updates does not grow the stack", () => {
  const { harness, run } = bench();
  assert.equal(harness.commit(["Alice"], run("CreateMany", { n: "20000" })).created.length, 20_000);
});

test("engine: contracts of the store that were used are reported, those created here are not", () => {
  const { harness, run } = bench();
  const { inputs, created } = harness.commit(["Alice"], run("CreateMany", { n: "2" }));
  assert.equal(inputs.length, 1);
  assert.equal(created.length, 2);
  const stored = created.map(({ instance }) => instance.contractId);
  assert.deepEqual(
    harness
      .commit(["Alice"], run("FetchMany", { cids: stored }))
      .inputs.slice(1)
      .sort(),
    [...stored].sort(),
  );
});

test("engine: the commands of a submission share one transaction and one sequence of roots", () => {
  const { harness } = bench();
  const { transaction } = harness.commit(["Alice"], harness.create("Main", { p: "Alice" }), harness.create("Main", { p: "Alice" }));
  assert.deepEqual(transaction.roots, [0, 1]);
  assert.equal(new Set(transaction.nodes.map((node) => node.kind === "create" && node.contractId)).size, 2);
});

test("engine: a failing command takes the ones before it along", () => {
  const { harness } = bench();
  const error = harness.refuse(["Alice"], harness.create("Main", { p: "Alice" }), harness.create("Main", { p: "Bob" }));
  assert.equal(error.phase === "interpretation" && error.class, "FailedAuthorization.CreateMissingAuthorization");
});

test("engine: contracts are not visible to parties that have no stake in them", () => {
  const { harness, run } = bench();
  const error = harness.refuse(["Bob"], run("Pure", { n: "1" }));
  assert.equal(error.phase === "interpretation" && error.class, "ContractNotFound");
});

test("engine: the same submission gives the same transaction", () => {
  const [first, second] = [bench(), bench()];
  assert.deepEqual(
    first.harness.commit(["Alice"], first.run("CreateMany", { n: "3" })),
    second.harness.commit(["Alice"], second.run("CreateMany", { n: "3" })),
  );
});

test("engine: JSON arguments that do not fit are refused with the place", () => {
  const { harness, run } = bench();
  assert.equal(harness.refuse(["Alice"], run("Pure", { n: "x" })).phase, "preprocessing");
  assert.equal(harness.refuse(["Alice"], run("Pure", {})).phase, "preprocessing");
  assert.equal(harness.refuse(["Alice"], run("Nope", {})).phase, "lookup");
});

test("engine: that a template has no key is told before the argument of the choice is looked at", () => {
  const { harness, run } = bench();
  const { template, ...exercise } = run("Pure", { n: "no number" });
  assert.ok(exercise.kind === "exercise");
  const { choice, argument } = exercise;
  const refusal = (named: string): EngineError =>
    harness.refuse(["Alice"], { kind: "exerciseByKey", template, key: { json: "Alice" }, choice: named, argument });
  assert.equal(refusal(choice).class, "MissingKey");
  assert.equal(refusal("Nothing").class, "MissingChoice");
});

test("engine: of the names of templates and choices that do not exist nothing is kept, however many commands are refused for them", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const held = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const { harness } = bench(),
    contractId = `00${"ab".repeat(32)}`,
    long = (index: number): string => `N${index}${"x".repeat(500_000)}`;
  const wrong: readonly (readonly [(index: number) => Command, string])[] = [
    [(index) => harness.exercise(long(index), contractId, "Archive", {}), "MissingTemplateOrInterface"],
    [(index) => harness.create(long(index), {}), "MissingTemplate"],
    [(index) => harness.exercise("Main", contractId, long(index), {}), "MissingChoice"],
  ];
  for (const [command, class_] of wrong) {
    assert.equal(harness.refuse(["Alice"], command(-1)).class, class_);
    const before = held();
    for (let index = 0; index < 40; index += 1) harness.refuse(["Alice"], command(index));
    assert.ok(held() - before < 8_000_000, `${class_}: of 20 MB of names ${held() - before} bytes are kept`);
  }
});
