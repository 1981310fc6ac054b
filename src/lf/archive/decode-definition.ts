/**
 * Definitions of a module. Signatures (names, types, what implements what) are decoded at once; expressions wait behind
 * getters until they are asked for, since most definitions of a package are never reached.
 */
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
  TemplateChoice,
  TemplateKey,
  Type,
  VarWithType,
} from "../ast.js";
import { checkLocation, type ExpressionDecoder } from "./decode-expression.js";
import type { TypeDecoder } from "./decode-type.js";
import { collision, parsing } from "./failure.js";
import { requireFeature } from "./version.js";
import { readMessage, type Message, type Slice } from "./wire-reader.js";

/** Decoders of the expressions of a definition; running one throws if the expression is malformed. */
export type BodyCheck = (keep: boolean) => void;

/** An expression not decoded yet. */
class Body {
  readonly #decoder: ExpressionDecoder;
  readonly #slice: Slice<"Expr"> | undefined;
  #expr: Expr | undefined;

  constructor(decoder: ExpressionDecoder, slice: Slice<"Expr"> | undefined) {
    this.#decoder = decoder;
    this.#slice = slice;
  }

  get expr(): Expr {
    return (this.#expr ??= this.#decoder.definitionBody(this.#slice));
  }
  /** Decodes; what is needed again soon is kept. */
  check(keep: boolean): void {
    const expr = this.#decoder.definitionBody(this.#slice);
    if (keep) this.#expr = expr;
  }
  /** It is decoded again when it is needed. */
  release(): void {
    this.#expr = undefined;
  }
}

/** Collects what a module's definitions leave undecoded, unless the package was checked before. */
export class DefinitionDecoder {
  readonly checks: BodyCheck[] = [];
  /** What may hold expressions that were decoded. */
  readonly holders: { release(): void }[] = [];
  constructor(
    readonly expressions: ExpressionDecoder,
    readonly isChecked: boolean,
  ) {}

  get tables() {
    return this.expressions.tables;
  }
  get types() {
    return this.tables.typeDecoder;
  }

  body(slice: Slice<"Expr"> | undefined): Body {
    const body = new Body(this.expressions, slice);
    if (!this.isChecked) {
      this.checks.push((keep) => body.check(keep));
      this.holders.push(body);
    }
    return body;
  }

  location(slice: Slice<"Location"> | undefined): void {
    if (slice !== undefined && !this.isChecked) this.checks.push(() => checkLocation(this.tables, slice));
  }
}

class DecodedValue implements DefValue {
  readonly name: string;
  readonly #types: TypeDecoder;
  readonly #typeSlice: Slice<"Type"> | undefined;
  readonly #body: Body;
  #type: Type | undefined;

  constructor(decoder: DefinitionDecoder, { nameInternedDname, type }: Message<"NameWithType">, body: Body) {
    this.name = decoder.tables.dottedName(nameInternedDname);
    this.#types = decoder.types;
    this.#typeSlice = type;
    if (!decoder.isChecked) this.#type = this.#types.type(type);
    this.#body = body;
  }

  /** Code does not ask for it. */
  get type(): Type {
    return (this.#type ??= this.#types.type(this.#typeSlice));
  }
  get body(): Expr {
    return this.#body.expr;
  }
}

class DecodedException implements DefException {
  readonly #message: Body;
  constructor(
    readonly name: string,
    message: Body,
  ) {
    this.#message = message;
  }
  get message(): Expr {
    return this.#message.expr;
  }
}

class DecodedChoice implements TemplateChoice {
  readonly name: string;
  readonly consuming: boolean;
  readonly selfBinder: string;
  readonly argBinder: VarWithType;
  readonly returnType: Type;
  readonly #controllers: Body;
  readonly #observers: Body;
  readonly #authorizers: Body | undefined;
  readonly #update: Body;

