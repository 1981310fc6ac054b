/** What refusals of upgrades say of types, fields and places, so that a reader finds them in both versions of a package. */
import { type BuiltinType, type DefinitionId, type Module, type PackageId, showId, type Type } from "./ast.js";
import type { PackageReader } from "./package-interface.js";
import type { VersionPair } from "./upgrade-type.js";

/** The two versions that are compared, and where the types of other packages are found. */
export interface UpgradeScope {
  readonly packages: PackageReader;
  readonly ids: VersionPair<PackageId>;
}

const namesShownMax = 8;
const typeDepthShownMax = 4;

export const listed = (names: readonly string[]): string =>
  names.length <= namesShownMax ? names.join(", ") : `${names.slice(0, namesShownMax).join(", ")} and ${names.length - namesShownMax} more`;

/** `Text instead of Int64` */
export function insteadOf({ older, newer }: VersionPair<Type>, { packages, ids }: UpgradeScope): string {
  const [before, after] = [showType(older, ids.older, packages), showType(newer, ids.newer, packages)];
  if (before !== after) return `${after} instead of ${before}`;
  const byId = (type: Type): string => showType(type, "", { getPackage: () => undefined }); // they differ by their packages alone
  return `${byId(newer)} instead of ${byId(older)}`;
}

export const typeIn = (side: keyof VersionPair<unknown>, type: Type, { packages, ids }: UpgradeScope): string =>
  showType(type, ids[side], packages);

/** A definition of another package, with the version that it is taken from. */
export function showForeign(id: DefinitionId, packages: PackageReader): string {
  const package_ = packages.getPackage(id.packageId);
  return package_ === undefined ? showId(id) : `${id.module}:${id.name} of ${package_.name} ${package_.version}`;
}

const builtinNames: { readonly [B in BuiltinType]?: string } = {
  UNIT: "Unit",
  BOOL: "Bool",
  INT64: "Int64",
  DATE: "Date",
  TIMESTAMP: "Timestamp",
  NUMERIC: "Numeric",
  PARTY: "Party",
  TEXT: "Text",
  CONTRACT_ID: "ContractId",
  OPTIONAL: "Optional",
  LIST: "List",
  GENMAP: "GenMap",
  TEXTMAP: "TextMap",
  ARROW: "(->)",
  UPDATE: "Update",
};

function showType(type: Type, own: PackageId, packages: PackageReader, depth = 0): string {
  const args: Type[] = [];
  let head = type;
  for (; head.kind === "app"; head = head.fun) args.unshift(head.arg);
  if (args.length === 0) return showHead(head, own, packages);
  const shown = depth >= typeDepthShownMax ? ["..."] : args.map((arg) => showType(arg, own, packages, depth + 1));
  return [showHead(head, own, packages), ...shown.map((arg) => (arg.includes(" ") ? `(${arg})` : arg))].join(" ");
}

function showHead(head: Exclude<Type, { kind: "app" }> | Type, own: PackageId, packages: PackageReader): string {
  switch (head.kind) {
    case "var":
      return head.name;
    case "nat":
      return String(head.value);
    case "builtin":
      return builtinNames[head.builtin] ?? head.builtin;
    case "con":
    case "syn":
      return head.id.packageId === own ? `${head.id.module}:${head.id.name}` : showForeign(head.id, packages);
    default:
      return head.kind;
  }
}

/** What a data type is for: it decides how its values are read, so it may not change. */
export type Role =
  | { readonly kind: "template" | "data type" }
  | { readonly kind: "choice argument"; readonly template: string; readonly choice: string }
  | { readonly kind: "constructor record"; readonly variant: string; readonly constructor_: string };

/** The place of its fields: `template M:T`, `the argument of choice C of template M:T`. */
export function placeOf(name: string, role: Role, module: string, cons: string): string {
  switch (role.kind) {
    case "template":
      return `template ${module}:${name}`;
    case "choice argument":
      return `the argument of choice ${role.choice} of template ${module}:${role.template}`;
    case "constructor record":
      return `constructor ${role.constructor_} of variant ${module}:${role.variant}`;
    case "data type":
      return `${cons} ${module}:${name}`;
  }
}

export function showRole(role: Role, module: string): string {
  switch (role.kind) {
    case "template":
      return "a template";
    case "choice argument":
      return `the argument of choice ${role.choice} of template ${module}:${role.template}`;
    case "constructor record":
      return `the record of constructor ${role.constructor_} of variant ${module}:${role.variant}`;
    case "data type":
      return "a data type of its own";
  }
}

export function roleOf(name: string, module: Module): Role {
  if (module.templates.has(name)) return { kind: "template" };
  return choiceArguments(module).get(name) ?? constructorRecord(name, module) ?? { kind: "data type" };
}

/** By convention the argument of choice C of template P.T is the record P.C. */
function choiceArguments(module: Module): ReadonlyMap<string, Role> {
  const found = new Map<string, Role>();
  for (const template of module.templates.values()) {
    const prefix = template.name.split(".").slice(0, -1);
    for (const choice of template.choices.keys()) {
      found.set([...prefix, choice].join("."), { kind: "choice argument", template: template.name, choice });
    }
  }
  return found;
}

/** Record T.C belongs to constructor C of variant T, when the constructor's payload is a data type. */
function constructorRecord(name: string, module: Module): Role | undefined {
  const at = name.lastIndexOf("."),
    variant = name.slice(0, Math.max(at, 0)),
    constructor_ = name.slice(at + 1);
  const type = at < 0 ? undefined : module.dataTypes.get(variant);
  if (type?.cons.kind !== "variant") return undefined;
  let head = type.cons.constructors.find((candidate) => candidate.name === constructor_)?.type;
  while (head?.kind === "app") head = head.fun;
  return head?.kind === "con" ? { kind: "constructor record", variant, constructor_ } : undefined;
}

export const isSameRole = (older: Role, newer: Role): boolean => JSON.stringify(older) === JSON.stringify(newer);
