/** What emitting code asks about the packages. */
import type { DefinitionId, Type } from "../ast.js";
import type { BuiltinName } from "../builtins.js";
import type { MapBuiltins, StructLayouts } from "../runtime/index.js";
import type { EnumValue, Value } from "../value/index.js";
import type { Definition } from "./definition.js";

export interface Linker {
  readonly structs: StructLayouts;
  readonly nodesMax: number;
  /** Undefined when the package or the definition is missing: the code then fails when it gets there. */
  definition(id: DefinitionId): Definition | undefined;
  /** A definition that only names a builtin or another definition stands for it. */
  alias(id: DefinitionId): AliasTarget | undefined;
  /** One object per id, so that identity is a quick test of equality. */
  canonicalId(id: DefinitionId): DefinitionId;
  fieldIndex(record: DefinitionId, field: string): number | undefined;
  fieldCount(record: DefinitionId): number | undefined;
  /** Of the record that a constructor of a variant takes; undefined when it takes anything else. */
  payloadFieldCount(variant: DefinitionId, constructor_: string): number | undefined;
  rank(type: DefinitionId, constructor_: string): number | undefined;
  enumValue(type: DefinitionId, constructor_: string): EnumValue | undefined;
  /** Free of synonyms, one object per type; undefined when it has type variables. */
  closedType(type: Type): Type | undefined;
  /** Whether values of this closed type can be stored, which says that no function is in them. */
  isSerializable(type: Type): boolean;
  /** Of maps with keys of this closed, serializable type. */
  mapBuiltins(key: Type): MapBuiltins;
  builtinFunction(name: BuiltinName): Value;
}

export type AliasTarget =
  | { readonly kind: "builtin"; readonly builtin: BuiltinName; readonly types: readonly Type[] }
  | { readonly kind: "val"; readonly id: DefinitionId };
