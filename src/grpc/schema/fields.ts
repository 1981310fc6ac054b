/**
 * How messages of the Ledger API are declared: each field with its number and name as published, and what stands for it in the JSON of the
 * same API. Both directions are read off one declaration (`../codec/`), and so is what server reflection tells.
 */

import type { PositionById } from "../../ledger/index.js";

/** What a field holds, and its JSON. */
export type FieldType =
  /** JSON: as they are; 64 bits as numbers. */
  | { readonly kind: "string" | "bool" | "int32" | "uint32" | "int64" | "uint64" }
  /** JSON: base64. */
  | { readonly kind: "bytes" }
  /** Bytes. JSON: two hexadecimal digits for each. */
  | { readonly kind: "hex" }
  /** Not in JSON: bytes that are handed on as they are, as those of a DAR. */
  | { readonly kind: "octets" }
  /** JSON: the name. */
  | { readonly kind: "enum"; readonly of: EnumType }
  | { readonly kind: "message"; readonly of: () => MessageType }
  /** JSON: an object by key. Keys are strings. */
  | { readonly kind: "map"; readonly value: FieldType }
  /** Message `Identifier`. JSON: `package:Module:Entity`. */
  | { readonly kind: "identifier" }
  /** `google.protobuf.Timestamp`. JSON: an ISO 8601 text in UTC. */
  | { readonly kind: "timestamp" }
  /** A message whose bytes are base64 in JSON: a prepared transaction. */
  | { readonly kind: "messageBytes"; readonly of: string }
  /** Message `Value` or `Record`, without a type in requests. JSON: the JSON encoding of Daml values. */
  | { readonly kind: "value" | "record"; readonly position: PositionOf }
  /** In values only, which are read and written by themselves: server reflection tells of them. */
  | { readonly kind: "sint64" | "sfixed64" };

/**
 * Where a value stands on the ledger, read off the JSON that it is in; undefined where there is none, as JSON has null for it then, which
 * may be a value as well. Undefined itself: it stands in requests only.
 */
export type PositionOf = ((holder: Readonly<Record<string, unknown>>) => ValuePosition | undefined) | undefined;
export type ValuePosition = PositionById;

export interface Field {
  readonly number: number;
  readonly type: FieldType;
  readonly isRepeated: boolean;
  /** `optional` in the proto: told apart from its default. */
  readonly isOptional: boolean;
  /** The name in JSON where it is not that of the proto in camel case. */
  readonly json: string | undefined;
}

/**
 * One of several fields. In JSON it stands under `json` as `{"Case": value}`, or `{"Case": {"value": value}}` where it is wrapped; where
 * `json` is "" the message itself is that object; where it is undefined each field stands as others do. `none` is the case when no field
 * is set; undefined: nothing stands there then.
 */
export interface OneOf {
  readonly oneOf: Readonly<Record<string, Field>>;
  readonly json: string | undefined;
  readonly isWrapped: boolean;
  /** Those of the fields, by their names in the proto, that are not wrapped where the others are. */
  readonly unwrapped: readonly string[];
  /** Of the fields, by their names in the proto; where nothing is said the name in Pascal case. */
  readonly cases: Readonly<Record<string, string>>;
  readonly none: string | undefined;
}

/** By their names in the proto, in its order. */
export type Members = Readonly<Record<string, Field | OneOf>>;

export interface MessageType {
  /** Full, as `com.daml.ledger.api.v2.Commands`. */
  readonly name: string;
  readonly members: Members;
}

export interface EnumType {
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** One file of the published API, as server reflection names it. */
export interface ProtoFile {
  /** As `com/daml/ledger/api/v2/commands.proto`. */
  readonly path: string;
  readonly package: string;
  /** Those within other messages, too, whose names have more parts. */
  readonly messages: readonly MessageType[];
  /** The same of enums. */
  readonly enums: readonly EnumType[];
  /** Full names. */
  readonly services: readonly string[];
}

type Options = Partial<Pick<Field, "json" | "isOptional">>;

const field =
  (type: FieldType) =>
  (number: number, { json, isOptional = false }: Options = {}): Field => ({ number, type, isRepeated: false, isOptional, json });

export const string = field({ kind: "string" });
export const bool = field({ kind: "bool" });
export const int32 = field({ kind: "int32" });
export const uint32 = field({ kind: "uint32" });
export const int64 = field({ kind: "int64" });
export const uint64 = field({ kind: "uint64" });
export const sint64 = field({ kind: "sint64" });
export const sfixed64 = field({ kind: "sfixed64" });
export const bytes = field({ kind: "bytes" });
export const octets = field({ kind: "octets" });
export const hex = field({ kind: "hex" });
export const identifier = field({ kind: "identifier" });
export const timestamp = field({ kind: "timestamp" });

export const enumeration = (number: number, of: EnumType, options?: Options): Field => field({ kind: "enum", of })(number, options);
export const nested = (number: number, of: () => MessageType, options?: Options): Field => field({ kind: "message", of })(number, options);
export const map = (number: number, value: Field, options?: Options): Field => field({ kind: "map", value: value.type })(number, options);
export const messageBytes = (number: number, of: string, options?: Options): Field => field({ kind: "messageBytes", of })(number, options);
export const value = (number: number, position: PositionOf, options?: Options): Field =>
  field({ kind: "value", position })(number, options);
export const record = (number: number, position: PositionOf, options?: Options): Field =>
  field({ kind: "record", position })(number, options);
export const repeated = (one: Field): Field => ({ ...one, isRepeated: true });

/** `json`, `isWrapped`, `unwrapped`, `cases`, `none`: see `OneOf`. */
export const oneOf = (
  fields: Readonly<Record<string, Field>>,
  { json, isWrapped = false, unwrapped = [], cases = {}, none }: Partial<Omit<OneOf, "oneOf">> = {},
): OneOf => ({ oneOf: fields, json, isWrapped, unwrapped, cases, none });

export const message = (name: string, members: Members): MessageType => ({ name, members });
export const enumOf = (name: string, numbers: Readonly<Record<string, number>>): EnumType => ({ name, numbers });

/** A file of a package, with what declares its messages and enums: all that these make is part of it. */
export function protoFile(packageName: string, fileName: string, services: readonly string[] = []) {
  const full = (name: string) => `${packageName}.${name}`,
    messages: MessageType[] = [],
    enums: EnumType[] = [];
  const file: ProtoFile = {
    path: `${packageName.replaceAll(".", "/")}/${fileName}`,
    package: packageName,
    messages,
    enums,
    services: services.map(full),
  };
  return {
    file,
    message: (name: string, members: Members) => added(messages, message(full(name), members)),
    enumOf: (name: string, numbers: EnumType["numbers"]) => added(enums, enumOf(full(name), numbers)),
  };
}

function added<T>(to: T[], one: T): T {
  to.push(one);
  return one;
}
