/** Whether a data type keeps what stored values of it need. */
import type { DataCons, DefDataType, FieldWithType, Kind, Module } from "./ast.js";
import { type Binders, bindersOf, isSameType, UpgradeViolation, type VersionPair } from "./upgrade-type.js";
import { insteadOf, isSameRole, listed, placeOf, roleOf, showRole, typeIn, type UpgradeScope } from "./upgrade-words.js";

/** `place`: what is compared, in words. */
interface Compared extends UpgradeScope {
  readonly binders: Binders;
  readonly place: string;
  readonly isVariantRecord: boolean;
}

export function checkDataType({ older, newer }: VersionPair<DefDataType>, module: VersionPair<Module>, scope: UpgradeScope): void {
  if (!older.serializable) return;
  const name = `${module.newer.name}:${newer.name}`;
  const roles = { older: roleOf(older.name, module.older), newer: roleOf(newer.name, module.newer) };
  if (!newer.serializable) {
    throw new UpgradeViolation("DatatypeBecameUnserializable", `data type ${name} was serializable and is not any more`);
  }
  if (!isSameRole(roles.older, roles.newer)) {
    const [was, is] = [showRole(roles.older, module.older.name), showRole(roles.newer, module.newer.name)];
    throw new UpgradeViolation("RecordChangedOrigin", `record ${name} was ${was} and is ${is} now`);
  }
  checkParameters({ older, newer }, name);
  const binders = bindersOf({ older: older.params, newer: newer.params });
  const place = placeOf(newer.name, roles.newer, module.newer.name, older.cons.kind);
  checkContent({ older, newer }, { ...scope, binders, place, isVariantRecord: roles.newer.kind === "constructor record" });
}

function checkParameters({ older, newer }: VersionPair<DefDataType>, name: string): void {
  if (older.params.length !== newer.params.length) {
    throw new UpgradeViolation(
      "DifferentParamsCount",
      `data type ${name} has type parameters (${order(newer.params)}) instead of (${order(older.params)})`,
    );
  }
  older.params.forEach(({ kind }, index) => {
    const after = newer.params[index]!;
    if (!sameKind(kind, after.kind)) {
      const kinds = `${showKind(after.kind)} instead of ${showKind(kind)}`;
      throw new UpgradeViolation("DifferentParamsKinds", `type parameter ${after.name} of data type ${name} has kind ${kinds}`);
    }
  });
}

function sameKind(older: Kind, newer: Kind): boolean {
  if (older.kind !== "arrow" || newer.kind !== "arrow") return older.kind === newer.kind;
  return sameKind(older.param, newer.param) && sameKind(older.result, newer.result);
}

const showKind = (kind: Kind): string =>
  kind.kind === "arrow" ? `(${showKind(kind.param)} -> ${showKind(kind.result)})` : kind.kind === "star" ? "*" : "nat";

function checkContent({ older, newer }: VersionPair<DefDataType>, compared: Compared): void {
  const [before, after]: [DataCons, DataCons] = [older.cons, newer.cons];
  if (before.kind === "record" && after.kind === "record") checkFields({ older: before.fields, newer: after.fields }, compared);
  else if (before.kind === "variant" && after.kind === "variant") {
    checkVariant({ older: before.constructors, newer: after.constructors }, compared);
  } else if (before.kind === "enum" && after.kind === "enum")
    checkEnum({ older: before.constructors, newer: after.constructors }, compared);
  else if (before.kind !== after.kind) {
    const kindOf = ({ kind }: DataCons): string => (kind === "enum" || kind === "interface" ? `an ${kind}` : `a ${kind}`);
    throw new UpgradeViolation("MismatchDataConsVariety", `${compared.place} is ${kindOf(after)} instead of ${kindOf(before)}`);
  }
}