  constructor(decoder: DefinitionDecoder, message: Message<"TemplateChoice">) {
    decoder.location(message.location);
    this.name = decoder.tables.name(message.nameInternedStr);
    this.consuming = message.consuming;
    this.selfBinder = decoder.tables.name(message.selfBinderInternedStr);
    this.argBinder = decoder.types.binder(message.argBinder);
    this.returnType = decoder.types.type(message.retType);
    this.#controllers = decoder.body(message.controllers);
    this.#observers = decoder.body(message.observers);
    this.#authorizers = message.authorizers === undefined ? undefined : decoder.body(message.authorizers);
    this.#update = decoder.body(message.update);
  }

  get controllers(): Expr {
    return this.#controllers.expr;
  }
  get observers(): Expr {
    return this.#observers.expr;
  }
  get authorizers(): Expr | undefined {
    return this.#authorizers?.expr;
  }
  get update(): Expr {
    return this.#update.expr;
  }
}

class DecodedKey implements TemplateKey {
  readonly #key: Body;
  readonly #maintainers: Body;
  readonly type: Type;

  constructor(decoder: DefinitionDecoder, message: Message<"DefKey">) {
    this.type = decoder.types.type(message.type);
    this.#key = decoder.body(message.keyExpr);
    this.#maintainers = decoder.body(message.maintainers);
  }

  get key(): Expr {
    return this.#key.expr;
  }
  get maintainers(): Expr {
    return this.#maintainers.expr;
  }
}

class DecodedInstance implements InterfaceInstance {
  readonly interface: DefinitionId;
  readonly #methods = new Map<string, Body>();
  readonly #view: Body;
  #decodedMethods: ReadonlyMap<string, Expr> | undefined;

