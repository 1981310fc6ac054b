import assert from "node:assert/strict";
import { test } from "node:test";
import { PackageRegistry } from "../../src/ledger/packages/package-registry.js";
import { preferredPackages, type PreferenceContext } from "../../src/ledger/packages/preferred-packages.js";
import { summaryOf } from "./support.js";

const open = { validFrom: undefined, validUntil: undefined },
  synchronizer = { number: 0, id: "local::ns" };

const app = { name: "app", packageId: "a1", version: "1.0.0", dependencies: ["between"] },
  between = { name: "between", packageId: "between", version: "1.0.0", dependencies: ["l1"] },
  older = { name: "library", packageId: "l1", version: "1.0.0" },
  newer = { name: "library", packageId: "l2", version: "2.0.0" };

/** Two participants, of which the first hosts alice and the second bob, both what all know and what they have vetted. */
function world(vettedByFirst: readonly string[], vettedBySecond: readonly string[]): PreferenceContext {
  const hosted = ["alice", "bob"];
  const [first, second] = [vettedByFirst, vettedBySecond].map((vetted, index) => {
    const packages = new PackageRegistry();
    for (const each of [app, between, older, newer])
      packages.set({ summary: summaryOf(each), vettings: [vetted.includes(each.packageId) ? open : undefined] });
    const parties = { get: (party: string) => ({ synchronizers: [0], hostedOn: hosted[index] === party ? [0] : [] }) };
    return { packages, parties };
  });
  const context = {
    ...first!,
    others: [second!],
    clock: { nowMicros: () => 0n },
    synchronizers: { find: () => undefined, ranked: [synchronizer] },
  };
  return context as unknown as PreferenceContext;
}

function preferred(context: PreferenceContext, needs: Readonly<Record<string, readonly string[]>>): readonly string[] | string {
  const requirements = Object.entries(needs).map(([packageName, parties]) => ({ packageName, parties })),
    found = preferredPackages({ requirements, synchronizerId: "", vettingValidAt: undefined }, context);
  return found.error?.code ?? found.ok!.packages.map(({ packageId }) => packageId);
}

test("preferred packages: a name is needed by those, too, of whom a package is required that was built with one of it", () => {
  const all = ["a1", "between", "l1"];
  assert.deepEqual(preferred(world(all, ["l1", "l2"]), { library: ["bob"] }), ["l2"]);
  assert.deepEqual(preferred(world(all, ["l1", "l2"]), { app: ["alice"], library: ["bob"] }), ["a1", "l1"]);
  assert.deepEqual(preferred(world([...all, "l2"], ["l1", "l2"]), { app: ["alice"], library: ["bob"] }), ["a1", "l2"]);
  assert.equal(preferred(world(["a1", "between"], ["l1", "l2"]), { app: ["alice"], library: ["bob"] }), "NO_PREFERRED_PACKAGES_FOUND");
});
