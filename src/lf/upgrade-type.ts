/** Violations, and when a type of an older package version is the same type in a newer one. */
import type { DefinitionId, Type, TypeVarWithKind } from "./ast.js";
import type { PackageReader } from "./package-interface.js";
import { comparePackageVersions } from "./package-version.js";

/** Names the violated rule by the reference's constructor. */
export class UpgradeViolation extends Error {
  override readonly name = "UpgradeViolation";
  constructor(
    readonly rule: string,
    message: string,
  ) {
    super(message);
  }
}

export interface VersionPair<T> {
  readonly older: T;
  readonly newer: T;
}

/** The position of each type parameter: their names do not matter. */
export type Binders = VersionPair<ReadonlyMap<string, number>>;

export const noBinders: Binders = { older: new Map(), newer: new Map() };

export const bindersOf = ({ older, newer }: VersionPair<readonly TypeVarWithKind[]>): Binders => ({
  older: positions(older),
  newer: positions(newer),
});

const positions = (params: readonly TypeVarWithKind[]): ReadonlyMap<string, number> => new Map(params.map(({ name }, i) => [name, i]));

/** Synonyms, structs and foralls never match: serialisable types cannot contain them. */
export function isSameType({ older, newer }: VersionPair<Type>, binders: Binders, packages: PackageReader): boolean {
  if (older.kind === "var") return newer.kind === "var" && binders.older.get(older.name) === binders.newer.get(newer.name);
  if (older.kind === "nat") return newer.kind === "nat" && older.value === newer.value;
  if (older.kind === "builtin") return newer.kind === "builtin" && older.builtin === newer.builtin;
  if (older.kind === "con") return newer.kind === "con" && isSameDefinition(older.id, newer.id, packages);
  if (older.kind !== "app" || newer.kind !== "app") return false;
  return (
    isSameType({ older: older.fun, newer: newer.fun }, binders, packages)
    && isSameType({ older: older.arg, newer: newer.arg }, binders, packages)
  );
}

/** A type of another package may come from a newer version of that package too, as it is a valid upgrade itself. */
function isSameDefinition(older: DefinitionId, newer: DefinitionId, packages: PackageReader): boolean {
  if (older.module !== newer.module || older.name !== newer.name) return false;
  if (older.packageId === newer.packageId) return true;
  const [before, after] = [packages.getPackage(older.packageId), packages.getPackage(newer.packageId)];
  return (
    before !== undefined && after !== undefined && before.name === after.name && comparePackageVersions(before.version, after.version) <= 0
  );
}
