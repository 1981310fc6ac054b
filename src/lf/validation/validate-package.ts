/**
 * Is a package well-formed? In the reference's order (Validation.scala of Canton 3.5): names that collide, circles of
 * modules and synonyms, dependencies of a newer language version, then module by module types and serializability.
 * What compiled code takes for granted is what is proved here.
 */
import type { Result } from "../../base/result.js";
import { isOlderVersion } from "../language-version.js";
import type { Package } from "../ast.js";
import type { ValidationError } from "../errors.js";
import type { PackageInterface } from "../package-interface.js";
import { Budget } from "./budget.js";
import { checkCollisions } from "./collisions.js";
import { ModuleChecker } from "./modules.js";
import { checkRecursion } from "./recursion.js";
import { attempt, ValidationFailure } from "./refusal.js";

/** The packages that this one depends on must have passed, or pass later: their definitions are believed. */
export function validatePackage(
  package_: Package,
  packages: PackageInterface,
  budget: Budget = new Budget(),
): Result<true, ValidationError> {
  return attempt(package_.id, () => {
    checkCollisions(package_);
    checkRecursion(package_);
    checkDependencies(package_, packages);
    const checker = new ModuleChecker(package_, packages, budget);
    for (const module of package_.modules.values()) checker.check(module);
  });
}

function checkDependencies({ id, lfVersion, directDependencies }: Package, packages: PackageInterface): void {
  for (const dependencyId of directDependencies) {
    const dependency = packages.package(dependencyId);
    if (dependency === undefined)
      throw new ValidationFailure("UnknownDefinition", "", `package ${id} refers to package ${dependencyId}, which is not there`);
    if (isOlderVersion(lfVersion, dependency.lfVersion))
      throw new ValidationFailure(
        "ModuleVersionDependencies",
        "",
        `it is Daml-LF ${lfVersion}, older than ${dependency.lfVersion} of package ${dependencyId} that it depends on`,
      );
  }
}
