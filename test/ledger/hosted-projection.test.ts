/** How a participant numbers what it sees of a transaction, and what it is told for that. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { untoldOf } from "../../src/ledger/interpretation/untold.js";
import type { StoredEvent } from "../../src/ledger/model/index.js";
import type { PartyRegistry } from "../../src/ledger/parties/index.js";
import { HostedProjection, type SeenTransaction } from "../../src/ledger/submission/hosted-projection.js";
import type { TransactionNode } from "../../src/lf/transaction/index.js";

const common = { contractId: "00", templateId: "p:M:T", packageName: "n", json: "" },
  exercise = (nodeId: number, last: number, witnesses: readonly string[]): StoredEvent => ({
    ...common,
    kind: "exercise",
    nodeId,
    stakeholders: witnesses,
    witnesses,
    jsonAfter: `"lastDescendantNodeId":${last},"exerciseResult":{}`,
    consuming: false,
    deactivates: false,
  }),
  create = (nodeId: number, witnesses: readonly string[]): StoredEvent => ({
    ...common,
    kind: "create",
    nodeId,
    stakeholders: witnesses,
    witnesses,
    jsonAfter: "",
    activates: true,
    createdEventBlob: new Uint8Array(),
    keyHash: "",
  });

/** Node ids and last descendants as the participant has them that hosts one party. */
function numbersFor(party: string, transaction: SeenTransaction): readonly (readonly [number, number | undefined])[] {
  const parties = { get: (name: string) => ({ hostedOn: name === party ? [0] : [] }) } as unknown as PartyRegistry,
    projection = new HostedProjection(transaction, { parties, synchronizer: 0, isSubmitter: false });
  for (const [items, take] of projection.parts) for (let index = 0; index < items; index++) take(index);
  return projection.events.map(({ nodeId, jsonAfter }) => {
    const last = /^"lastDescendantNodeId":(\d+)/.exec(jsonAfter)?.[1];
    return [nodeId, last === undefined ? undefined : Number(last)];
  });
}

test("a participant numbers all nodes that it sees, also those without events, and no others", () => {
  // 0 alice's exercise: 1 a fetch that bob sees, 2 one that he does not, 3 a rollback with 4 his fetch, 5 his exercise: 6 a fetch,
  // 7 a create, 8 a fetch; 9 a create of alice's, 10 one of both.
  const both = ["alice", "bob"],
    alice = ["alice"];
  const transaction: SeenTransaction = {
    events: [exercise(0, 10, alice), exercise(5, 8, both), create(7, both), create(9, alice), create(10, both)],
    untoldNodes: [
      { witnesses: both, nodeIds: [8, 6, 4, 3, 1] },
      { witnesses: alice, nodeIds: [2] },
    ],
  };
  assert.deepEqual(numbersFor("bob", transaction), [
    [3, 6],
    [5, undefined],
    [7, undefined],
  ]);
  assert.deepEqual(
    numbersFor("alice", transaction).map(([nodeId]) => nodeId),
    [0, 5, 7, 9, 10],
    "who sees all has the numbers that they have",
  );
});

test("of a rollback knows who sees something below it, and no one else", () => {
  const templateId = { packageId: "p", module: "M", name: "T" },
    rollback = (...children: number[]) => ({ kind: "rollback", children }) as const,
    fetch = { kind: "fetch", templateId } as unknown as TransactionNode,
    root = { kind: "exercise", templateId, children: [1] } as unknown as TransactionNode;
  const { untoldNodes } = untoldOf({
    nodes: [root, rollback(2, 4), rollback(3), fetch, fetch],
    disclosure: [["alice"], ["alice"], ["alice"], ["alice", "bob"], ["alice"]],
    effective: [0],
  });
  assert.deepEqual(untoldNodes, [
    { witnesses: ["alice"], nodeIds: [4] },
    { witnesses: ["alice", "bob"], nodeIds: [3, 2, 1] },
  ]);
});
