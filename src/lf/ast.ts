/**
 * The Daml-LF 2.x abstract syntax, as decoded from an archive.
 *
 * Names are plain strings that passed the grammar of the specification when they were decoded. They never become
 * identifiers of generated JavaScript. From LF 2.2 expressions are interned, so nodes are shared: a package is a DAG.
 */
import type { BuiltinName } from "./builtins.js";
import type { DefinitionId, DottedName, FieldWithType, PackageId, Type, TypeConApp, TypeVarWithKind } from "./type.js";

export type { BuiltinType, DefinitionId, DottedName, FieldWithType, Kind, PackageId, Type, TypeConApp, TypeVarWithKind } from "./type.js";

export interface VarWithType {
  readonly name: string;
  readonly type: Type;
}
export interface FieldWithExpr {
  readonly name: string;
  readonly expr: Expr;
}

export type FailureCategory = "INVALID_INDEPENDENT_OF_SYSTEM_STATE" | "INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER";
export type RoundingMode = "UP" | "DOWN" | "CEILING" | "FLOOR" | "HALF_UP" | "HALF_DOWN" | "HALF_EVEN" | "UNNECESSARY";

export type Literal =
  | { readonly kind: "int64"; readonly value: bigint }
  | { readonly kind: "timestamp"; readonly value: bigint } // microseconds since the epoch
  | { readonly kind: "numeric"; readonly unscaled: bigint; readonly scale: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "date"; readonly value: number } // days since the epoch
  | { readonly kind: "failureCategory"; readonly value: FailureCategory }
  | { readonly kind: "roundingMode"; readonly value: RoundingMode };

