/**
 * Assembles Daml-LF packages and DARs in tests, so that no Daml compiler is needed.
 *
 *     const main = new ModuleBuilder("Main");
 *     const iou = main.template("Iou", { fields: { owner: type.party }, signatories: (self) => [self("owner")] });
 *     const bytes = buildDar(buildPackage({ name: "iou", version: "1.0.0", modules: [main] }));
 */
import { limits } from "../../src/config.js";
import {
  decodePackage,
  encodeDar,
  encodePackage,
  readDar,
  selfPackageId,
  stablePackages,
  type Archive,
} from "../../src/lf/archive/index.js";
import type {
  DataCons,
  DefDataType,
  DefException,
  DefInterface,
  DefTemplate,
  DefTypeSyn,
  DefValue,
  DefinitionId,
  Expr,
  InterfaceInstance,
  Module,
  TemplateChoice,
  TemplateKey,
  Type,
} from "../../src/lf/ast.js";
import { isFailure, type Result } from "../../src/base/result.js";
import { expr, type } from "./lf-builder-notation.js";

export { expr, type } from "./lf-builder-notation.js";

type Fields = Readonly<Record<string, Type>>;
/** Reads a field of the contract at hand, which is bound to `this`. */
export type FieldOfThis = (field: string) => Expr;

export interface ChoiceToBuild {
  readonly fields: Fields;
  readonly returns: Type;
  readonly consuming?: boolean;
  readonly controllers: (self: FieldOfThis) => readonly Expr[];
  readonly observers?: (self: FieldOfThis) => readonly Expr[];
  /** `arg` reads a field of the choice argument; the contract id is the variable `self`. */
  readonly update: (self: FieldOfThis, arg: FieldOfThis) => Expr;
}

export interface TemplateToBuild {
  readonly fields: Fields;
  readonly signatories: (self: FieldOfThis) => readonly Expr[];
  readonly observers?: (self: FieldOfThis) => readonly Expr[];
  readonly precondition?: (self: FieldOfThis) => Expr;
  readonly choices?: Readonly<Record<string, ChoiceToBuild>>;
  readonly implements?: readonly InterfaceInstance[];
  readonly key?: TemplateKey;
}

export interface InterfaceToBuild {
  readonly view: Type;
  readonly methods?: Fields;
  readonly choices?: Readonly<Record<string, TemplateChoice>>;
  readonly requires?: readonly DefinitionId[];
}

const contractVariable = "this";
const argumentVariable = "arg";
const listed = (fields: Fields) => Object.entries(fields).map(([name, fieldType]) => ({ name, type: fieldType }));
const none = (): readonly Expr[] => [];

export class ModuleBuilder {
  readonly #dataTypes = new Map<string, DefDataType>();
  readonly #synonyms = new Map<string, DefTypeSyn>();
  readonly #values = new Map<string, DefValue>();
  readonly #templates = new Map<string, DefTemplate>();
  readonly #interfaces = new Map<string, DefInterface>();
  readonly #exceptions = new Map<string, DefException>();

  constructor(readonly name: string) {}

  get module(): Module {
    return {
      name: this.name,
      dataTypes: this.#dataTypes,
      synonyms: this.#synonyms,
      values: this.#values,
      templates: this.#templates,
      interfaces: this.#interfaces,
      exceptions: this.#exceptions,
    };
  }

  id(name: string): DefinitionId {
    return { packageId: selfPackageId, module: this.name, name };
  }

  dataType(name: string, cons: DataCons, params: readonly string[] = [], serializable = true): DefinitionId {
    this.#dataTypes.set(name, { name, params: params.map((param) => ({ name: param, kind: { kind: "star" } })), serializable, cons });
    return this.id(name);
  }

  record(name: string, fields: Fields, params: readonly string[] = []): DefinitionId {
    return this.dataType(name, { kind: "record", fields: listed(fields) }, params);
  }
  variant(name: string, constructors: Fields, params: readonly string[] = []): DefinitionId {
    return this.dataType(name, { kind: "variant", constructors: listed(constructors) }, params);
  }
  enum(name: string, constructors: readonly string[]): DefinitionId {
    return this.dataType(name, { kind: "enum", constructors });
  }

