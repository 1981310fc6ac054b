/** The compiler over all packages of a worker: lazily, a definition at a time, and what was compiled stays. */
import { assert } from "../../base/assert.js";
import { type DefinitionId, type Expr, type PackageId, type Type, showId } from "../ast.js";
import { type BuiltinName, runnableBuiltin } from "../builtins.js";
import { FatalError } from "../errors.js";
import type { PackageInterface } from "../package-interface.js";
import { remember, rememberFound } from "./remember.js";
import {
  checkParameters,
  Meter,
  type Comparator,
  arithmeticErrorId,
  apply1,
  type Fn,
  withArity,
  type Retype,
  type ViewCheck,
  type MapBuiltins,
  type Budget,
  type CompiledInterface,
  type CompiledPackages,
  type CompiledTemplate,
  StructLayouts,
} from "../runtime/index.js";
import type { AnyValue, EnumValue, FunctionValue, RecordValue, Value } from "../value/index.js";
import { unabstract } from "./application-form.js";
import type { FunctionShape, Syntax } from "./body.js";
import { ClosedTypes } from "./closed-types.js";
import { CodeUnit } from "./code-unit.js";
import { emitComparator } from "./comparator.js";
import { compileInterface, compileTemplate, type FunctionCompiler } from "./compiled-template.js";
import { DataTypes } from "./data-types.js";
import { Definition, type DefinitionCompiler, type Mode } from "./definition.js";
import { Environment } from "./environment.js";
import { emitExpression } from "./expression.js";
import { emitFunction } from "./function.js";
import type { AliasTarget, Linker } from "./linker.js";
import { OrderFree } from "./order-free.js";
import { createRuntime, type Runtime } from "./runtime.js";
import { emitTail } from "./tail.js";

const syntax: Syntax = { expression: emitExpression, tail: emitTail, function: emitFunction };

export interface CompileLimits {
  readonly textBytesMax: number;
  readonly collectionEntriesMax: number;
  readonly recursionDepthMax: number;
  readonly definitionNodesMax: number;
}

export interface CompileOptions {
  readonly packages: PackageInterface;
  /** Shared with all compiled code; set its counters before each run. */
  readonly budget: Budget;
  readonly limits: CompileLimits;
  /** Brings a payload to another version of its template (`from_interface`); raises the upgrade error itself. */
  readonly retype: Retype;
  /** Looks at what `view_interface` gives; left out: nobody does. */
  readonly checkView?: ViewCheck;
  /** Whether an update runs right now: CONTRACT_ID_TO_TEXT then gives None. */
  readonly onLedger: () => boolean;
  /** A definition was compiled, since something came to it or because it was asked for. */
  readonly onCompile?: (compiled: CompiledDefinition) => void;
  /** Told what code says by `trace`. */
  readonly onTrace?: (message: string) => void;
}

/** `nodes`: of its expression, each as often as it is reached. */
export interface CompiledDefinition {
  readonly definition: DefinitionId;
  readonly mode: Mode;
  readonly nodes: number;
}

export class Packages implements CompiledPackages, Linker, DefinitionCompiler, FunctionCompiler {
  readonly structs = new StructLayouts();
  readonly nodesMax: number;
  readonly #packages: PackageInterface;
  readonly #runtime: Runtime;
  readonly #orderFree: OrderFree;
  readonly #dataTypes: DataTypes;
  readonly #closedTypes: ClosedTypes;
  readonly #ids = new Map<string, DefinitionId>();
  readonly #definitions = new Map<string, Definition | undefined>();
  readonly #aliases = new Map<string, AliasTarget | undefined>();
  readonly #builtinFunctions = new Map<string, FunctionValue>();
  readonly #mapBuiltins = new Map<Type, MapBuiltins>();
  readonly #templates = new Map<string, CompiledTemplate>();
  readonly #templatesByIdentity = new WeakMap<DefinitionId, CompiledTemplate>();
  readonly #interfaces = new Map<string, CompiledInterface>();
  readonly #messages = new Map<string, Fn>();
  readonly #onCompile: CompileOptions["onCompile"];