/** Locations are dropped by the decoder: nothing that a client sees depends on them. */
export type Expr =
  | { readonly kind: "var"; readonly name: string }
  | { readonly kind: "val"; readonly id: DefinitionId }
  | { readonly kind: "builtin"; readonly builtin: BuiltinName }
  | { readonly kind: "unit" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "lit"; readonly value: Literal }
  | { readonly kind: "recCon"; readonly type: TypeConApp; readonly fields: readonly FieldWithExpr[] }
  | { readonly kind: "recProj"; readonly type: TypeConApp; readonly field: string; readonly record: Expr }
  | { readonly kind: "recUpd"; readonly type: TypeConApp; readonly field: string; readonly record: Expr; readonly update: Expr }
  | { readonly kind: "variantCon"; readonly type: TypeConApp; readonly constructor_: string; readonly arg: Expr }
  | { readonly kind: "enumCon"; readonly id: DefinitionId; readonly constructor_: string }
  | { readonly kind: "structCon"; readonly fields: readonly FieldWithExpr[] } // in written order: it is the evaluation order
  | { readonly kind: "structProj"; readonly field: string; readonly struct: Expr }
  | { readonly kind: "structUpd"; readonly field: string; readonly struct: Expr; readonly update: Expr }
  | { readonly kind: "app"; readonly fun: Expr; readonly args: readonly Expr[] } // (..(fun a) b ..), at least one
  | { readonly kind: "tyApp"; readonly expr: Expr; readonly types: readonly Type[] }
  | { readonly kind: "abs"; readonly params: readonly VarWithType[]; readonly body: Expr }
  | { readonly kind: "tyAbs"; readonly params: readonly TypeVarWithKind[]; readonly body: Expr }
  | { readonly kind: "case"; readonly scrutinee: Expr; readonly alternatives: readonly Alternative[] }
  | { readonly kind: "let"; readonly bindings: readonly Binding[]; readonly body: Expr }
  | { readonly kind: "nil"; readonly type: Type }
  | { readonly kind: "cons"; readonly type: Type; readonly front: readonly Expr[]; readonly tail: Expr }
  | { readonly kind: "none"; readonly type: Type }
  | { readonly kind: "some"; readonly type: Type; readonly value: Expr }
  | { readonly kind: "toAny"; readonly type: Type; readonly expr: Expr }
  | { readonly kind: "fromAny"; readonly type: Type; readonly expr: Expr }
  | { readonly kind: "typeRep"; readonly type: Type }
  | { readonly kind: "toAnyException"; readonly type: Type; readonly expr: Expr }
  | { readonly kind: "fromAnyException"; readonly type: Type; readonly expr: Expr }
  | { readonly kind: "throw"; readonly returnType: Type; readonly exceptionType: Type; readonly exception: Expr }
  | { readonly kind: "toInterface"; readonly interface: DefinitionId; readonly template: DefinitionId; readonly expr: Expr }
  | { readonly kind: "fromInterface"; readonly interface: DefinitionId; readonly template: DefinitionId; readonly expr: Expr }
  | {
      readonly kind: "unsafeFromInterface";
      readonly interface: DefinitionId;
      readonly template: DefinitionId;
      readonly contractId: Expr;
      readonly expr: Expr;
    }
  | { readonly kind: "callInterface"; readonly interface: DefinitionId; readonly method: string; readonly expr: Expr }
  | { readonly kind: "viewInterface"; readonly interface: DefinitionId; readonly expr: Expr }
  | { readonly kind: "signatoryInterface"; readonly interface: DefinitionId; readonly expr: Expr }
  | { readonly kind: "observerInterface"; readonly interface: DefinitionId; readonly expr: Expr }
  | { readonly kind: "interfaceTemplateTypeRep"; readonly interface: DefinitionId; readonly expr: Expr }
  | { readonly kind: "toRequiredInterface"; readonly required: DefinitionId; readonly requiring: DefinitionId; readonly expr: Expr }
  | { readonly kind: "fromRequiredInterface"; readonly required: DefinitionId; readonly requiring: DefinitionId; readonly expr: Expr }
  | {
      readonly kind: "unsafeFromRequiredInterface";
      readonly required: DefinitionId;
      readonly requiring: DefinitionId;
      readonly contractId: Expr;
      readonly expr: Expr;
    }
  | {
      readonly kind: "choiceController";
      readonly template: DefinitionId;
      readonly choice: string;
      readonly contract: Expr;
      readonly choiceArgument: Expr;
    }
  | {
      readonly kind: "choiceObserver";
      readonly template: DefinitionId;
      readonly choice: string;
      readonly contract: Expr;
      readonly choiceArgument: Expr;
    }
  | { readonly kind: "experimental"; readonly name: string; readonly type: Type }
  | { readonly kind: "update"; readonly update: Update };

export interface Binding {
  readonly binder: VarWithType;
  readonly bound: Expr;
}
export interface Alternative {
  readonly pattern: Pattern;
  readonly body: Expr;
}
export type Pattern =
  | { readonly kind: "default" }
  | { readonly kind: "variant"; readonly id: DefinitionId; readonly constructor_: string; readonly binder: string }
  | { readonly kind: "enum"; readonly id: DefinitionId; readonly constructor_: string }
  | { readonly kind: "unit" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "nil" }
  | { readonly kind: "cons"; readonly head: string; readonly tail: string }
  | { readonly kind: "none" }
  | { readonly kind: "some"; readonly body: string };

export type Update =
  | { readonly kind: "pure"; readonly type: Type; readonly expr: Expr }
  | { readonly kind: "block"; readonly bindings: readonly Binding[]; readonly body: Expr }
  | { readonly kind: "create"; readonly template: DefinitionId; readonly arg: Expr }
  | { readonly kind: "createInterface"; readonly interface: DefinitionId; readonly arg: Expr }
  | { readonly kind: "exercise"; readonly template: DefinitionId; readonly choice: string; readonly contractId: Expr; readonly arg: Expr }
  | {
      readonly kind: "exerciseInterface";
      readonly interface: DefinitionId;
      readonly choice: string;
      readonly contractId: Expr;
      readonly arg: Expr;
      readonly guard?: Expr;
    }
  | { readonly kind: "exerciseByKey"; readonly template: DefinitionId; readonly choice: string; readonly key: Expr; readonly arg: Expr }
  | { readonly kind: "fetch"; readonly template: DefinitionId; readonly contractId: Expr }
  | { readonly kind: "fetchInterface"; readonly interface: DefinitionId; readonly contractId: Expr }
  | { readonly kind: "fetchByKey" | "lookupByKey" | "queryNByKey"; readonly template: DefinitionId } // functions of the key (query: n, key)
  | { readonly kind: "getTime" }
  | { readonly kind: "ledgerTimeLt"; readonly time: Expr }
  | { readonly kind: "embed"; readonly type: Type; readonly expr: Expr }
  | { readonly kind: "tryCatch"; readonly returnType: Type; readonly body: Expr; readonly binder: string; readonly handler: Expr };

