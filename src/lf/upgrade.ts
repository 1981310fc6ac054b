/**
 * Whether a package is a valid upgrade of an older one of its name. The first violation is reported; which one
 * that is when there are several is no contract.
 */
import { fail, ok, type Result } from "../base/result.js";
import { type DefDataType, type DefinitionId, type DefTemplate, type LfVersion, type Module, type Package, showId } from "./ast.js";
import type { ValidationError } from "./errors.js";
import type { PackageReader } from "./package-interface.js";
import { checkDataType } from "./upgrade-data.js";
import { isSameType, noBinders, UpgradeViolation, type VersionPair } from "./upgrade-type.js";
import { insteadOf, showForeign, typeIn, type UpgradeScope } from "./upgrade-words.js";

export function checkUpgrade(older: Package, newer: Package, packages: PackageReader): Result<true, ValidationError> {
  try {
    const all: PackageReader = { getPackage: (id) => (id === older.id ? older : id === newer.id ? newer : packages.getPackage(id)) };
    checkPackages(older, newer, { packages: all, ids: { older: older.id, newer: newer.id } });
    return ok(true);
  } catch (error) {
    if (!(error instanceof UpgradeViolation)) throw error;
    return fail({ phase: "validation", code: "NOT_VALID_UPGRADE_PACKAGE", class: error.rule, packageId: newer.id, message: error.message });
  }
}

const lfRank: { readonly [V in LfVersion]: number } = { "2.1": 1, "2.2": 2, "2.3": 3, "2.dev": 4 };

function checkPackages(older: Package, newer: Package, scope: UpgradeScope): void {
  if (lfRank[older.lfVersion] > lfRank[newer.lfVersion]) {
    throw new UpgradeViolation(
      "DecreasingLfVersion",
      `it is written in Daml-LF ${newer.lfVersion}, which is older than Daml-LF ${older.lfVersion} of the version before`,
    );
  }
  const modules = pairs(older.modules, newer.modules, (name) => missing("MissingModule", `module ${name}`));
  for (const module of modules) checkModule(module, scope);
}

function checkModule(module: VersionPair<Module>, scope: UpgradeScope): void {
  const { older, newer } = module;
  const templates = pairs(older.templates, newer.templates, (name) => missing("MissingTemplate", `template ${older.name}:${name}`));
  for (const template of templates) checkTemplate(template, newer.name, scope);
  for (const template of templates) checkInstances(template, newer.name, scope);
  const types = pairs(plainTypes(older), plainTypes(newer), (name, type) =>
    type.serializable ? missing("MissingDataCon", `data type ${older.name}:${name}`) : undefined,
  );
  for (const type of types) checkDataType(type, module, scope);
}

const missing = (rule: string, what: string): UpgradeViolation =>
  new UpgradeViolation(rule, `${what} is missing: an upgrade keeps what the version before has`);

/** Data types that belong to no interface and no exception; those may come, go and change. */
const plainTypes = (module: Module): ReadonlyMap<string, DefDataType> =>
  new Map([...module.dataTypes].filter(([name]) => !module.interfaces.has(name) && !module.exceptions.has(name)));

/** Consuming or not, controllers, observers, signatories and ensure are compared when contracts are used, not here. */
function checkTemplate({ older, newer }: VersionPair<DefTemplate>, module: string, scope: UpgradeScope): void {
  const place = `template ${module}:${newer.name}`;
  const choices = pairs(older.choices, newer.choices, (name) => missing("MissingChoice", `choice ${name} of ${place}`));
  for (const choice of choices) {
    const types = { older: choice.older.returnType, newer: choice.newer.returnType };
    if (!isSameType(types, noBinders, scope.packages)) {
      throw new UpgradeViolation("ChoiceChangedReturnType", `choice ${choice.newer.name} of ${place} returns ${insteadOf(types, scope)}`);
    }
  }
  checkKey({ older, newer }, place, scope);
}

function checkKey({ older: { key: before }, newer: { key: after } }: VersionPair<DefTemplate>, place: string, scope: UpgradeScope): void {
  if (before === undefined && after === undefined) return;
  if (before === undefined) {
    throw new UpgradeViolation(
      "TemplateAddedKey",
      `${place} has a contract key of type ${typeIn("newer", after!.type, scope)} now, and had none`,
    );
  }
  if (after === undefined) {
    throw new UpgradeViolation(
      "TemplateRemovedKey",
      `${place} has no contract key any more, and had one of type ${typeIn("older", before.type, scope)}`,
    );
  }
  const types = { older: before.type, newer: after.type };
  if (!isSameType(types, noBinders, scope.packages)) {
    throw new UpgradeViolation("TemplateChangedKeyType", `the contract key of ${place} has type ${insteadOf(types, scope)}`);
  }
}

/** The interface is named by its exact package id: an instance for a newer version of it is another instance. */
function checkInstances({ older, newer }: VersionPair<DefTemplate>, module: string, { packages }: UpgradeScope): void {
  const kept = new Set(newer.implements.map((instance) => showId(instance.interface)));
  const gone = older.implements.find((instance) => !kept.has(showId(instance.interface)))?.interface;
  if (gone === undefined) return;
  const shown = (id: DefinitionId): string => `${showForeign(id, packages)} (package ${id.packageId})`;
  const other = newer.implements
    .map((instance) => instance.interface)
    .find(({ module: in_, name }) => in_ === gone.module && name === gone.name);
  const instead = other === undefined ? "" : `; ${shown(other)}, which it implements, is another one`;
  throw new UpgradeViolation(
    "MissingImplementation",
    `template ${module}:${newer.name} no longer implements interface ${shown(gone)}${instead}`,
  );
}

/** What both versions have; `onMissing` says what is wrong when the newer one lacks an entry. */
function pairs<T>(
  older: ReadonlyMap<string, T>,
  newer: ReadonlyMap<string, T>,
  onMissing: (name: string, older: T) => UpgradeViolation | undefined,
): readonly VersionPair<T>[] {
  const found: VersionPair<T>[] = [];
  for (const [name, before] of older) {
    const after = newer.get(name);
    if (after !== undefined) found.push({ older: before, newer: after });
    else {
      const violation = onMissing(name, before);
      if (violation !== undefined) throw violation;
    }
  }
  return found;
}
