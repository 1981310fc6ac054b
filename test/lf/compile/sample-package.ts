/** Packages written as syntax, and compiled, for tests that need no archive. */
import { limits } from "../../../src/config.js";
import type {
  DefDataType,
  DefException,
  DefInterface,
  DefTemplate,
  DefinitionId,
  Expr,
  Module,
  Package,
  Type,
} from "../../../src/lf/ast.js";
import type { BuiltinName } from "../../../src/lf/builtins.js";
import { type CompileLimits, createCompiledPackages, type Retype } from "../../../src/lf/compile/index.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { apply1, applyMany, type Fn } from "../../../src/lf/runtime/function.js";
import type { Budget, CompiledPackages, Machine } from "../../../src/lf/runtime/machine.js";
import type { Value } from "../../../src/lf/value/value.js";

export const packageId = "p0";
export const id = (name: string, package_ = packageId): DefinitionId => ({ packageId: package_, module: "M", name });

export const builtinType = (builtin: Extract<Type, { kind: "builtin" }>["builtin"]): Type => ({ kind: "builtin", builtin });
export const int64: Type = builtinType("INT64");
export const con = (name: string): Type => ({ kind: "con", id: id(name) });

export const variable = (name: string): Expr => ({ kind: "var", name });
export const val = (name: string): Expr => ({ kind: "val", id: id(name) });
export const int = (value: bigint): Expr => ({ kind: "lit", value: { kind: "int64", value } });
export const text = (value: string): Expr => ({ kind: "lit", value: { kind: "text", value } });
export const builtin = (name: BuiltinName, ...types: Type[]): Expr =>
  types.length === 0 ? { kind: "builtin", builtin: name } : { kind: "tyApp", expr: { kind: "builtin", builtin: name }, types };
export const app = (fun: Expr, ...args: Expr[]): Expr => ({ kind: "app", fun, args });
export const lambda = (names: string[], body: Expr): Expr => ({ kind: "abs", params: names.map((name) => ({ name, type: int64 })), body });
export const letIn = (name: string, bound: Expr, body: Expr): Expr => ({
  kind: "let",
  bindings: [{ binder: { name, type: int64 }, bound }],
  body,
});
export const ifThenElse = (condition: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: "case",
  scrutinee: condition,
  alternatives: [
    { pattern: { kind: "bool", value: true }, body: then },
    { pattern: { kind: "bool", value: false }, body: otherwise },
  ],
});
export const fail = (message: string): Expr => app(builtin("ERROR", int64), text(message));
export const listOf = (...front: Expr[]): Expr => ({ kind: "cons", type: int64, front, tail: { kind: "nil", type: int64 } });
export const pure = (expr: Expr): Expr => ({ kind: "update", update: { kind: "pure", type: int64, expr } });
export const block = (bindings: readonly (readonly [string, Expr])[], body: Expr): Expr => ({
  kind: "update",
  update: { kind: "block", bindings: bindings.map(([name, bound]) => ({ binder: { name, type: int64 }, bound })), body },
});

export interface Definitions {
  readonly values?: Readonly<Record<string, Expr>>;
  readonly dataTypes?: readonly DefDataType[];
  readonly templates?: readonly DefTemplate[];
  readonly interfaces?: readonly DefInterface[];
  readonly exceptions?: readonly DefException[];
}

const byName = <T extends { readonly name: string }>(definitions: readonly T[] = []): ReadonlyMap<string, T> =>
  new Map(definitions.map((each) => [each.name, each]));

export const makePackage = (definitions: Definitions, packageId_ = packageId, name = "sample"): Package => {
  const module: Module = {
    name: "M",
    dataTypes: byName(definitions.dataTypes),
    synonyms: new Map(),
    values: byName(Object.entries(definitions.values ?? {}).map(([valueName, body]) => ({ name: valueName, type: int64, body }))),
    templates: byName(definitions.templates),
    interfaces: byName(definitions.interfaces),
    exceptions: byName(definitions.exceptions),
  };
  return { id: packageId_, name, version: "1.0.0", lfVersion: "2.1", modules: new Map([["M", module]]), directDependencies: new Set() };
};

export interface Compiled {
  readonly packages: CompiledPackages;
  readonly budget: Budget;
  /** Evaluates a value applied to arguments. */
  call(name: string, ...args: Value[]): Value;
  /** Runs a value that is an update. */
  run(name: string, machine: Machine): Value;
}

export interface CompileSettings {
  readonly limits?: Partial<CompileLimits>;
  readonly retype?: Retype;
}

export const compilePackages = (packages: readonly Package[], settings: CompileSettings = {}): Compiled => {
  const reader = new Map(packages.map((each) => [each.id, each]));
  const budget: Budget = { steps: 1_000_000, allocation: 1_000_000 };
  const compiled = createCompiledPackages({
    packages: new PackageInterface({ getPackage: (each) => reader.get(each) }),
    budget,
    limits: { ...limits, ...settings.limits },
    retype: settings.retype ?? ((_template, _from, payload) => payload),
    onLedger: () => true,
  });
  return {
    packages: compiled,
    budget,
    call: (name, ...args) => (args.length === 0 ? compiled.value(id(name)) : applyMany(compiled.value(id(name)) as Fn, args)),
    run: (name, machine) => apply1(compiled.value(id(name)) as Fn, machine as unknown as Value),
  };
};

export const compile = (definitions: Definitions, settings?: CompileSettings): Compiled =>
  compilePackages([makePackage(definitions)], settings);
