import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { decodePackage, readDar, stablePackages } from "../../src/lf/archive/index.js";
import { PackageInterface } from "../../src/lf/package-interface.js";
import { testData } from "../support/paths.js";
import { compileAll, compilerOf } from "./compile-all.js";
import { loadFolder } from "./packages.js";
import { text } from "../support/knobs.js";

/** Public DARs are not part of this repository: name a folder that holds some to run this on them. */
const folder = text("LEDGERLINE_REAL_DARS");

test(
  "real DARs: every package id matches, everything decodes, is well typed and compiles, or is refused as by the reference",
  { skip: folder === undefined ? "LEDGERLINE_REAL_DARS names no folder of DARs" : false, timeout: 600_000 },
  (context) => {
    const { files, packages } = loadFolder(folder!);
    assert.deepEqual(
      files.filter(({ isExpected }) => !isExpected).map(({ dar, refusal }) => `${dar}: ${refusal}`),
      [],
    );
    context.diagnostic(
      `${files.length} DARs, ${packages.size} packages, ${files.reduce((sum, { functions }) => sum + functions, 0)} functions`,
    );
  },
);

test("compiler: every definition of the stable packages and of a compiled project's whole DAR becomes JavaScript, used or not", () => {
  const dar = readDar(readFileSync(testData("quickstart.dar")), limits);
  assert.ok(!isFailure(dar));
  const archives = new Map([...stablePackages(), ...dar.ok.archives].map((archive) => [archive.id, archive]));
  const packages = new Map([...archives.values()].map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
  const compiler = compilerOf(new PackageInterface({ getPackage: (id) => packages.get(id) }));
  for (const package_ of packages.values()) {
    const { functions, refusal } = compileAll(compiler, package_);
    assert.equal(refusal, undefined, package_.name);
    const values = [...package_.modules.values()].reduce((sum, module) => sum + module.values.size, 0);
    assert.ok(functions.length >= values && functions.every((each) => typeof each === "function"));
  }
});
