/** The two steps from an opened archive to a package that may be stored: decode its signatures, check its bodies. */
import type { Result } from "../../base/result.js";
import type { Package, PackageId } from "../ast.js";
import type { ArchiveError } from "../errors.js";
import { checkBodies, decodePayload } from "./decode.js";
import { attempt } from "./failure.js";

/**
 * Decodes signatures; expressions are decoded when they are first used. For a package that was never checked, call
 * `checkPackage` too: a malformed expression met later is thrown as `ArchiveFailure`.
 */
export const decodePackage = (id: PackageId, payload: Uint8Array): Result<Package, ArchiveError> =>
  attempt(() => decodePayload(id, payload, { kind: "unchecked" }));

/** A package that was decoded and checked before, and what it refers to: nothing is decoded before it is asked for. */
export const openPackage = (
  id: PackageId,
  payload: Uint8Array,
  directDependencies: ReadonlySet<PackageId>,
): Result<Package, ArchiveError> => attempt(() => decodePayload(id, payload, { kind: "checked", directDependencies }));

/** A package whose id proves that it passes all checks (`proven-package-ids.ts`). */
export const openProvenPackage = (id: PackageId, payload: Uint8Array): Result<Package, ArchiveError> =>
  attempt(() => decodePayload(id, payload, { kind: "proven" }));

/** Decodes every expression once, and keeps none of them, as they take ten times their bytes. */
export const checkPackage = (package_: Package): Result<Package, ArchiveError> =>
  attempt(() => {
    checkBodies(package_);
    return package_;
  });
