import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizeRollbacks } from "../../../src/lf/interpret/normalize-rollbacks.js";
import type { RawNode } from "../../../src/lf/interpret/partial-transaction.js";

/** `1` is an action, an array a rollback. */
type Shape = number | readonly Shape[];

const node = (shape: Shape): RawNode =>
  typeof shape === "number" ? ({ kind: "fetch", contractId: String(shape) } as RawNode) : { kind: "rollback", children: shape.map(node) };
const shape = (raw: RawNode): Shape =>
  raw.kind === "rollback" ? raw.children.map(shape) : Number(raw.kind === "fetch" ? raw.contractId : Number.NaN);

const cases: readonly { readonly name: string; readonly from: readonly Shape[]; readonly to: readonly Shape[] }[] = [
  { name: "an empty rollback disappears", from: [1, [], 2], to: [1, 2] },
  { name: "a rollback of one action stays", from: [[1]], to: [[1]] },
  { name: "a rollback of only a rollback is that rollback", from: [[[1]]], to: [[1]] },
  { name: "a rollback that starts with rollbacks is split", from: [[[1], [2], 3]], to: [[1], [2], [3]] },
  { name: "a rollback that ends with a rollback takes it in", from: [[1, [2, 3]]], to: [[1, 2, 3]] },
  { name: "a rollback in the middle stays", from: [[1, [2], 3]], to: [[1, [2], 3]] },
  { name: "splitting and merging happen together", from: [[[1], 2, [3]]], to: [[1], [2, 3]] },
  { name: "empty ones vanish first", from: [[[], 1, [[]]]], to: [[1]] },
];

for (const { name, from, to } of cases) {
  test(`rollback normal form: ${name}`, () => assert.deepEqual(normalizeRollbacks(from.map(node)).map(shape), to));
}
