/** The types of Daml-LF 2.x and the names they are built from: the part of the syntax that expressions stand on. */

/** A module or entity name with its segments joined by dots, for instance `DA.Internal.Any`. */
export type DottedName = string;
export type PackageId = string;

/** A definition's global name: type constructor, synonym, value, template, interface or exception. */
export interface DefinitionId {
  readonly packageId: PackageId;
  readonly module: DottedName;
  readonly name: DottedName;
}

export type Kind =
  { readonly kind: "star" } | { readonly kind: "nat" } | { readonly kind: "arrow"; readonly param: Kind; readonly result: Kind };

export type BuiltinType =
  | "UNIT"
  | "BOOL"
  | "INT64"
  | "DATE"
  | "TIMESTAMP"
  | "NUMERIC"
  | "PARTY"
  | "TEXT"
  | "CONTRACT_ID"
  | "OPTIONAL"
  | "LIST"
  | "GENMAP"
  | "ANY"
  | "ANY_EXCEPTION"
  | "TYPE_REP"
  | "ARROW"
  | "UPDATE"
  | "FAILURE_CATEGORY"
  | "TEXTMAP"
  | "BIGNUMERIC"
  | "ROUNDING_MODE";

/** Applications are binary: `Con.args` of the archive arrive as nested `app`. Synonyms keep their argument list. */
export type Type =
  | { readonly kind: "var"; readonly name: string }
  | { readonly kind: "con"; readonly id: DefinitionId }
  | { readonly kind: "builtin"; readonly builtin: BuiltinType }
  | { readonly kind: "app"; readonly fun: Type; readonly arg: Type }
  | { readonly kind: "forall"; readonly binder: TypeVarWithKind; readonly body: Type }
  | { readonly kind: "struct"; readonly fields: readonly FieldWithType[] } // sorted by name
  | { readonly kind: "nat"; readonly value: number }
  | { readonly kind: "syn"; readonly id: DefinitionId; readonly args: readonly Type[] };

export interface TypeVarWithKind {
  readonly name: string;
  readonly kind: Kind;
}
export interface FieldWithType {
  readonly name: string;
  readonly type: Type;
}
/** A type constructor applied to arguments, as written at record and variant expressions. */
export interface TypeConApp {
  readonly id: DefinitionId;
  readonly args: readonly Type[];
}
