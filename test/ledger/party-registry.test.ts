import assert from "node:assert/strict";
import { test } from "node:test";
import { PartyRegistry } from "../../src/ledger/parties/index.js";
import { proposedParty } from "../../src/ledger/records/index.js";

const local = (resourceVersion: number) => ({ annotations: {}, identityProviderId: "tenant", resourceVersion });

test("parties: one that is only proposed is known to nobody, and has no number before it is", () => {
  const registry = new PartyRegistry();
  registry.set(proposedParty("ext", local(0)));
  registry.publish();
  assert.deepEqual([registry.get("ext"), registry.durable("ext"), registry.sorted(), registry.count], [undefined, undefined, [], 1]);
  assert.equal(registry.kept("ext")?.identityProviderId, "tenant");
  registry.set({ ...proposedParty("ext", local(1)), number: registry.count, synchronizers: [0] });
  assert.deepEqual([registry.numberOf("ext"), registry.durable("ext"), registry.sorted()], [1, undefined, ["ext"]]);
  registry.publish();
  assert.equal(registry.durable("ext")?.resourceVersion, 1);
});

test("parties: one whose commit failed is the proposal that it was, or nothing", () => {
  const registry = new PartyRegistry(),
    [first, second] = [proposedParty("ext", local(0)), proposedParty("ext", local(1))];
  registry.set(first);
  registry.publish();
  assert.deepEqual(registry.sorted(), []);
  const added = { ...second, number: registry.count, synchronizers: [0] };
  registry.set(second);
  registry.set(added);
  registry.forget(added, second);
  assert.deepEqual([registry.kept("ext"), registry.durablyKept("ext"), registry.sorted(), registry.count], [second, first, [], 1]);
  registry.set(first);
  registry.publish();
  assert.equal(registry.durablyKept("ext"), first);
  const other = proposedParty("other", local(0));
  registry.set(other);
  registry.forget(other, undefined);
  assert.deepEqual([registry.kept("other"), registry.durablyKept("other")], [undefined, undefined]);
});
