/** Traffic that was bought, on contracts that are made up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NetworkReads, type NetworkReadsContext } from "../../src/splice/network-reads.js";

const dso = "DSO::1220",
  member = `PAR::p::1220${"a".repeat(64)}`,
  synchronizer = `global::1220${"b".repeat(64)}`;

function readsOf(contracts: readonly object[]): NetworkReads {
  const each = (_dso: string, _template: object, visit: (contract: object) => void): Promise<void> => {
    for (const payload of contracts) visit({ payload: { dso, memberId: member, synchronizerId: synchronizer, ...payload } });
    return Promise.resolve();
  };
  return new NetworkReads({ network: { each, dso: () => Promise.resolve({ ok: dso }) } } as unknown as NetworkReadsContext);
}

test("traffic is what all purchases of a member come to, also where doubles would lose some of them", async () => {
  const reads = readsOf([
    { totalPurchased: "9007199254740993" },
    { totalPurchased: "1" },
    { totalPurchased: "5", memberId: "PAR::another::1220" },
    { totalPurchased: "5", synchronizerId: "another::1220" },
  ]);
  assert.deepEqual(await reads.purchasedTraffic({ member, synchronizer }), { ok: 9_007_199_254_740_994 });
});
