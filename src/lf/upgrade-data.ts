/** Whether a data type keeps what stored values of it need. */
import type { DataCons, DefDataType, FieldWithType, Kind, Module } from "./ast.js";
import type { PackageReader } from "./package-interface.js";
import { type Binders, bindersOf, isSameType, UpgradeViolation, type VersionPair } from "./upgrade-type.js";

export function checkDataType({ older, newer }: VersionPair<DefDataType>, module: VersionPair<Module>, packages: PackageReader): void {
  if (!older.serializable) return;
  const shown = `${module.newer.name}:${newer.name}`;
  if (!newer.serializable) throw new UpgradeViolation("DatatypeBecameUnserializable", `${shown} is no longer serialisable`);
  if (originOf(older.name, module.older) !== originOf(newer.name, module.newer)) {
    throw new UpgradeViolation("RecordChangedOrigin", `${shown} was ${originOf(older.name, module.older)} and is ${originOf(newer.name, module.newer)} now`);
  }
  checkParameters({ older, newer }, shown);
  checkContent({ older, newer }, shown, { isVariantRecord: isConstructorRecord(newer.name, module.newer), packages });
}

function checkParameters({ older, newer }: VersionPair<DefDataType>, shown: string): void {
  if (older.params.length !== newer.params.length) throw new UpgradeViolation("DifferentParamsCount", `${shown} has another number of parameters`);
  if (!older.params.every((param, i) => sameKind(param.kind, newer.params[i]!.kind))) throw new UpgradeViolation("DifferentParamsKinds", `parameters of ${shown} have other kinds`);
}

function sameKind(older: Kind, newer: Kind): boolean {
  if (older.kind !== "arrow" || newer.kind !== "arrow") return older.kind === newer.kind;
  return sameKind(older.param, newer.param) && sameKind(older.result, newer.result);
}

interface ContentOptions { readonly isVariantRecord: boolean; readonly packages: PackageReader }

function checkContent({ older, newer }: VersionPair<DefDataType>, shown: string, options: ContentOptions): void {
  const binders = bindersOf({ older: older.params, newer: newer.params });
  const [before, after]: [DataCons, DataCons] = [older.cons, newer.cons];
  if (before.kind === "record" && after.kind === "record") checkFields({ older: before.fields, newer: after.fields }, binders, shown, options);
  else if (before.kind === "variant" && after.kind === "variant") checkVariant({ older: before.constructors, newer: after.constructors }, binders, shown, options.packages);
  else if (before.kind === "enum" && after.kind === "enum") checkEnum({ older: before.constructors, newer: after.constructors }, shown);
  else if (before.kind !== after.kind) throw new UpgradeViolation("MismatchDataConsVariety", `${shown} was a ${before.kind} and is a ${after.kind} now`);
}

function checkFields({ older, newer }: VersionPair<readonly FieldWithType[]>, binders: Binders, shown: string, { isVariantRecord, packages }: ContentOptions): void {
  const types = byName(newer);
  const gone = older.find((field) => !types.has(field.name));
  if (gone !== undefined) throw new UpgradeViolation("RecordFieldsMissing", `field ${gone.name} of ${shown} is gone`);
  const changed = changedType(older, types, binders, packages);
  if (changed !== undefined) throw new UpgradeViolation("RecordFieldsExistingChanged", `field ${changed} of ${shown} has another type`);
  const known = byName(older);
  const demanding = newer.find((field) => !known.has(field.name) && !isOptional(field));
  if (demanding !== undefined) {
    throw new UpgradeViolation(isVariantRecord ? "VariantAddedVariantField" : "RecordFieldsNewNonOptional", `the new field ${demanding.name} of ${shown} is not optional`);
  }
  if (!isPrefix(older, newer)) throw new UpgradeViolation("RecordFieldsOrderChanged", `the fields of ${shown} are in another order`);
}

const isOptional = ({ type }: FieldWithType): boolean => type.kind === "app" && type.fun.kind === "builtin" && type.fun.builtin === "OPTIONAL";

function checkVariant({ older, newer }: VersionPair<readonly FieldWithType[]>, binders: Binders, shown: string, packages: PackageReader): void {
  const types = byName(newer);
  const gone = older.find((constructor_) => !types.has(constructor_.name));
  if (gone !== undefined) throw new UpgradeViolation("VariantRemovedVariant", `constructor ${gone.name} of ${shown} is gone`);
  const changed = changedType(older, types, binders, packages);
  if (changed !== undefined) throw new UpgradeViolation("VariantChangedVariantType", `constructor ${changed} of ${shown} has another type`);
  if (!isPrefix(older, newer)) throw new UpgradeViolation("VariantVariantsOrderChanged", `the constructors of ${shown} are in another order`);
}

function checkEnum({ older, newer }: VersionPair<readonly string[]>, shown: string): void {
  const gone = older.find((name) => !newer.includes(name));
  if (gone !== undefined) throw new UpgradeViolation("EnumRemovedVariant", `constructor ${gone} of ${shown} is gone`);
  if (!older.every((name, i) => name === newer[i])) throw new UpgradeViolation("EnumVariantsOrderChanged", `the constructors of ${shown} are in another order`);
}

const byName = (fields: readonly FieldWithType[]): ReadonlyMap<string, FieldWithType> => new Map(fields.map((field) => [field.name, field]));
const isPrefix = (older: readonly FieldWithType[], newer: readonly FieldWithType[]): boolean => older.every((field, i) => field.name === newer[i]?.name);

function changedType(older: readonly FieldWithType[], newer: ReadonlyMap<string, FieldWithType>, binders: Binders, packages: PackageReader): string | undefined {
  return older.find((field) => {
    const after = newer.get(field.name);
    return after !== undefined && !isSameType({ older: field.type, newer: after.type }, binders, packages);
  })?.name;
}

/** What a data type is for: it decides how its values are read, so it may not change. */
function originOf(name: string, module: Module): string {
  if (module.templates.has(name)) return `template ${name}`;
  const choiceOf = choiceArguments(module).get(name);
  if (choiceOf !== undefined) return choiceOf;
  return isConstructorRecord(name, module) ? `variant constructor ${name}` : `data type ${name}`;
}

/** By convention the argument of choice C of template P.T is the record P.C. */
function choiceArguments(module: Module): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const template of module.templates.values()) {
    const prefix = template.name.split(".").slice(0, -1);
    for (const choice of template.choices.keys()) found.set([...prefix, choice].join("."), `choice argument ${choice}`);
  }
  return found;
}

/** Record T.C belongs to constructor C of variant T, when the constructor's payload is a data type. */
function isConstructorRecord(name: string, module: Module): boolean {
  const at = name.lastIndexOf(".");
  const variant = at < 0 ? undefined : module.dataTypes.get(name.slice(0, at));
  if (variant?.cons.kind !== "variant") return false;
  const constructor_ = variant.cons.constructors.find((candidate) => candidate.name === name.slice(at + 1));
  if (constructor_ === undefined) return false;
  let head = constructor_.type;
  while (head.kind === "app") head = head.fun;
  return head.kind === "con";
}
