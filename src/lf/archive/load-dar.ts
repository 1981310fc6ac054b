/** From the bytes of a DAR to packages that may be stored. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { LfVersion, Package, PackageId } from "../ast.js";
import type { ArchiveError, ValidationError } from "../errors.js";
import { PackageInterface } from "../package-interface.js";
import { Budget, validatePackage } from "../validation/index.js";
import { readDar } from "./dar.js";
import { checkDar } from "./dependencies.js";
import { checkPackage, decodePackage, openProvenPackage } from "./package.js";
import { isProvenPackageId } from "../proven-package-ids.js";
import { isStablePackageId } from "../stable-package-ids.js";
import { stableVersions } from "./version.js";
import type { ZipLimits } from "./zip.js";

export interface LoadedPackage {
  readonly package: Package;
  readonly payload: Uint8Array;
}

export interface LoadedDar {
  readonly main: PackageId;
  /** Dependencies before what depends on them. */
  readonly packages: readonly LoadedPackage[];
  readonly warnings: readonly string[];
}

type Loaded = Result<LoadedDar, ArchiveError | ValidationError>;

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
export function loadDar(
  bytes: Uint8Array,
  limits: ZipLimits,
  { allowed = stableVersions, earlier = none, isProven = isProvenPackageId }: LoadOptions = {},
): Loaded {
  const dar = readDar(bytes, limits);
  if (isFailure(dar)) return dar;
  const { main, archives } = dar.ok;
  const packages: Package[] = [],
    fresh = new Set<Package>();
  for (const { id, payload } of archives) {
    const before = earlier.get(id),
      isKnown = before !== undefined || isProven(id);
    const read = before !== undefined ? ok(before) : isKnown ? openProvenPackage(id, payload) : decodeWhole(id, payload);
    if (isFailure(read)) return read;
    packages.push(read.ok);
    if (!isKnown && !isStablePackageId(id)) fresh.add(read.ok);
  }
  const checked = checkDar(packages[0]!, packages, allowed); // the main package comes first
  if (isFailure(checked)) return checked;
  const refusal = validateAll(checked.ok.packages, fresh);
  if (refusal !== undefined) return fail(refusal);
  const payloads = new Map(archives.map(({ id, payload }) => [id, payload]));
  return ok({
    main,
    packages: checked.ok.packages.map((package_) => ({ package: package_, payload: payloads.get(package_.id)! })),
    warnings: checked.ok.warnings,
  });
}

/** Who validates a package goes through all of its expressions again. */
function decodeWhole(id: PackageId, payload: Uint8Array): Result<Package, ArchiveError> {
  const decoded = decodePackage(id, payload);
  return isFailure(decoded) ? decoded : checkPackage(decoded.ok, { keep: !isStablePackageId(id) });
}

/** In the order given, so that a package is believed only after it was validated. One budget for all of a DAR. */
function validateAll(packages: readonly Package[], fresh: ReadonlySet<Package>): ValidationError | undefined {
  const byId = new Map(packages.map((package_) => [package_.id, package_]));
  const interface_ = new PackageInterface({ getPackage: (id) => byId.get(id) });
  const budget = new Budget();
  for (const package_ of packages) {
    if (!fresh.has(package_)) continue;
    const { error } = validatePackage(package_, interface_, budget);
    if (error !== undefined) return error;
  }
  return undefined;
}
