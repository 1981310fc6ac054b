/** The typed JSON of evaluation cases (the golden data's README, "Common JSON forms"), in both directions. */
import { assert } from "../../src/base/assert.js";
import type { DefDataType, DefinitionId, Type } from "../../src/lf/ast.js";
import type { PackageInterface } from "../../src/lf/package-interface.js";
import { arrayFromList, listFromArray } from "../../src/lf/runtime/list.js";
import { compare } from "../../src/lf/runtime/compare.js";
import { mapOperations } from "../../src/lf/runtime/map-operations.js";
import { type Int64, int64Of } from "../../src/lf/value/int64.js";
import { timestampToText, dateToText } from "../../src/lf/runtime/time.js";
import {
  type AnyValue,
  ContractId,
  EnumValue,
  type LfMap,
  type List,
  none,
  Numeric,
  type RecordValue,
  Some,
  type StructValue,
  type TypeRep,
  unit,
  type Value,
  Variant,
} from "../../src/lf/value/value.js";

export type Json = null | boolean | string | number | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** A type split into its head and arguments. */
interface Applied {
  readonly head: Type;
  readonly args: readonly Type[];
}

const applied = (type: Type): Applied => {
  const args: Type[] = [];
  let head = type;
  for (; head.kind === "app"; head = head.fun) args.unshift(head.arg);
  return { head, args };
};

export const functionType = (type: Type): { readonly param: Type; readonly result: Type } | undefined => {
  const { head, args } = applied(type);
  return head.kind === "builtin" && head.builtin === "ARROW" && args.length === 2 ? { param: args[0]!, result: args[1]! } : undefined;
};

export class EvalCodec {
  constructor(readonly packages: PackageInterface) {}

  decode(type: Type, json: Json): Value {
    const { head, args } = applied(type);
    if (head.kind === "con") return this.#decodeData(head.id, args, json);
    assert(head.kind === "builtin", `no value of a ${head.kind} type can be written`);
    const inner = args[0]!;
    switch (head.builtin) {
      case "UNIT":
        return unit;
      case "BOOL":
        return json as boolean;
      case "TEXT":
      case "PARTY":
        return json as string;
      case "INT64":
        return int64Of(BigInt(json as string));
      case "NUMERIC":
        return decodeNumeric(inner.kind === "nat" ? inner.value : 0, json as string);
      case "DATE":
        return Date.parse(`${json as string}T00:00:00Z`) / 86_400_000;
      case "TIMESTAMP":
        return decodeTimestamp(json as string);
      case "CONTRACT_ID":
        return new ContractId(json as string);
      case "LIST":
        return listFromArray((json as Json[]).map((each) => this.decode(inner, each)));
      case "OPTIONAL":
        return this.#decodeOptional(inner, json);
      case "TEXTMAP":
        return mapOperations(compare).fromEntries(
          Object.entries(json as JsonObject).map(([key, value]) => [key, this.decode(inner, value)]),
        );
      case "GENMAP":
        return mapOperations(compare).fromEntries(
          (json as [Json, Json][]).map(([key, value]) => [this.decode(inner, key), this.decode(args[1]!, value)]),
        );
      default:
        return assert(false, `no value of type ${head.builtin} can be written`) as never;
    }
  }

  encode(type: Type, value: Value): Json {
    const { head, args } = applied(type);
    if (typeof value === "function") return { $function: true };
    if (head.kind === "con") return this.#encodeData(head.id, args, value);
    if (head.kind === "struct")
      return {
        $struct: Object.fromEntries(
          head.fields.map((field) => [field.name, this.encode(field.type, (value as StructValue).field(field.name))]),
        ),
      };
    assert(head.kind === "builtin", `a value of a ${head.kind} type`);
    const inner = args[0]!;
    switch (head.builtin) {
      case "UNIT":
        return {};
      case "BOOL":
      case "TEXT":
      case "PARTY":
        return value as boolean | string;
      case "INT64":
        return String(value as Int64);
      case "NUMERIC":
        return encodeNumeric(value as Numeric);
      case "DATE":
        return dateToText(value as number);
      case "TIMESTAMP":
        return timestampToText(value as bigint);
      case "CONTRACT_ID":
        return (value as ContractId).hex;
      case "LIST":
        return arrayFromList(value as List).map((each) => this.encode(inner, each));
      case "OPTIONAL":
        return this.#encodeOptional(inner, value);
      case "TEXTMAP":
        return Object.fromEntries([...(value as LfMap).entries()].map(([key, each]) => [key as string, this.encode(inner, each)]));
      case "GENMAP":
        return [...(value as LfMap).entries()].map(([key, each]) => [this.encode(inner, key), this.encode(args[1]!, each)]);
      case "TYPE_REP":
        return { $typeRep: showType((value as TypeRep).type) };
      case "ANY":
      case "ANY_EXCEPTION":
        return { $any: showType((value as AnyValue).type), value: this.encode((value as AnyValue).type, (value as AnyValue).value) };
      default:
        return assert(false, `a value of type ${head.builtin}`) as never;
    }
  }

