/** The DARs of test/data/engine, decoded. */
import { readFileSync } from "node:fs";
import { limits } from "../../src/config.js";
import { isFailure } from "../../src/base/result.js";
import { assert } from "../../src/base/assert.js";
import { decodePackage, type Package, type PackageId, type PackageReader, readDar, stablePackages } from "../../src/lf/index.js";
import { testData } from "../../test/support/paths.js";

export interface BenchPackages {
  readonly packageId: PackageId;
  readonly packages: readonly Package[];
  readonly reader: PackageReader;
}

/** `packageId` is that of the main package. */
export function benchPackages(dar: string): BenchPackages {
  return darPackages(testData("engine", "dars", `${dar}.dar`));
}

/** Of one or more DARs; the first has the main package. */
export function darPackages(...files: readonly [string, ...string[]]): BenchPackages {
  const opened = files.map((file) => {
    const read = readDar(readFileSync(file), limits);
    assert(!isFailure(read), `${file} is a DAR`);
    return read.ok;
  });
  const archives = new Map([...stablePackages(), ...opened.flatMap(({ archives }) => archives)].map(({ id, payload }) => [id, payload]));
  const packages = [...archives].map(([id, payload]) => {
    const decoded = decodePackage(id, payload);
    assert(!isFailure(decoded), `${id} can be decoded`);
    return decoded.ok;
  });
  const byId = new Map(packages.map((each) => [each.id, each]));
  return { packageId: opened[0]!.main, packages, reader: { getPackage: (id) => byId.get(id) } };
}
