/** Small packages to be validated. */
import { decodePackage, selfPackageId, stablePackages } from "../../../src/lf/archive/index.js";
import type { Expr, LfVersion, Module, Package, Type } from "../../../src/lf/ast.js";
import type { ValidationError } from "../../../src/lf/errors.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { Budget, validatePackage } from "../../../src/lf/validation/index.js";
import { ModuleBuilder } from "../../support/lf-builder.js";

const stable = new Map(stablePackages().map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));

/** Not through bytes, so that what no archive can say can be said too. */
export const packageOf = (modules: readonly Module[], lfVersion: LfVersion = "2.1"): Package => ({
  id: selfPackageId,
  name: "subject",
  version: "1.0.0",
  lfVersion,
  modules: new Map(modules.map((module) => [module.name, module])),
  directDependencies: new Set(),
});

export function problemOf(package_: Package, others: readonly Package[] = [], budget = new Budget()): ValidationError | undefined {
  const known = new Map([...stable, ...[package_, ...others].map((each) => [each.id, each] as const)]);
  return validatePackage(package_, new PackageInterface({ getPackage: (id) => known.get(id) }), budget).error;
}

/** The rule that a module breaks, or `ok`. */
export const verdict = (...modules: readonly (ModuleBuilder | Module)[]): string =>
  problemOf(packageOf(modules.map((module) => (module instanceof ModuleBuilder ? module.module : module))))?.rule ?? "ok";

/** The verdict on one value beside the definitions of a module. */
export function verdictOn(type: Type, body: Expr, module: Module = new ModuleBuilder("M").module): string {
  return verdict({ ...module, values: new Map(module.values).set("subject", { name: "subject", type, body }) });
}
