import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import type { Package } from "../../../src/lf/ast.js";
import { checkDar, decodePackage, packageIdOf, stablePackageIds, stablePackages, stableVersions } from "../../../src/lf/archive/index.js";

const decoded = (): Package[] =>
  stablePackages().map(({ id, payload }) => {
    const package_ = decodePackage(id, payload);
    assert.ok(!isFailure(package_), package_.error?.message);
    return package_.ok!;
  });

test("stable packages: all 27 are encoded to bytes that have the published ids", (context) => {
  const ids = stablePackages().map(({ payload }) => packageIdOf(payload));
  assert.deepEqual([...ids].sort(), Object.values(stablePackageIds).sort());
  assert.equal(new Set(ids).size, 27);
  context.diagnostic(`${ids.length} of 27`);
});

test("stable packages: each has its one module, and together they refer to nothing else", () => {
  const packages = decoded();
  for (const package_ of packages)
    assert.deepEqual(
      [...package_.modules.keys()].map((module) => stablePackageIds[module as keyof typeof stablePackageIds]),
      [package_.id],
    );
  const validation = packages.find((package_) => package_.id === stablePackageIds["DA.Validation.Types"])!;
  assert.ok(!isFailure(checkDar(validation, packages, stableVersions)));
});

test("stable packages: what a package refers to comes before it", () => {
  const seen = new Set<string>();
  for (const package_ of decoded()) {
    for (const dependency of package_.directDependencies) assert.ok(seen.has(dependency), `${package_.name} before ${dependency}`);
    seen.add(package_.id);
  }
});
