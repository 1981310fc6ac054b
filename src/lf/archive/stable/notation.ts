/** A short notation for the syntax trees of packages that are described here rather than compiled. */
import type { DefDataType, DefException, DefValue, DefinitionId, Expr, Module, Type, TypeVarWithKind } from "../../ast.js";
import { assert } from "../../../base/assert.js";
import { apply, builtin, star, variable } from "../../type-forms.js";
import { selfPackageId, type PackageToEncode } from "../encode.js";

export const arrow = (param: Type, result: Type): Type => builtin("ARROW", param, result);
export const functionType = (params: readonly Type[], result: Type): Type =>
  params.reduceRight((rest, param) => arrow(param, rest), result);
export const constructed = (id: DefinitionId, ...args: readonly Type[]): Type => apply({ kind: "con", id }, ...args);

const forall = (params: readonly TypeVarWithKind[], body: Type): Type =>
  params.reduceRight<Type>((inner, binder) => ({ kind: "forall", binder, body: inner }), body);
const typeAbstraction = (params: readonly TypeVarWithKind[], body: Expr): Expr =>
  params.length === 0 ? body : { kind: "tyAbs", params, body };

/** A data type before it has a module: what it is built of may refer to its module. */
export type Describe<T> = (module: string) => T;

type Fields = Readonly<Record<string, Type>>;
interface Traits {
  readonly serializable: boolean;
}
const serializable: Traits = { serializable: true };
export const internal: Traits = { serializable: false };

const params = (names: readonly string[]): TypeVarWithKind[] => names.map((name) => ({ name, kind: star }));
const listed = (fields: Fields) => Object.entries(fields).map(([name, type]) => ({ name, type }));

export const record = (name: string, typeParams: readonly string[], fields: Fields, traits = serializable): DefDataType => ({
  name,
  params: params(typeParams),
  ...traits,
  cons: { kind: "record", fields: listed(fields) },
});
export const variant = (name: string, typeParams: readonly string[], constructors: Fields, traits = serializable): DefDataType => ({
  name,
  params: params(typeParams),
  ...traits,
  cons: { kind: "variant", constructors: listed(constructors) },
});
export const enumeration = (name: string, constructors: readonly string[], traits = serializable): DefDataType => ({
  name,
  params: [],
  ...traits,
  cons: { kind: "enum", constructors },
});

/** The compiler writes characters that a name cannot hold as `$u` and four hexadecimal digits, and `$` as `$$`. */
const selectorName = (field: string, type: string): string => `$$sel$u003a${field}$u003a${type}`;
const workerName = (constructor: string): string => `$$W${constructor}`;

const idIn = (module: string, name: string): DefinitionId => ({ packageId: selfPackageId, module, name });

interface Applied {
  readonly id: DefinitionId;
  readonly args: readonly Type[];
  readonly type: Type;
}
function appliedToParams(module: string, dataType: DefDataType): Applied {
  const id = idIn(module, dataType.name);
  const args = dataType.params.map((param) => variable(param.name));
  return { id, args, type: constructed(id, ...args) };
}

/** The functions that build a data type's constructors. `binders` names the parameters where they are not called like fields. */
export const workers =
  (dataType: DefDataType, binders?: readonly string[]): Describe<readonly DefValue[]> =>
  (module) => {
    const { id, args, type } = appliedToParams(module, dataType);
    const { cons } = dataType;
    assert(cons.kind === "record" || cons.kind === "variant", "only records and variants have workers");
    const worker = (name: string, parameters: readonly { name: string; type: Type }[], body: Expr): DefValue => ({
      name: workerName(name),
      type: forall(
        dataType.params,
        functionType(
          parameters.map((parameter) => parameter.type),
          type,
        ),
      ),
      body: typeAbstraction(dataType.params, { kind: "abs", params: parameters, body }),
    });
    if (cons.kind === "variant")
      return cons.constructors.map((constructor, index) => {
        const name = binders?.[index] ?? "x";
        return worker(constructor.name, [{ name, type: constructor.type }], {
          kind: "variantCon",
          type: { id, args },
          constructor_: constructor.name,
          arg: { kind: "var", name },
        });
      });
    const parameters = cons.fields.map((field, index) => ({ name: binders?.[index] ?? field.name, type: field.type }));
    const fields = cons.fields.map((field, index) => ({ name: field.name, expr: { kind: "var", name: parameters[index]!.name } as const }));
    return [worker(dataType.name, parameters, { kind: "recCon", type: { id, args }, fields })];
  };

/** The functions that read a record's fields. */
export const selectors =
  (dataType: DefDataType): Describe<readonly DefValue[]> =>
  (module) => {
    const { id, args, type } = appliedToParams(module, dataType);
    assert(dataType.cons.kind === "record", "only records have selectors");
    return dataType.cons.fields.map((field) => ({
      name: selectorName(field.name, dataType.name),
      type: forall(dataType.params, arrow(type, field.type)),
      body: typeAbstraction(dataType.params, {
        kind: "abs",
        params: [{ name: "x", type }],
        body: { kind: "recProj", type: { id, args }, field: field.name, record: { kind: "var", name: "x" } },
      }),
    }));
  };

/** A value that is an enumeration's constructor. */
export const constant =
  (name: string, enumName: string, constructor: string): Describe<readonly DefValue[]> =>
  (module) => {
    const id = idIn(module, enumName);
    return [{ name, type: constructed(id), body: { kind: "enumCon", id, constructor_: constructor } }];
  };

/** An exception whose message is one of its fields. */
export const exceptionWithMessage =
  (name: string, field: string): Describe<readonly DefException[]> =>
  (module) => {
    const id = idIn(module, name);
    const body: Expr = { kind: "recProj", type: { id, args: [] }, field, record: { kind: "var", name: "x" } };
    return [{ name, message: { kind: "abs", params: [{ name: "x", type: constructed(id) }], body } }];
  };

export interface PackageDescription {
  readonly name: string;
  readonly module: string;
  readonly types: readonly DefDataType[];
  readonly values?: readonly Describe<readonly DefValue[]>[];
  readonly exceptions?: readonly Describe<readonly DefException[]>[];
}

const byName = <T extends { readonly name: string }>(definitions: readonly T[]): ReadonlyMap<string, T> =>
  new Map(definitions.map((definition) => [definition.name, definition]));

/** A package of one module, in the version that all stable packages have. */
export function describePackage({ name, module, types, values = [], exceptions = [] }: PackageDescription): PackageToEncode {
  const described: Module = {
    name: module,
    dataTypes: byName(types),
    values: byName(values.flatMap((describe) => describe(module))),
    exceptions: byName(exceptions.flatMap((describe) => describe(module))),
    synonyms: new Map(),
    templates: new Map(),
    interfaces: new Map(),
  };
  return { id: selfPackageId, name, version: "1.0.0", modules: new Map([[module, described]]) };
}

/** A type of the package itself. */
export const own = (module: string, name: string, ...args: readonly Type[]): Type => constructed(idIn(module, name), ...args);
