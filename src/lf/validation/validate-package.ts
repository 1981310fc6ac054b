/**
 * Is a package well-formed? In the reference's order (Validation.scala of Canton 3.5): names that collide, circles of
 * modules and synonyms, dependencies of a newer language version, then module by module types and serializability.
 * What compiled code takes for granted is what is proved here.
 */
import type { Result } from "../../base/result.js";
import { isOlderVersion } from "../language-version.js";
import type { Module, Package } from "../ast.js";
import type { ValidationError } from "../errors.js";
import type { PackageInterface } from "../package-interface.js";
import { Budget } from "./budget.js";
import { checkCollisions } from "./collisions.js";
import { ModuleChecker } from "./modules.js";
import { checkImports, checkRecursion, hasSynonymCycle, modulesUsed } from "./recursion.js";
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

/** Around all that is done with the expressions of a module. */
export interface ModuleVisit {
  enter(module: Module): void;
  leave(module: Module): void;
}

/** Whether nothing is wrong, found module by module: what is wrong first is for `validatePackage` to say. */
export function isValidPackage(package_: Package, packages: PackageInterface, budget: Budget, visit: ModuleVisit): boolean {
  const { error } = attempt(package_.id, () => {
    checkCollisions(package_);
    if (hasSynonymCycle(package_)) throw new ValidationFailure("TypeSynCycle", "", "type synonyms stand for each other in a circle");
    const checker = new ModuleChecker(package_, packages, budget),
      used = new Map<string, ReadonlySet<string>>();
    for (const module of package_.modules.values()) {
      visit.enter(module);
      used.set(module.name, modulesUsed(package_, module));
      checker.check(module);
      visit.leave(module);
    }
    checkImports(used);
    checkDependencies(package_, packages);
  });
  return error === undefined;
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
