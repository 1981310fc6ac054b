/**
 * Do the packages of a DAR fit together? Versions allowed, nothing missing, nothing too much (reference:
 * Engine.validateDar of Canton 3.5). What is inside the packages is `lf/validation`'s part.
 */
import { fail, ok, type Result } from "../../base/result.js";
import type { LfVersion, Package, PackageId } from "../ast.js";
import type { ValidationError } from "../errors.js";
import { declaredImports } from "./decode.js";
import { isStablePackageId } from "../stable-package-ids.js";
import { disallowed, supports } from "./version.js";

export interface CheckedDar {
  /** Dependencies before what depends on them; the main package is the last of those it needs. */
  readonly packages: readonly Package[];
  /** What an operator should know about a DAR that is accepted all the same. */
  readonly warnings: readonly string[];
}

type Packages = ReadonlyMap<PackageId, Package>;

/** Checks packages as one DAR. */
export function checkDar(main: Package, all: readonly Package[], allowed: ReadonlySet<LfVersion>): Result<CheckedDar, ValidationError> {
  const packages: Packages = new Map(all.map((package_) => [package_.id, package_]));
  const refusal =
    checkVersions(all, allowed)
    ?? checkMissing(main, packages)
    ?? checkUnused(main, packages)
    ?? firstOf(all, (package_) => checkDependencies(package_, packages));
  if (refusal !== undefined) return fail(refusal);
  const unused = unusedPackages(main, packages);
  return ok({
    packages: dependenciesFirst(packages),
    warnings: unused.length === 0 ? [] : [`the DAR carries packages that its main package does not need: ${unused.join(", ")}`],
  });
}

function firstOf<T>(items: Iterable<T>, check: (item: T) => ValidationError | undefined): ValidationError | undefined {
  for (const item of items) {
    const error = check(item);
    if (error !== undefined) return error;
  }
  return undefined;
}

function checkVersions(all: readonly Package[], allowed: ReadonlySet<LfVersion>): ValidationError | undefined {
  return firstOf(all, ({ id, lfVersion }) =>
    isStablePackageId(id) || allowed.has(lfVersion)
      ? undefined
      : {
          phase: "validation",
          code: "ALLOWED_LANGUAGE_VERSIONS",
          class: "AllowedLanguageVersion",
          packageId: id,
          ...disallowed(id, lfVersion, allowed),
        },
  );
}

/** What a package imports, stable packages aside: as declared, or else as referred to. */
function imports(package_: Package): readonly PackageId[] {
  return [...(declaredImports(package_) ?? package_.directDependencies)].filter((id) => !isStablePackageId(id));
}

/** The packages that are needed, whether they are there or not. */
function needed(main: Package, packages: Packages): ReadonlySet<PackageId> {
  const found = new Set([main.id]);
  for (const id of found) {
    // grows while it is walked
    const package_ = packages.get(id);
    if (package_ !== undefined) for (const imported of imports(package_)) found.add(imported);
  }
  return found;
}

interface Inconsistency {
  readonly missing?: readonly PackageId[];
  readonly unused?: readonly PackageId[];
}

const inconsistent = (main: Package, message: string, { missing = [], unused = [] }: Inconsistency): ValidationError => ({
  phase: "validation",
  code: "DAR_DEPENDENCIES_NOT_VALID",
  class: "DarSelfConsistency",
  packageId: main.id,
  message,
  details: {
    mainPackageId: main.id,
    missingDependencies: `Set(${missing.join(", ")})`,
    extraDependencies: `Set(${unused.join(", ")})`,
  },
});

function checkMissing(main: Package, packages: Packages): ValidationError | undefined {
  const missing = [...needed(main, packages)].filter((id) => !packages.has(id));
  if (missing.length === 0) return undefined;
  return inconsistent(main, `the DAR of package ${main.id} lacks the packages ${missing.join(", ")}`, { missing });
}

const unusedPackages = (main: Package, packages: Packages): readonly PackageId[] => {
  const used = needed(main, packages);
  return [...packages.keys()].filter((id) => !used.has(id) && !isStablePackageId(id));
};

/** Compilers put unused packages into DARs until imports became explicit, so older DARs keep them. */
function checkUnused(main: Package, packages: Packages): ValidationError | undefined {
  const unused = unusedPackages(main, packages);
  if (unused.length === 0 || !supports(main.lfVersion, "Explicit package imports")) return undefined;
  return inconsistent(main, `the DAR of package ${main.id} carries packages that it does not need: ${unused.join(", ")}`, { unused });
}

/** Packages that the main package does not need have dependencies too. */
function checkDependencies(package_: Package, packages: Packages): ValidationError | undefined {
  return firstOf(package_.directDependencies, (id) =>
    packages.has(id)
      ? undefined
      : inconsistent(package_, `package ${package_.id} refers to package ${id}, which the DAR lacks`, { missing: [id] }),
  );
}

function dependenciesFirst(packages: Packages): readonly Package[] {
  const ordered = new Set<Package>();
  const visit = (package_: Package): void => {
    for (const id of package_.directDependencies) {
      const dependency = packages.get(id);
      if (dependency !== undefined && !ordered.has(dependency)) visit(dependency);
    }
    ordered.add(package_);
  };
  for (const package_ of packages.values()) if (!ordered.has(package_)) visit(package_);
  return [...ordered];
}
