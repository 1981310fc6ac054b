/**
 * Whether a package is a valid upgrade of an older one of its name. The first violation is reported; which one
 * that is when there are several is no contract.
 */
import { fail, ok, type Result } from "../base/result.js";
import { type DefDataType, type DefTemplate, type LfVersion, type Module, type Package, showId } from "./ast.js";
import type { ValidationError } from "./errors.js";
import type { PackageReader } from "./package-interface.js";
import { checkDataType } from "./upgrade-data.js";
import { isSameType, noBinders, UpgradeViolation, type VersionPair } from "./upgrade-type.js";

export function checkUpgrade(older: Package, newer: Package, packages: PackageReader): Result<true, ValidationError> {
  try {
    checkPackages(older, newer, { getPackage: (id) => (id === older.id ? older : id === newer.id ? newer : packages.getPackage(id)) });
    return ok(true);
  } catch (error) {
    if (!(error instanceof UpgradeViolation)) throw error;
    return fail({
      phase: "validation", code: "NOT_VALID_UPGRADE_PACKAGE", class: error.rule, packageId: newer.id,
      message: `package ${newer.name} ${newer.version} (${newer.id}) is not a valid upgrade of ${older.version} (${older.id}): ${error.message}`,
    });
  }
}

const lfRank: { readonly [V in LfVersion]: number } = { "2.1": 1, "2.2": 2, "2.3": 3, "2.dev": 4 };

function checkPackages(older: Package, newer: Package, packages: PackageReader): void {
  if (lfRank[older.lfVersion] > lfRank[newer.lfVersion]) {
    throw new UpgradeViolation("DecreasingLfVersion", `language version ${newer.lfVersion} is lower than ${older.lfVersion}`);
  }
  const modules = pairs(older.modules, newer.modules, (name) => new UpgradeViolation("MissingModule", `module ${name} is gone`));
  for (const module of modules) checkModule(module, packages);
}

function checkModule(module: VersionPair<Module>, packages: PackageReader): void {
  const { older, newer } = module;
  const templates = pairs(older.templates, newer.templates, (name) => new UpgradeViolation("MissingTemplate", `template ${older.name}:${name} is gone`));
  for (const template of templates) checkTemplate(template, packages);
  for (const template of templates) checkInstances(template);
  const types = pairs(plainTypes(older), plainTypes(newer), (name, type) =>
    type.serializable ? new UpgradeViolation("MissingDataCon", `data type ${older.name}:${name} is gone`) : undefined);
  for (const type of types) checkDataType(type, module, packages);
}

/** Data types that belong to no interface and no exception; those may come, go and change. */
const plainTypes = (module: Module): ReadonlyMap<string, DefDataType> =>
  new Map([...module.dataTypes].filter(([name]) => !module.interfaces.has(name) && !module.exceptions.has(name)));

/** Consuming or not, controllers, observers, signatories and ensure are compared when contracts are used, not here. */
function checkTemplate({ older, newer }: VersionPair<DefTemplate>, packages: PackageReader): void {
  const choices = pairs(older.choices, newer.choices, (name) => new UpgradeViolation("MissingChoice", `choice ${name} of template ${older.name} is gone`));
  for (const choice of choices) {
    if (!isSameType({ older: choice.older.returnType, newer: choice.newer.returnType }, noBinders, packages)) {
      throw new UpgradeViolation("ChoiceChangedReturnType", `choice ${choice.newer.name} of template ${newer.name} returns another type`);
    }
  }
  checkKey({ older, newer }, packages);
}

function checkKey({ older, newer }: VersionPair<DefTemplate>, packages: PackageReader): void {
  if (older.key === undefined && newer.key === undefined) return;
  if (older.key === undefined) throw new UpgradeViolation("TemplateAddedKey", `template ${newer.name} has a key now`);
  if (newer.key === undefined) throw new UpgradeViolation("TemplateRemovedKey", `template ${newer.name} has no key any more`);
  if (!isSameType({ older: older.key.type, newer: newer.key.type }, noBinders, packages)) {
    throw new UpgradeViolation("TemplateChangedKeyType", `the key of template ${newer.name} has another type`);
  }
}

/** The interface is named by its exact package id: an instance for a newer version of it is another instance. */
function checkInstances({ older, newer }: VersionPair<DefTemplate>): void {
  const kept = new Set(newer.implements.map((instance) => showId(instance.interface)));
  const gone = older.implements.find((instance) => !kept.has(showId(instance.interface)));
  if (gone !== undefined) throw new UpgradeViolation("MissingImplementation", `template ${newer.name} no longer implements ${showId(gone.interface)}`);
}

/** What both versions have; `missing` says what is wrong when the newer one lacks an entry. */
function pairs<T>(older: ReadonlyMap<string, T>, newer: ReadonlyMap<string, T>, missing: (name: string, older: T) => UpgradeViolation | undefined): readonly VersionPair<T>[] {
  const found: VersionPair<T>[] = [];
  for (const [name, before] of older) {
    const after = newer.get(name);
    if (after !== undefined) found.push({ older: before, newer: after });
    else {
      const violation = missing(name, before);
      if (violation !== undefined) throw violation;
    }
  }
  return found;
}

