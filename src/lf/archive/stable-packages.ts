/**
 * The 27 packages that are built in. They are described in `stable/` and encoded to exactly the bytes that were
 * published, which their ids prove.
 */
import { assert } from "../../base/assert.js";
import type { Archive } from "./archive.js";
import { encodePackage } from "./encode.js";
import { stablePackageIds, type StableModule } from "../stable-package-ids.js";
import { describePackage, type PackageDescription } from "./stable/notation.js";
import { primPackages } from "./stable/prim.js";
import { stdlibPackages } from "./stable/stdlib.js";

let encoded: readonly Archive[] | undefined;

/** In an order in which what a package refers to comes before it. */
export function stablePackages(): readonly Archive[] {
  return (encoded ??= [...primPackages, ...dependenciesFirst(stdlibPackages)].map(encodeStable));
}

function encodeStable(description: PackageDescription): Archive {
  const archive = encodePackage(describePackage(description));
  assert(
    archive.id === stablePackageIds[description.module as StableModule],
    `the stable package ${description.name} is not encoded to its published bytes`,
  );
  return archive;
}

/** DA.NonEmpty.Types is the only one of the standard library that another refers to. */
const dependenciesFirst = (packages: readonly PackageDescription[]): readonly PackageDescription[] =>
  [...packages].sort((left, right) => Number(right.module === "DA.NonEmpty.Types") - Number(left.module === "DA.NonEmpty.Types"));