  constructor(options: CompileOptions) {
    this.#packages = options.packages;
    this.#onCompile = options.onCompile;
    this.nodesMax = options.limits.definitionNodesMax;
    this.#dataTypes = new DataTypes(options.packages);
    this.#closedTypes = new ClosedTypes(options.packages, (id) => this.canonicalId(id));
    this.#orderFree = new OrderFree(this);
    this.#runtime = createRuntime({
      meter: new Meter(options.budget, options.limits),
      structs: this.structs,
      onLedger: options.onLedger,
      retype: options.retype,
      checkView: options.checkView ?? (() => undefined),
      template: (id) => this.template(id),
      packageName: (id) => this.packageName(id),
      exceptionMessage: (exception) => this.exceptionMessage(exception),
      onTrace: options.onTrace ?? (() => undefined),
    });
  }

  // What the engine asks

  template(id: DefinitionId): CompiledTemplate | undefined {
    const known = this.#templatesByIdentity.get(id);
    if (known !== undefined) return known;
    const template = rememberFound(this.#templates, showId(id), () => {
      const package_ = this.#packages.package(id.packageId);
      const definition = this.#packages.template(id);
      return package_ && definition && compileTemplate(this, this.canonicalId(id), package_, definition);
    });
    if (template !== undefined) this.#templatesByIdentity.set(id, template);
    return template;
  }

  interface(id: DefinitionId): CompiledInterface | undefined {
    return rememberFound(this.#interfaces, showId(id), () => {
      const definition = this.#packages.interface(id);
      return definition && compileInterface(this, this.canonicalId(id), definition);
    });
  }

  value(id: DefinitionId): Value {
    const definition = this.definition(id);
    if (definition === undefined) throw missingDefinition(id);
    return definition.v ?? definition.force();
  }

  exceptionMessage(exception: AnyValue): string {
    assert(exception.type.kind === "con", "the type of an exception is a constructor");
    const { id } = exception.type;
    if (id.packageId === arithmeticErrorId.packageId) return (exception.value as RecordValue)[0] as string;
    return apply1(this.#messageFunction(id), exception.value) as string;
  }

  packageName(id: PackageId): string | undefined {
    return this.#packages.package(id)?.name;
  }

  #messageFunction(id: DefinitionId): Fn {
    const key = showId(id);
    const known = this.#messages.get(key);
    if (known !== undefined) return known;
    const exception = this.#packages.exception(id);
    if (exception === undefined) throw missingDefinition(id);
    const made = this.compileFunction([], exception.message, "value")() as Fn;
    this.#messages.set(key, made);
    return made;
  }

  // What emitted code asks

  definition(id: DefinitionId): Definition | undefined {
    return remember(this.#definitions, showId(id), () => {
      const value = this.#packages.value(id);
      if (value === undefined) return undefined;
      const { params } = unabstract(value.body);
      checkParameters(params.length); // who calls it is compiled before it
      return new Definition(this.canonicalId(id), params.length, this);
    });
  }

  alias(id: DefinitionId): AliasTarget | undefined {
    const key = showId(id);
    if (!this.#aliases.has(key)) {
      this.#aliases.set(key, undefined); // until it is known: an alias of itself is none
      const value = this.#packages.value(id);
      this.#aliases.set(key, value && this.#aliasOf(value.body));
    }
    return this.#aliases.get(key);
  }

  #aliasOf(body: Expr): AliasTarget | undefined {
    let head = body;
    while (head.kind === "tyApp" || head.kind === "tyAbs") head = head.kind === "tyApp" ? head.expr : head.body;
    if (head.kind === "builtin") return { kind: "builtin", builtin: head.builtin, types: body.kind === "tyApp" ? body.types : [] };
    if (head.kind !== "val") return undefined;
    return this.alias(head.id) ?? ((this.definition(head.id)?.arity ?? 0) > 0 ? { kind: "val", id: head.id } : undefined);
  }

  canonicalId(id: DefinitionId): DefinitionId {
    return remember(this.#ids, showId(id), () => id);
  }
  fieldIndex(record: DefinitionId, field: string): number | undefined {
    return this.#dataTypes.index(record, field);
  }
  fieldCount(record: DefinitionId): number | undefined {
    return this.#dataTypes.count(record);
  }
  payloadFieldCount(variant: DefinitionId, constructor_: string): number | undefined {
    return this.#dataTypes.payloadFieldCount(variant, constructor_);
  }
  rank(type: DefinitionId, constructor_: string): number | undefined {
    return this.#dataTypes.index(type, constructor_);
  }
  enumValue(type: DefinitionId, constructor_: string): EnumValue | undefined {
    return this.#dataTypes.enumValue(type, constructor_);
  }
  closedType(type: Type): Type | undefined {
    return this.#closedTypes.close(type);
  }

  isSerializable(type: Type): boolean {
    return this.#closedTypes.isSerializable(type);
  }

  mapBuiltins(key: Type): MapBuiltins {
    return remember(this.#mapBuiltins, key, () => {
      const unit = new CodeUnit(this.nodesMax);
      return this.#runtime.mapBuiltins(unit.evaluate(emitComparator(unit, this.#closedTypes, key), this.#runtime) as Comparator);
    });
  }

  /** A builtin as a value: an arrow function of its own, since the arity mark must not touch the runtime's function. */
  builtinFunction(name: BuiltinName): Value {
    return remember(this.#builtinFunctions, name, () => {
      const { arity, helper } = runnableBuiltin(name)!;
      const code = this.#runtime[helper] as FunctionValue;
      const functions: Readonly<Record<number, FunctionValue>> = {
        1: (a: Value) => code(a),
        2: (a: Value, b: Value) => code(a, b),
        3: (a: Value, b: Value, c: Value) => code(a, b, c),
        4: (a: Value, b: Value, c: Value, d: Value) => code(a, b, c, d),
      };
      return withArity(arity, functions[arity] as Fn);
    });
  }

  // Compiling

  /** False when there is no such definition. */
  prepare(id: DefinitionId, mode: Mode): boolean {
    const definition = this.definition(id);
    definition?.prepare(mode);
    return definition !== undefined;
  }

  forgetConstants(): void {
    for (const definition of this.#definitions.values()) definition?.forget();
    this.#messages.clear(); // functions that may hold what they were made with
  }

  compile(definition: Definition, mode: Mode): FunctionValue {
    const { params, body } = unabstract(this.#packages.value(definition.id)!.body);
    return this.#evaluate({ params: params.map((param) => param.name), body, mode, definition });
  }

  compileFunction(params: readonly string[], body: Expr, mode: Mode): FunctionValue {
    return this.#evaluate({ params, body, mode });
  }

  #evaluate(shape: FunctionShape): FunctionValue {
    const unit = new CodeUnit(this.nodesMax);
    const self = shape.definition && { definition: shape.definition, mode: shape.mode };
    const text = emitFunction({ syntax, unit, linker: this, orderFree: this.#orderFree, self }, Environment.empty, shape);
    const code = unit.evaluate(text, this.#runtime) as FunctionValue;
    if (self !== undefined) this.#onCompile?.({ definition: self.definition.id, mode: self.mode, nodes: unit.nodes });
    return code;
  }
}

const missingDefinition = (id: DefinitionId): FatalError => {
  const reference = showId(id);
  return new FatalError({ phase: "lookup", class: "MissingDefinition", message: `The definition ${reference} is not known.`, reference });
};
