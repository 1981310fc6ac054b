import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { isFailure, type Result } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import type { Package, PackageId } from "../../../src/lf/ast.js";
import type { ArchiveError } from "../../../src/lf/errors.js";
import { decodePackage, openPackage, readDar, stablePackages } from "../../../src/lf/archive/index.js";
import { testData } from "../../support/paths.js";
import { plain } from "./plain.js";

const must = (result: Result<Package, ArchiveError>): Package => {
  assert.ok(!isFailure(result), result.error?.message);
  return result.ok!;
};

function* archives(): Generator<{ readonly id: PackageId; readonly payload: Uint8Array }> {
  yield* stablePackages();
  for (const name of readdirSync(testData("engine", "dars"))) {
    const dar = readDar(readFileSync(testData("engine", "dars", name)), limits);
    if (!isFailure(dar)) yield dar.ok.archives[0]!;
  }
}

test("open package: a package that is decoded as it is asked for is the package that was decoded and checked at once", () => {
  let packages = 0;
  for (const { id, payload } of archives()) {
    const decoded = decodePackage(id, payload);
    if (isFailure(decoded)) continue;
    const { directDependencies } = decoded.ok,
      opened = must(openPackage(id, payload, directDependencies));
    assert.deepEqual(
      [opened.id, opened.name, opened.version, opened.lfVersion],
      [decoded.ok.id, decoded.ok.name, decoded.ok.version, decoded.ok.lfVersion],
    );
    assert.deepEqual(plain(opened), plain(decoded.ok), decoded.ok.name);
    assert.equal(opened.directDependencies, directDependencies);
    packages += 1;
  }
  assert.ok(packages > 40, `${packages} packages`);
});

test("open package: whatever is asked for first, it is the same", () => {
  const dar = readDar(readFileSync(testData("engine", "dars", "tokens-2.1.dar")), limits);
  const { id, payload } = dar.ok!.archives[0]!;
  const decoded = must(decodePackage(id, payload)),
    opened = must(openPackage(id, payload, new Set()));
  for (const [name, module] of [...decoded.modules].reverse()) {
    for (const [value, { body, type }] of [...module.values].reverse()) {
      const same = opened.modules.get(name)?.values.get(value);
      assert.deepEqual([same?.body, same?.type], [body, type], `${name}:${value}`);
    }
  }
});

test("open package: a payload that is cut short is refused", () => {
  const [{ id, payload } = assert.fail("a stable package")] = stablePackages();
  const opened = openPackage(id, payload.subarray(0, payload.length - 1), new Set());
  assert.ok(isFailure(opened));
});
