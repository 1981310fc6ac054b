/** Types of values, as a package declares them, followed from reference to reference: they may be recursive, and of other packages. */
import type {
  DamlType,
  DataTypeDescription,
  FieldDescription,
  ModuleDescription,
  PackageDescription,
} from "../../api/node/types/packages.js";
import { client } from "../state/session.js";

/** A type and where it was written. */
export interface TypeReference {
  readonly type: DamlType;
  readonly packageId: string;
  readonly bindings: ReadonlyMap<string, TypeReference>;
  /** Of what a nested optional holds: where it is an optional, it is nested, too. */
  readonly isNested?: boolean;
}

export interface TypedField {
  readonly name: string;
  readonly type: TypeReference;
}

export type Shape =
  | { readonly kind: "scalar"; readonly name: string }
  | { readonly kind: "contractId"; readonly of: TypeReference | undefined }
  | OptionalShape
  | { readonly kind: "list" | "textMap"; readonly element: TypeReference }
  | { readonly kind: "map"; readonly key: TypeReference; readonly value: TypeReference }
  | { readonly kind: "record"; readonly name: string; readonly fields: readonly TypedField[] }
  | { readonly kind: "variant"; readonly name: string; readonly constructors: readonly TypedField[] }
  | { readonly kind: "enum"; readonly name: string; readonly names: readonly string[] }
  | { readonly kind: "unknown"; readonly name: string };

export interface OptionalShape {
  readonly kind: "optional";
  readonly element: TypeReference;
  /** Written as an optional of optionals, or in one: every level is a list in JSON. A parameter that stands for an optional makes none. */
  readonly isNested: boolean;
}

const described = new Map<string, Promise<PackageDescription>>();

/** A package never changes; what could not be read is asked for again. */
export function describe(packageId: string): Promise<PackageDescription> {
  const known = described.get(packageId);
  if (known !== undefined) return known;
  const asked = client.get<PackageDescription>(`/admin/packages/${encodeURIComponent(packageId)}`);
  described.set(packageId, asked);
  asked.catch(() => described.delete(packageId));
  return asked;
}

export const noBindings: ReadonlyMap<string, TypeReference> = new Map();
export const typeOf = (packageId: string, defined: string): TypeReference => ({ type: { defined }, packageId, bindings: noBindings });

export const moduleOf = (described_: PackageDescription, name: string): ModuleDescription | undefined =>
  described_.modules.find((module) => module.name === name);

export async function shapeOf({ type, packageId, bindings, isNested = false }: TypeReference): Promise<Shape> {
  const args = (type.arguments ?? []).map((argument): TypeReference => ({ type: argument, packageId, bindings }));
  if (type.parameter !== undefined) {
    const bound = bindings.get(type.parameter);
    return bound === undefined ? { kind: "unknown", name: type.parameter } : shapeOf({ ...bound, isNested });
  }
  if (type.defined !== undefined) return shapeOfDefined(type.defined, type.packageId ?? packageId, args);
  return type.builtin === "Optional" && args[0] ? optionalOf(args[0], isNested) : shapeOfBuiltin(type.builtin ?? "", args);
}

function optionalOf(element: TypeReference, isInOptional: boolean): OptionalShape {
  const isNested = isInOptional || element.type.builtin === "Optional";
  return { kind: "optional", element: { ...element, isNested }, isNested };
}

function shapeOfBuiltin(name: string, args: readonly TypeReference[]): Shape {
  const [first, second] = args;
  if (name === "ContractId") return { kind: "contractId", of: first };
  if (name === "[]" && first) return { kind: "list", element: first };
  if (name === "TextMap" && first) return { kind: "textMap", element: first };
  if (name === "Map" && first && second) return { kind: "map", key: first, value: second };
  return scalars.has(name) ? { kind: "scalar", name } : { kind: "unknown", name };
}
const scalars: ReadonlySet<string> = new Set(["()", "Bool", "Int", "Date", "Time", "Numeric", "Party", "Text"]);

async function shapeOfDefined(defined: string, packageId: string, args: readonly TypeReference[]): Promise<Shape> {
  const [moduleName = "", entity = ""] = defined.split(":");
  const found = moduleOf(await describe(packageId), moduleName)?.dataTypes.find(({ name }) => name === entity);
  return found === undefined ? { kind: "unknown", name: defined } : dataShape(found, packageId, args);
}

function dataShape(
  { name, parameters, record, variant, enum: names }: DataTypeDescription,
  packageId: string,
  args: readonly TypeReference[],
): Shape {
  const bindings = new Map(
    parameters.flatMap((parameter, index) => (args[index] === undefined ? [] : [[parameter, args[index]] as const])),
  );
  const typed = (fields: readonly FieldDescription[]): TypedField[] =>
    fields.map((field) => ({ name: field.name, type: { type: field.type, packageId, bindings } }));
  if (record) return { kind: "record", name, fields: typed(record) };
  if (variant) return { kind: "variant", name, constructors: typed(variant) };
  return names ? { kind: "enum", name, names } : { kind: "unknown", name };
}

/** As one would write it in Daml, with what parameters stand for where that is known. */
export function typeText(type: DamlType, bindings = noBindings, isArgument = false): string {
  const args = type.arguments ?? [],
    bound = type.parameter === undefined ? undefined : bindings.get(type.parameter);
  if (bound !== undefined) return typeText(bound.type, bound.bindings, isArgument);
  const head = type.builtin ?? type.defined?.slice(type.defined.indexOf(":") + 1) ?? type.parameter ?? String(type.number ?? "?");
  if (head === "[]" && args.length === 1) return `[${typeText(args[0]!, bindings)}]`;
  if (type.defined !== undefined && /^DA\.Types:Tuple\d+$/.test(type.defined) && args.length > 0)
    return `(${args.map((one) => typeText(one, bindings)).join(", ")})`;
  if (args.length === 0) return head;
  const text = [head, ...args.map((one) => typeText(one, bindings, true))].join(" ");
  return isArgument ? `(${text})` : text;
}