function checkFields({ older, newer }: VersionPair<readonly FieldWithType[]>, compared: Compared): void {
  const { place, isVariantRecord } = compared;
  const gone = without(older, newer);
  if (gone.length > 0) throw new UpgradeViolation("RecordFieldsMissing", `${place} lacks ${counted(gone, "field")}, which it had`);
  const changed = changedTypes({ older, newer }, compared);
  if (changed.length > 0) {
    const told = changed.map(({ name, types }) => `field ${name} of ${place} has type ${types}`);
    throw new UpgradeViolation("RecordFieldsExistingChanged", told.join("; "));
  }
  const demanding = newer.filter((field) => without([field], older).length > 0 && !isOptional(field));
  if (demanding.length > 0) {
    const shown = listed(demanding.map((field) => `${field.name} (${typeIn("newer", field.type, compared)})`));
    const rule = isVariantRecord ? "VariantAddedVariantField" : "RecordFieldsNewNonOptional";
    throw new UpgradeViolation(rule, `of the new fields of ${place} these are not Optional: ${shown}`);
  }
  if (!isPrefix(older, newer)) {
    throw new UpgradeViolation("RecordFieldsOrderChanged", `the fields of ${place} are in another order: ${firstMoved(older, newer)}`);
  }
}

const isOptional = ({ type }: FieldWithType): boolean =>
  type.kind === "app" && type.fun.kind === "builtin" && type.fun.builtin === "OPTIONAL";

function checkVariant({ older, newer }: VersionPair<readonly FieldWithType[]>, compared: Compared): void {
  const { place } = compared,
    gone = without(older, newer);
  if (gone.length > 0) throw new UpgradeViolation("VariantRemovedVariant", `${place} lacks ${counted(gone, "constructor")}, which it had`);
  const changed = changedTypes({ older, newer }, compared);
  if (changed.length > 0) {
    const told = changed.map(({ name, types }) => `constructor ${name} of ${place} holds ${types}`);
    throw new UpgradeViolation("VariantChangedVariantType", told.join("; "));
  }
  if (!isPrefix(older, newer)) {
    throw new UpgradeViolation(
      "VariantVariantsOrderChanged",
      `the constructors of ${place} are in another order: ${firstMoved(older, newer)}`,
    );
  }
}

function checkEnum({ older, newer }: VersionPair<readonly string[]>, { place }: Compared): void {
  const named = (names: readonly string[]): readonly Named[] => names.map((name) => ({ name }));
  const gone = without(named(older), named(newer));
  if (gone.length > 0) throw new UpgradeViolation("EnumRemovedVariant", `${place} lacks ${counted(gone, "constructor")}, which it had`);
  if (!isPrefix(named(older), named(newer))) {
    const moved = firstMoved(named(older), named(newer));
    throw new UpgradeViolation("EnumVariantsOrderChanged", `the constructors of ${place} are in another order: ${moved}`);
  }
}

interface Named {
  readonly name: string;
}

const without = (some: readonly Named[], others: readonly Named[]): readonly string[] => {
  const known = new Set(others.map(({ name }) => name));
  return some.map(({ name }) => name).filter((name) => !known.has(name));
};
const counted = (names: readonly string[], what: string): string => `${what}${names.length === 1 ? "" : "s"} ${listed(names)}`;
const order = (fields: readonly Named[]): string => listed(fields.map(({ name }) => name));
const isPrefix = (older: readonly Named[], newer: readonly Named[]): boolean => older.every((field, i) => field.name === newer[i]?.name);

function firstMoved(older: readonly Named[], newer: readonly Named[]): string {
  const index = older.findIndex((one, i) => one.name !== newer[i]?.name);
  return `${newer[index]!.name} has the place of ${older[index]!.name}; new ones come last`;
}

/** Of what both have, with both types in words. */
function changedTypes(
  { older, newer }: VersionPair<readonly FieldWithType[]>,
  { binders, ...scope }: Compared,
): readonly { readonly name: string; readonly types: string }[] {
  const after = new Map(newer.map(({ name, type }) => [name, type]));
  return older.flatMap(({ name, type }) => {
    const types = { older: type, newer: after.get(name) ?? type };
    return isSameType(types, binders, scope.packages) ? [] : [{ name, types: insteadOf(types, scope) }];
  });
}
