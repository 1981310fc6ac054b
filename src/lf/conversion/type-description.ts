/**
 * A serialisable type as plain data, for those who read the JSON of values elsewhere than where packages are decoded.
 * Types are numbered, so that recursive ones are finite; the first is the one that was asked for.
 */
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import { showId } from "../ast.js";
import type { ScalarKind, TypedField, ValueType } from "./value-type.js";

export interface DescribedField {
  readonly name: string;
  readonly type: number;
}

/** Ids are `packageId:Module:Entity`. */
export type DescribedType =
  | { readonly kind: ScalarKind | "contractId" | "numeric" }
  | { readonly kind: "optional"; readonly element: number; readonly nested: boolean }
  | { readonly kind: "list"; readonly element: number }
  | { readonly kind: "textMap"; readonly value: number }
  | { readonly kind: "genMap"; readonly key: number; readonly value: number }
  | { readonly kind: "record"; readonly id: string; readonly fields: readonly DescribedField[] }
  | { readonly kind: "variant"; readonly id: string; readonly constructors: readonly DescribedField[] }
  | { readonly kind: "enum"; readonly id: string; readonly constructors: readonly string[] };

export type TypeDescription = readonly DescribedType[];

/** Undefined for a type with too many parts: one that grows as it recurses has no end. */
export function describeType(type: ValueType): TypeDescription | undefined {
  const numbers = new Map<ValueType, number>(),
    types: ValueType[] = [];
  const numberOf = (of: ValueType): number => {
    let number = numbers.get(of);
    if (number === undefined) {
      numbers.set(of, (number = types.length));
      types.push(of);
    }
    return number;
  };
  assert(numberOf(type) === 0, "the type that is described comes first");
  const described: DescribedType[] = [];
  for (const of of types) {
    // grows while it is walked
    if (described.length >= limits.describedTypesMax) return undefined;
    described.push(describe(of, numberOf));
  }
  return described;
}

function describe(type: ValueType, numberOf: (of: ValueType) => number): DescribedType {
  const fields = (of: readonly TypedField[]): DescribedField[] => of.map((field) => ({ name: field.name, type: numberOf(field.type) }));
  switch (type.kind) {
    case "optional":
      return { kind: "optional", element: numberOf(type.element), nested: type.nested };
    case "list":
      return { kind: "list", element: numberOf(type.element) };
    case "textMap":
      return { kind: "textMap", value: numberOf(type.value) };
    case "genMap":
      return { kind: "genMap", key: numberOf(type.key), value: numberOf(type.value) };
    case "record":
      return { kind: "record", id: showId(type.id), fields: fields(type.fields) };
    case "variant":
      return { kind: "variant", id: showId(type.id), constructors: fields(type.constructors) };
    case "enum":
      return { kind: "enum", id: showId(type.id), constructors: type.constructors };
    default:
      return { kind: type.kind };
  }
}
