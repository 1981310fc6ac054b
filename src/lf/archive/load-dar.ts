/** From the bytes of a DAR to packages that may be stored. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { LfVersion, Package, PackageId } from "../ast.js";
import type { ArchiveError, ValidationError } from "../errors.js";
import { PackageInterface } from "../package-interface.js";
import { Budget, isValidPackage, validatePackage, type ModuleVisit } from "../validation/index.js";
import type { Archive } from "./archive.js";
import { readDar, type Dar } from "./dar.js";
import { openBodies, releaseBodies } from "./decode.js";
import { checkDar } from "./dependencies.js";
import { attempt } from "./failure.js";
import { checkPackage, decodePackage, openProvenPackage } from "./package.js";
import { isProvenPackageId } from "../proven-package-ids.js";
import { isStablePackageId } from "../stable-package-ids.js";
import { stableVersions } from "./version.js";
import type { ZipLimits } from "./zip.js";

export interface LoadedPackage {
  readonly package: Package;
  /** As in its archive. */
  readonly payload: Uint8Array;
}

export interface LoadedDar {
  readonly main: PackageId;
  /** Dependencies before what depends on them. */
  readonly packages: readonly LoadedPackage[];
  readonly warnings: readonly string[];
}

export type LoadResult = Result<LoadedDar, ArchiveError | ValidationError>;

export interface LoadOptions {
  /** Language versions that packages may have; stable packages may have any. */
  readonly allowed?: ReadonlySet<LfVersion>;
  /** Packages that came out of here before; they are not even decoded again. */
  readonly earlier?: { get(id: PackageId): Package | undefined };
  /** Whether every definition of a package is known to be sound, by its id alone; and that all packages are used that its strings name. */
  readonly isProven?: (id: PackageId) => boolean;
}

const none: ReadonlyMap<PackageId, Package> = new Map();

/** Opens, decodes, checks and validates everything; what comes out may be stored as it is. */
export function loadDar(bytes: Uint8Array, limits: ZipLimits, options?: LoadOptions): LoadResult {
  const dar = readDar(bytes, limits);
  return isFailure(dar) ? dar : loadArchives(dar.ok, options);
}

/** The same from an opened DAR. */
export function loadArchives(
  { main, archives }: Dar,
  { allowed = stableVersions, earlier = none, isProven = isProvenPackageId }: LoadOptions = {},
): LoadResult {
  const packages: Package[] = [],
    fresh: Package[] = [];
  for (const archive of archives) {
    const { id } = archive,
      before = earlier.get(id),
      isFresh = before === undefined && !isStablePackageId(id) && !isProven(id);
    const read =
      before !== undefined ? ok(before) : isFresh ? decodePackage(id, archive.payload) : openKnown(id, archive.payload, isProven);
    if (isFailure(read)) return fail(firstMalformed(fresh) ?? read.error);
    packages.push(read.ok);
    if (isFresh) fresh.push(read.ok);
  }
  const found = validateFresh(packages, fresh);
  if (found.error !== undefined) return fail(found.error);
  const checked = checkDar(packages[0]!, packages, allowed); // the main package comes first
  if (isFailure(checked)) return checked;
  const refusal = found.ok.isValid ? undefined : validateAll(checked.ok.packages, new Set(fresh), found.ok.budget);
  if (refusal !== undefined) return fail(refusal);
  const byId = new Map(archives.map((archive) => [archive.id, archive]));
  return ok({
    main,
    packages: checked.ok.packages.map((package_) => withPayload(package_, byId.get(package_.id)!)),
    warnings: checked.ok.warnings,
  });
}

const withPayload = (package_: Package, archive: Archive): LoadedPackage => ({
  package: package_,
  get payload() {
    return archive.payload;
  },
});

/** A stable package that is not stored yet is decoded once, so that its references are known. */
function openKnown(id: PackageId, payload: Uint8Array, isProven: (id: PackageId) => boolean): Result<Package, ArchiveError> {
  if (isProven(id)) return openProvenPackage(id, payload);
  const decoded = decodePackage(id, payload);
  return isFailure(decoded) ? decoded : checkPackage(decoded.ok);
}

const interfaceOf = (packages: readonly Package[]): PackageInterface => {
  const byId = new Map(packages.map((package_) => [package_.id, package_]));
  return new PackageInterface({ getPackage: (id) => byId.get(id) });
};

const oneModuleAtOnce: ModuleVisit = { enter: openBodies, leave: releaseBodies };

/**
 * Goes through the expressions of each module while they are at hand, as nearly all DARs are valid. Where one is not, everything is decoded
 * first, because a package that cannot be is told before any that breaks a rule; and `validateAll` is to say which rule. A DAR that spent
 * all of its budget has nothing left for that.
 */
function validateFresh(
  packages: readonly Package[],
  fresh: readonly Package[],
): Result<{ readonly isValid: boolean; readonly budget: Budget }, ArchiveError> {
  const interface_ = interfaceOf(packages),
    budget = new Budget();
  const found = attempt(() => fresh.every((package_) => isValidPackage(package_, interface_, budget, oneModuleAtOnce)));
  if (found.ok === true) return ok({ isValid: true, budget });
  const malformed = firstMalformed(fresh);
  return malformed === undefined ? ok({ isValid: false, budget: budget.left < 0 ? budget : new Budget() }) : fail(malformed);
}

/** Of packages in the order of the DAR: the first with an expression that cannot be decoded. */
function firstMalformed(packages: readonly Package[]): ArchiveError | undefined {
  for (const package_ of packages) {
    const { error } = checkPackage(package_);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** In the order given, so that a package is believed only after it was validated. One budget for all of a DAR. */
function validateAll(packages: readonly Package[], fresh: ReadonlySet<Package>, budget: Budget): ValidationError | undefined {
  const interface_ = interfaceOf(packages);
  for (const package_ of packages) {
    if (!fresh.has(package_)) continue;
    const { error } = validatePackage(package_, interface_, budget);
    if (error !== undefined) return error;
  }
  return undefined;
}
