import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../src/console/state/store.js";

test("store: those who look are told of what changed, and of nothing else", () => {
  const store = new Store({ end: 1, phase: "ready" }),
    first = store.value,
    told: object[] = [];
  store.subscribe(() => told.push(store.value));
  store.change({ end: 1 });
  assert.equal(store.value, first);
  store.change({ end: 2, phase: "ready" });
  store.change({});
  assert.deepEqual(told, [{ end: 2, phase: "ready" }]);
});