  #decodeOptional(inner: Type, json: Json): Value {
    if (isOptional(inner)) return (json as Json[]).length === 0 ? none : new Some(this.decode(inner, (json as Json[])[0]!));
    return json === null ? none : new Some(this.decode(inner, json));
  }

  /** An Optional of an Optional shows its layer as an array. */
  #encodeOptional(inner: Type, value: Value): Json {
    if (isOptional(inner)) return value instanceof Some ? [this.encode(inner, value.value)] : [];
    return value instanceof Some ? this.encode(inner, value.value) : null;
  }

  #decodeData(id: DefinitionId, args: readonly Type[], json: Json): Value {
    const { cons, params } = this.#dataType(id);
    const actual = (type: Type): Type => substitute(type, new Map(params.map((param, index) => [param.name, args[index]!])));
    if (cons.kind === "record") return cons.fields.map((field) => this.decode(actual(field.type), (json as JsonObject)[field.name]!));
    if (cons.kind === "enum") return new EnumValue(cons.constructors.indexOf(json as string), json as string);
    assert(cons.kind === "variant", "no value of an interface type can be written");
    const tag = (json as JsonObject)["tag"] as string;
    const rank = cons.constructors.findIndex((constructor_) => constructor_.name === tag);
    return new Variant(rank, tag, this.decode(actual(cons.constructors[rank]!.type), (json as JsonObject)["value"]!));
  }

  #encodeData(id: DefinitionId, args: readonly Type[], value: Value): Json {
    const { cons, params } = this.#dataType(id);
    const actual = (type: Type): Type => substitute(type, new Map(params.map((param, index) => [param.name, args[index]!])));
    if (cons.kind === "record")
      return Object.fromEntries(
        cons.fields.map((field, index) => [field.name, this.encode(actual(field.type), (value as RecordValue)[index]!)]),
      );
    if (cons.kind === "enum") return (value as EnumValue).constructor_;
    assert(cons.kind === "variant", "a value of an interface type");
    const variant = value as Variant;
    return { tag: variant.constructor_, value: this.encode(actual(cons.constructors[variant.rank]!.type), variant.value) };
  }

  #dataType(id: DefinitionId): DefDataType {
    const found = this.packages.dataType(id);
    assert(found !== undefined, `${showType({ kind: "con", id })} is known`);
    return found;
  }
}

const isOptional = (type: Type): boolean => {
  const { head } = applied(type);
  return head.kind === "builtin" && head.builtin === "OPTIONAL";
};

const substitute = (type: Type, substitution: ReadonlyMap<string, Type>): Type => {
  if (type.kind === "var") return substitution.get(type.name) ?? type;
  return type.kind === "app" ? { kind: "app", fun: substitute(type.fun, substitution), arg: substitute(type.arg, substitution) } : type;
};

const builtinNames: Readonly<Record<string, string>> = {
  UNIT: "Unit",
  BOOL: "Bool",
  INT64: "Int64",
  NUMERIC: "Numeric",
  TEXT: "Text",
  PARTY: "Party",
  DATE: "Date",
  TIMESTAMP: "Timestamp",
  CONTRACT_ID: "ContractId",
  LIST: "List",
  OPTIONAL: "Optional",
  TEXTMAP: "TextMap",
  GENMAP: "GenMap",
  UPDATE: "Update",
  ANY: "Any",
  ANY_EXCEPTION: "AnyException",
  TYPE_REP: "TypeRep",
  BIGNUMERIC: "BigNumeric",
};

/** A type as the recordings write it: data types without their package. */
export function showType(type: Type): string {
  const arrow = functionType(type);
  if (arrow !== undefined)
    return `${functionType(arrow.param) === undefined ? showType(arrow.param) : `(${showType(arrow.param)})`} → ${showType(arrow.result)}`;
  switch (type.kind) {
    case "con":
      return `${type.id.module}:${type.id.name}`;
    case "builtin":
      return builtinNames[type.builtin] ?? type.builtin;
    case "nat":
      return String(type.value);
    case "var":
      return type.name;
    case "app":
      return `${showType(type.fun)} ${type.arg.kind === "app" ? `(${showType(type.arg)})` : showType(type.arg)}`;
    case "struct":
      return `(${type.fields.map((field) => `${field.name}: ${showType(field.type)}`).join(", ")})`;
    default:
      return JSON.stringify(type);
  }
}

const decodeNumeric = (scale: number, text: string): Numeric => {
  const [whole = "", fraction = ""] = text.split(".");
  return new Numeric(BigInt(whole + fraction.padEnd(scale, "0")), scale);
};

const encodeNumeric = ({ unscaled, scale }: Numeric): string => {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
};

const decodeTimestamp = (text: string): bigint => {
  const [seconds = "", fraction = ""] = text.replace("Z", "").split(".");
  return BigInt(Date.parse(`${seconds}Z`)) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
};
