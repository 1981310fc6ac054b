import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { loadDar, summarizePackage } from "../../../src/lf/archive/index.js";
import { openProvenPackage } from "../../../src/lf/archive/package.js";
import type { Package, PackageId } from "../../../src/lf/ast.js";
import { isProvenPackageId } from "../../../src/lf/proven-package-ids.js";
import { text } from "../../support/knobs.js";
import { testData } from "../../support/paths.js";

const nobody = (): boolean => false;

test("proven packages: what an id proves is not validated again, and everything else is", () => {
  const bytes = readFileSync(testData("engine", "dars-invalid", "bad-type-mismatch.dar"));
  assert.ok(loadDar(bytes, limits).error !== undefined);
  assert.ok(loadDar(bytes, limits, { isProven: nobody }).error !== undefined);
  assert.equal(loadDar(bytes, limits, { isProven: () => true }).error, undefined);
});

const folder = text("LEDGERLINE_REAL_DARS");

test("proven packages: what one refers to is told by its strings", () => {
  for (const name of ["client1-2.1.dar", "tokens-2.2.dar"]) {
    const { packages } = loadDar(readFileSync(testData("engine", "dars", name)), limits, { isProven: nobody }).ok!;
    for (const { package: one, payload } of packages)
      assert.deepEqual(summarizePackage(openProvenPackage(one.id, payload).ok!), summarizePackage(one), `${name}: ${one.name}`);
  }
});

test(
  "proven packages: each of them that public DARs bring along is decoded and validated whole",
  { skip: folder === undefined ? "LEDGERLINE_REAL_DARS names no folder of DARs" : false, timeout: 600_000 },
  (context) => {
    const proven = new Set<string>(),
      earlier = new Map<PackageId, Package>(); // nearly all DARs have the same
    for (const name of readdirSync(folder!).filter((each) => each.endsWith(".dar"))) {
      const loaded = loadDar(readFileSync(join(folder!, name)), limits, { earlier, isProven: nobody });
      assert.equal(loaded.error, undefined, name);
      for (const { package: one, payload } of loaded.ok!.packages) {
        if (earlier.has(one.id)) continue;
        earlier.set(one.id, one);
        if (!isProvenPackageId(one.id)) continue;
        proven.add(`${one.name} ${one.version} ${one.id}`);
        assert.deepEqual(summarizePackage(openProvenPackage(one.id, payload).ok!), summarizePackage(one), one.name);
      }
    }
    for (const each of proven) context.diagnostic(each);
    assert.ok(proven.size > 0, "no DAR of the folder has one of them");
  },
);
