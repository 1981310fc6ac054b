import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { decodePackage, isStablePackageId, loadDar, stablePackages } from "../../../src/lf/archive/index.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { validatePackage } from "../../../src/lf/validation/index.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";

test("stable packages: all of them pass, although an upload takes them as known", () => {
  const packages = new Map(stablePackages().map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
  const reader = new PackageInterface({ getPackage: (id) => packages.get(id) });
  for (const package_ of packages.values()) {
    assert.ok(isStablePackageId(package_.id));
    assert.equal(validatePackage(package_, reader).error, undefined, package_.name);
  }
});

test("known packages: what was validated before is not looked at again", () => {
  const main = new ModuleBuilder("Main");
  main.value("f", type.int64, expr.text("no number"));
  const archive = buildPackage({ name: "ill-typed", version: "1.0.0", modules: [main] });
  const dar = buildDar(archive);
  assert.equal(loadDar(dar, limits).error?.code, "DAR_VALIDATION_ERROR");
  assert.equal(loadDar(dar, limits, { earlier: new Map([[archive.id, decodePackage(archive.id, archive.payload).ok!]]) }).error, undefined);
});
