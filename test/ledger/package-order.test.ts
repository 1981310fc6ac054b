import assert from "node:assert/strict";
import { test } from "node:test";
import { onSynchronizer, type PackageRecord, PackageRegistry } from "../../src/ledger/packages/package-registry.js";
import { selectPackages } from "../../src/ledger/packages/package-selection.js";
import { comparePackages } from "../../src/lf/package-version.js";
import { summaryOf } from "./support.js";

const open = { validFrom: undefined, validUntil: undefined };
const record = (version: string, packageId: string): PackageRecord => ({
  summary: { ...summaryOf(), name: "ordered", version, packageId, templates: ["M:T"], interfaces: [], implements: { "M:T": ["i:I:I"] } },
  vettings: [open],
});

/** As the reference orders `PackageVersion` and, behind it, package ids. */
const inOrder = [
  record("0", "ff"),
  record("0.9", "aa"),
  record("1", "cc"),
  record("1.0", "bb"),
  record("1.0.0", "aa1"),
  record("1.0.0", "dd"),
  record("1.0.0.0", "a0"),
  record("1.0.1", "a1"),
  record("1.2", "a2"),
  record("1.10", "a3"),
  record("2", "a4"),
  record("2147483647", "a5"),
];

function* orders<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let shift = 0; shift < items.length; shift++) {
    const rotated = [...items.slice(shift), ...items.slice(0, shift)];
    yield rotated;
    yield rotated.reverse();
  }
}

test("package versions: segments as numbers, a continued version is higher, the same version is ordered by package id: a total order", () => {
  inOrder.forEach((left, i) =>
    inOrder.forEach((right, j) =>
      assert.equal(
        Math.sign(comparePackages(left.summary, right.summary)),
        Math.sign(i - j),
        `${left.summary.version} ${right.summary.version}`,
      ),
    ),
  );
});

test("package versions: the preferred one is the same on every thread, in whatever order packages were read", () => {
  for (let count = 1; count <= inOrder.length; count++) {
    const some = inOrder.slice(0, count),
      best = some[count - 1]!.summary.packageId;
    for (const records of orders(some)) {
      const registry = new PackageRegistry();
      for (const each of records) registry.set(each);
      assert.equal(
        selectPackages(onSynchronizer(records, 0), { at: 0n, names: new Set(["ordered"]), preferred: [] }).packages.get("ordered"),
        best,
      );
      assert.equal(registry.implementationPackage("ordered", "i:I:I", [{ number: 0 }]), best);
    }
  }
});

test("interface views: the first synchronizer that has an implementation vetted decides, not the one with the highest version", () => {
  const registry = new PackageRegistry(),
    vetted = (version: string, packageId: string, ...vettings: PackageRecord["vettings"]): void =>
      registry.set({ ...record(version, packageId), vettings });
  const [first, second] = [{ number: 0 }, { number: 1 }],
    chosen = (...synchronizers: readonly { readonly number: number }[]): string | undefined =>
      registry.implementationPackage("ordered", "i:I:I", synchronizers);
  vetted("1", "aa", open, open);
  vetted("2", "bb", undefined, open);
  assert.deepEqual([chosen(first, second), chosen(second, first)], ["aa", "bb"]);
  vetted("1", "aa", undefined, open);
  assert.equal(chosen(first, second), "bb");
});
