import assert from "node:assert/strict";
import { test } from "node:test";
import { computeBlinding } from "../../../src/lf/transaction/index.js";
import type { CreateNode, ExerciseNode, FetchNode, Transaction } from "../../../src/lf/transaction/node.js";

const common = { packageName: "p", templateId: { packageId: "0", module: "M", name: "T" }, version: "2.1", key: undefined } as const;
const create = (stakeholders: readonly string[]): CreateNode => ({
  kind: "create",
  ...common,
  contractId: "c",
  argument: { kind: "unit" },
  signatories: stakeholders,
  stakeholders,
});
const fetch = (stakeholders: readonly string[], actingParties: readonly string[]): FetchNode => ({
  kind: "fetch",
  ...common,
  contractId: "f",
  actingParties,
  signatories: [stakeholders[0]!],
  stakeholders,
  byKey: false,
  interfaceId: undefined,
});
const exercise = (parts: Partial<ExerciseNode>): ExerciseNode => ({
  kind: "exercise",
  ...common,
  contractId: "e",
  interfaceId: undefined,
  choice: "Go",
  consuming: true,
  actingParties: ["Actor"],
  choiceObservers: [],
  choiceAuthorizers: undefined,
  argument: { kind: "unit" },
  result: { kind: "unit" },
  signatories: ["Sig"],
  stakeholders: ["Obs", "Sig"],
  byKey: false,
  children: [],
  ...parts,
});
const transaction = (roots: readonly number[], ...nodes: Transaction["nodes"]): Transaction => ({ version: "2.1", roots, nodes });

test("blinding: observers see a consuming exercise and not a non-consuming one", () => {
  assert.deepEqual(computeBlinding(transaction([0], exercise({}))).disclosure, [["Actor", "Obs", "Sig"]]);
  assert.deepEqual(computeBlinding(transaction([0], exercise({ consuming: false }))).disclosure, [["Actor", "Sig"]]);
});

test("blinding: choice observers see the exercise and what follows from it", () => {
  const { disclosure, divulgence } = computeBlinding(
    transaction([0], exercise({ choiceObservers: ["Eve"], children: [1] }), create(["Zoe"])),
  );
  assert.deepEqual(disclosure, [
    ["Actor", "Eve", "Obs", "Sig"],
    ["Actor", "Eve", "Obs", "Sig", "Zoe"],
  ]);
  assert.deepEqual([...divulgence], [["e", ["Eve"]]]);
});

test("blinding: a fetched contract is divulged to the witnesses above that are no stakeholders", () => {
  const { disclosure, divulgence } = computeBlinding(transaction([0], exercise({ children: [1] }), fetch(["Owner", "Sig"], ["Sig"])));
  assert.deepEqual(disclosure[1], ["Actor", "Obs", "Owner", "Sig"]);
  assert.deepEqual([...divulgence], [["f", ["Actor", "Obs"]]]);
});

test("blinding: a rollback is seen by whoever sees the exercise around it, a fetch at the root divulges nothing", () => {
  const nested = computeBlinding(transaction([0], exercise({ children: [1] }), { kind: "rollback", children: [2] }, create(["Zoe"])));
  assert.deepEqual(nested.disclosure, [
    ["Actor", "Obs", "Sig"],
    ["Actor", "Obs", "Sig"],
    ["Actor", "Obs", "Sig", "Zoe"],
  ]);
  assert.equal(computeBlinding(transaction([0], fetch(["Owner"], ["Owner"]))).divulgence.size, 0);
});