  synonym(name: string, synonym: Type): DefinitionId {
    this.#synonyms.set(name, { name, params: [], type: synonym });
    return this.id(name);
  }

  value(name: string, valueType: Type, body: Expr): DefinitionId {
    this.#values.set(name, { name, type: valueType, body });
    return this.id(name);
  }

  /** `message` is given the exception's fields. */
  exception(name: string, fields: Fields, message: (self: FieldOfThis) => Expr): DefinitionId {
    const id = this.record(name, fields);
    this.#exceptions.set(name, { name, message: expr.lambda({ [contractVariable]: type.con(id) }, message(reader(id, contractVariable))) });
    return id;
  }

  template(name: string, { fields, choices = {}, implements: instances = [], key, ...parties }: TemplateToBuild): DefinitionId {
    const id = this.record(name, fields);
    const self = reader(id, contractVariable);
    this.#templates.set(name, {
      name,
      param: contractVariable,
      precondition: parties.precondition?.(self),
      signatories: expr.list(type.party, ...parties.signatories(self)),
      observers: expr.list(type.party, ...(parties.observers ?? none)(self)),
      choices: new Map(Object.entries(choices).map(([choice, toBuild]) => [choice, this.#choice(id, choice, toBuild)])),
      key,
      implements: instances,
    });
    return id;
  }

  interface(name: string, { view, methods = {}, choices = {}, requires = [] }: InterfaceToBuild): DefinitionId {
    const id = this.dataType(name, { kind: "interface" }, [], false);
    this.#interfaces.set(name, {
      name,
      param: contractVariable,
      methods: new Map(Object.entries(methods)),
      choices: new Map(Object.entries(choices)),
      view,
      requires,
    });
    return id;
  }

  #choice(
    template: DefinitionId,
    name: string,
    { fields, returns, consuming = true, controllers, observers = none, update }: ChoiceToBuild,
  ): TemplateChoice {
    const argument = this.record(name, fields);
    const self = reader(template, contractVariable);
    return {
      name,
      consuming,
      selfBinder: "self",
      argBinder: { name: argumentVariable, type: type.con(argument) },
      returnType: returns,
      controllers: expr.list(type.party, ...controllers(self)),
      observers: expr.list(type.party, ...observers(self)),
      authorizers: undefined,
      update: update(self, reader(argument, argumentVariable)),
    };
  }
}

const reader =
  (id: DefinitionId, variable: string): FieldOfThis =>
  (field) =>
    expr.field(id, field, expr.variable(variable));

export interface PackageToBuild {
  readonly name: string;
  readonly version: string;
  readonly modules: readonly ModuleBuilder[];
  /** Of Daml-LF 2. */
  readonly minor?: "1" | "3";
}

export const buildPackage = ({ modules, ...rest }: PackageToBuild): Archive =>
  encodePackage({ ...rest, id: selfPackageId, modules: new Map(modules.map((builder) => [builder.name, builder.module])) });

/** A DAR of a package and its own dependencies, with the stable packages that they refer to. */
export const buildDar = (main: Archive, dependencies: readonly Archive[] = []): Uint8Array => completed(main, dependencies);

/** Adds to a DAR the stable packages that it refers to and does not carry. */
export function completeDar(bytes: Uint8Array): Uint8Array {
  const { archives } = expectOk(readDar(bytes, limits));
  return completed(archives[0]!, archives.slice(1));
}

function completed(main: Archive, dependencies: readonly Archive[]): Uint8Array {
  const stable = new Map(stablePackages().map((archive) => [archive.id, archive]));
  const carried = new Map([main, ...dependencies].map((archive) => [archive.id, archive]));
  for (const { id, payload } of carried.values())
    // grows while it is walked
    for (const needed of expectOk(decodePackage(id, payload)).directDependencies) {
      const archive = stable.get(needed);
      if (archive !== undefined) carried.set(needed, archive);
    }
  return encodeDar(
    "test",
    main,
    [...carried.values()].filter((archive) => archive.id !== main.id),
  );
}

function expectOk<T>(result: Result<T, { readonly message: string }>): T {
  if (isFailure(result)) throw new Error(result.error.message);
  return result.ok as T;
}
