import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { decodePackage, isStablePackageId, loadDar, stablePackages } from "../../../src/lf/archive/index.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { validatePackage } from "../../../src/lf/validation/index.js";
import { builtinFunctions } from "../../../src/lf/archive/builtin.js";
import { typeOfBuiltinFunction } from "../../../src/lf/validation/builtin-functions.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";
import { testData } from "../../support/paths.js";

/** `rule` is the constructor of the reference's error without its `E`. */
interface Verdict { readonly dar: string; readonly check?: string; readonly rule?: string }

test("verdicts: every package that the reference's validation refuses is refused by the same rule, every other one passes", (context) => {
  const cases = (JSON.parse(readFileSync(testData("engine", "decode-invalid.json"), "utf8")) as Verdict[]).filter(({ dar, check }) => dar.startsWith("bad-") && check !== undefined);
  const families = new Map<string, number>();
  for (const { dar, rule } of cases) {
    const { error } = loadDar(readFileSync(testData("engine", "dars-invalid", dar)), limits);
    assert.equal(error?.phase === "validation" ? error.rule : error?.code, rule, `${dar}: ${error?.message ?? "accepted"}`);
    families.set(rule ?? "accepted", (families.get(rule ?? "accepted") ?? 0) + 1);
  }
  context.diagnostic(`${cases.length} verdicts: ${[...families].sort().map(([rule, count]) => `${rule} ${count}`).join(", ")}`);
});

test("stable packages: all of them pass, although an upload takes them as known", () => {
  const packages = new Map(stablePackages().map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
  const reader = new PackageInterface({ getPackage: (id) => packages.get(id) });
  for (const package_ of packages.values()) {
    assert.ok(isStablePackageId(package_.id));
    assert.equal(validatePackage(package_, reader).error, undefined, package_.name);
  }
});

test("builtins: every function that an archive can name has a type", () => {
  for (const name of builtinFunctions.values()) assert.ok(typeOfBuiltinFunction(name), name);
});

test("known packages: what was validated before is not looked at again", () => {
  const main = new ModuleBuilder("Main");
  main.value("f", type.int64, expr.text("no number"));
  const archive = buildPackage({ name: "ill-typed", version: "1.0.0", modules: [main] });
  const dar = buildDar(archive);
  assert.equal(loadDar(dar, limits).error?.code, "DAR_VALIDATION_ERROR");
  assert.equal(loadDar(dar, limits, { known: new Set([archive.id]) }).error, undefined);
});