export type LfVersion = "2.1" | "2.2" | "2.3" | "2.dev";

export type DataCons =
  | { readonly kind: "record"; readonly fields: readonly FieldWithType[] }
  | { readonly kind: "variant"; readonly constructors: readonly FieldWithType[] } // declaration order = rank
  | { readonly kind: "enum"; readonly constructors: readonly string[] }
  | { readonly kind: "interface" };

export interface DefDataType {
  readonly name: DottedName;
  readonly params: readonly TypeVarWithKind[];
  readonly serializable: boolean;
  readonly cons: DataCons;
}
export interface DefTypeSyn {
  readonly name: DottedName;
  readonly params: readonly TypeVarWithKind[];
  readonly type: Type;
}
/** `body` is decoded at first use and cached: most definitions of a package are never reached. */
export interface DefValue {
  readonly name: DottedName;
  readonly type: Type;
  readonly body: Expr;
}
export interface DefException {
  readonly name: DottedName;
  readonly message: Expr;
}

export interface TemplateChoice {
  readonly name: string;
  readonly consuming: boolean;
  readonly selfBinder: string;
  readonly argBinder: VarWithType;
  readonly returnType: Type;
  readonly controllers: Expr;
  readonly observers: Expr;
  readonly authorizers: Expr | undefined;
  readonly update: Expr;
}
export interface TemplateKey {
  readonly type: Type;
  readonly key: Expr;
  readonly maintainers: Expr;
}
export interface InterfaceInstance {
  readonly interface: DefinitionId;
  readonly methods: ReadonlyMap<string, Expr>;
  readonly view: Expr;
}
/** `param` is bound in every expression of the template, choices and instances included. */
export interface DefTemplate {
  readonly name: DottedName;
  readonly param: string;
  readonly precondition: Expr | undefined; // absent: always true
  readonly signatories: Expr;
  readonly observers: Expr;
  readonly choices: ReadonlyMap<string, TemplateChoice>;
  readonly key: TemplateKey | undefined;
  readonly implements: readonly InterfaceInstance[];
}
export interface DefInterface {
  readonly name: DottedName;
  readonly param: string;
  readonly methods: ReadonlyMap<string, Type>;
  readonly choices: ReadonlyMap<string, TemplateChoice>;
  readonly view: Type;
  readonly requires: readonly DefinitionId[];
}

export interface Module {
  readonly name: DottedName;
  readonly dataTypes: ReadonlyMap<DottedName, DefDataType>;
  readonly synonyms: ReadonlyMap<DottedName, DefTypeSyn>;
  readonly values: ReadonlyMap<DottedName, DefValue>;
  readonly templates: ReadonlyMap<DottedName, DefTemplate>;
  readonly interfaces: ReadonlyMap<DottedName, DefInterface>;
  readonly exceptions: ReadonlyMap<DottedName, DefException>;
}

export interface Package {
  readonly id: PackageId;
  readonly name: string;
  readonly version: string;
  readonly lfVersion: LfVersion;
  readonly modules: ReadonlyMap<DottedName, Module>;
  /** Packages referred to; stable ones included when they are referred to. */
  readonly directDependencies: ReadonlySet<PackageId>;
}

export const showId = (id: DefinitionId): string => `${id.packageId}:${id.module}:${id.name}`;
