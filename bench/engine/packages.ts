/** The DARs of test/data/engine, decoded. */
import { readFileSync } from "node:fs";
import { limits } from "../../src/config.js";
import { isFailure } from "../../src/base/result.js";
import { assert } from "../../src/base/assert.js";
import { decodePackage, type Package, type PackageId, type PackageReader, readDar, stablePackages } from "../../src/lf/index.js";
import { testData } from "../../test/support/paths.js";

export interface BenchPackages { readonly packageId: PackageId; readonly packages: readonly Package[]; readonly reader: PackageReader }

/** `packageId` is that of the main package. */
export function benchPackages(dar: string): BenchPackages {
  return darPackages(testData("engine", "dars", `${dar}.dar`));
}

export function darPackages(file: string): BenchPackages {
  const opened = readDar(readFileSync(file), limits);
  assert(!isFailure(opened), `${file} is a DAR`);
  const packages = [...stablePackages(), ...opened.ok.archives].map(({ id, payload }) => {
    const decoded = decodePackage(id, payload);
    assert(!isFailure(decoded), `${id} can be decoded`);
    return decoded.ok;
  });
  const byId = new Map(packages.map((each) => [each.id, each]));
  return { packageId: opened.ok.main, packages, reader: { getPackage: (id) => byId.get(id) } };
}