  constructor(decoder: DefinitionDecoder, message: Message<"Implements">) {
    decoder.location(message.location);
    this.interface = decoder.tables.definitionId(message.interface);
    if (message.body === undefined) throw parsing("an interface instance has no body");
    const { methods, view } = readMessage("InterfaceInstanceBody", message.body);
    for (const slice of methods) {
      const { methodInternedName, value } = readMessage("InterfaceInstanceMethod", slice);
      insert(this.#methods, "methods of an interface instance", decoder.tables.name(methodInternedName), decoder.body(value));
    }
    this.#view = decoder.body(view);
    if (!decoder.isChecked) decoder.holders.push(this);
  }

  release(): void {
    this.#decodedMethods = undefined;
  }

  get methods(): ReadonlyMap<string, Expr> {
    return (this.#decodedMethods ??= new Map([...this.#methods].map(([name, body]) => [name, body.expr])));
  }
  get view(): Expr {
    return this.#view.expr;
  }
}

class DecodedTemplate implements DefTemplate {
  readonly param: string;
  readonly choices: ReadonlyMap<string, TemplateChoice>;
  readonly key: TemplateKey | undefined;
  readonly implements: readonly InterfaceInstance[];
  readonly #precondition: Body | undefined;
  readonly #signatories: Body;
  readonly #observers: Body;

  constructor(
    readonly name: string,
    decoder: DefinitionDecoder,
    message: Message<"DefTemplate">,
  ) {
    decoder.location(message.location);
    this.param = decoder.tables.name(message.paramInternedStr);
    this.#precondition = message.precond === undefined ? undefined : decoder.body(message.precond);
    this.#signatories = decoder.body(message.signatories);
    this.#observers = decoder.body(message.observers);
    this.choices = decodeChoices(decoder, message.choices);
    this.key = message.key === undefined ? undefined : decodeKey(decoder, message.key);
    this.implements = message.implements.map((slice) => new DecodedInstance(decoder, readMessage("Implements", slice)));
    refuseTwins(
      "interface instances of a template",
      this.implements.map((instance) => instance.interface),
    );
  }

  get precondition(): Expr | undefined {
    return this.#precondition?.expr;
  }
  get signatories(): Expr {
    return this.#signatories.expr;
  }
  get observers(): Expr {
    return this.#observers.expr;
  }
}

function decodeKey(decoder: DefinitionDecoder, slice: Slice<"DefKey">): TemplateKey {
  requireFeature(decoder.tables.version, "Contract Keys");
  return new DecodedKey(decoder, readMessage("DefKey", slice));
}

function decodeChoices(decoder: DefinitionDecoder, slices: readonly Slice<"TemplateChoice">[]): ReadonlyMap<string, TemplateChoice> {
  const choices = new Map<string, TemplateChoice>();
  for (const slice of slices) {
    const choice = new DecodedChoice(decoder, readMessage("TemplateChoice", slice));
    insert(choices, "choices", choice.name, choice);
  }
  return choices;
}

export function decodeTemplate(decoder: DefinitionDecoder, slice: Slice<"DefTemplate">): DefTemplate {
  const message = readMessage("DefTemplate", slice);
  return new DecodedTemplate(decoder.tables.dottedName(message.tyconInternedDname), decoder, message);
}

export function decodeInterface(decoder: DefinitionDecoder, slice: Slice<"DefInterface">): DefInterface {
  const message = readMessage("DefInterface", slice);
  decoder.location(message.location);
  const methods = new Map<string, Type>();
  for (const methodSlice of message.methods) {
    const method = readMessage("InterfaceMethod", methodSlice);
    decoder.location(method.location);
    insert(methods, "interface methods", decoder.tables.name(method.methodInternedName), decoder.types.type(method.type));
  }
  const requires = message.requires.map((required) => decoder.tables.definitionId(required));
  refuseTwins("required interfaces", requires);
  return {
    name: decoder.tables.dottedName(message.tyconInternedDname),
    param: decoder.tables.name(message.paramInternedStr),
    methods,
    choices: decodeChoices(decoder, message.choices),
    view: decoder.types.type(message.view),
    requires,
  };
}

export function decodeException(decoder: DefinitionDecoder, slice: Slice<"DefException">): DefException {
  const { nameInternedDname, location, message } = readMessage("DefException", slice);
  decoder.location(location);
  return new DecodedException(decoder.tables.dottedName(nameInternedDname), decoder.body(message));
}

export function decodeValue(decoder: DefinitionDecoder, slice: Slice<"DefValue">): DefValue {
  const { location, nameWithType, expr } = readMessage("DefValue", slice);
  decoder.location(location);
  if (nameWithType === undefined) throw parsing("a value has no name");
  return new DecodedValue(decoder, readMessage("NameWithType", nameWithType), decoder.body(expr));
}

export function decodeSynonym(decoder: DefinitionDecoder, slice: Slice<"DefTypeSyn">): DefTypeSyn {
  const { location, nameInternedDname, params, type } = readMessage("DefTypeSyn", slice);
  decoder.location(location);
  return {
    name: decoder.tables.dottedName(nameInternedDname),
    params: params.map((param) => decoder.types.typeVar(param)),
    type: decoder.types.type(type),
  };
}

export function decodeDataType(decoder: DefinitionDecoder, slice: Slice<"DefDataType">): DefDataType {
  const message = readMessage("DefDataType", slice);
  decoder.location(message.location);
  return {
    name: decoder.tables.dottedName(message.nameInternedDname),
    params: message.params.map((param) => decoder.types.typeVar(param)),
    serializable: message.serializable,
    cons: decodeDataCons(decoder, message),
  };
}

function decodeDataCons(decoder: DefinitionDecoder, message: Message<"DefDataType">): DataCons {
  switch (message.case) {
    case "record":
      return { kind: "record", fields: decoder.types.fields(readMessage("Fields", message.value).fields) };
    case "variant":
      return { kind: "variant", constructors: decoder.types.fields(readMessage("Fields", message.value).fields) };
    case "enum":
      if (message.params.length > 0) throw parsing("an enumeration has type parameters");
      return {
        kind: "enum",
        constructors: readMessage("EnumConstructors", message.value).constructorsInternedStr.map((index) => decoder.tables.name(index)),
      };
    case "interface":
      readMessage("Unit", message.value);
      return { kind: "interface" };
    case undefined:
      throw parsing("a data type has no definition");
  }
}

export function insert<T>(map: Map<string, T>, what: string, name: string, definition: T): void {
  if (map.has(name)) throw collision(what, name);
  map.set(name, definition);
}

function refuseTwins(what: string, ids: readonly DefinitionId[]): void {
  const seen = new Map<string, true>();
  for (const id of ids) insert(seen, what, `${id.packageId}:${id.module}:${id.name}`, true);
}
