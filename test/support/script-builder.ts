/** Daml Scripts in Daml-LF, as the compiler makes them: chains of questions with their types. */
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "./lf-builder.js";
import type { Archive } from "../../src/lf/archive/index.js";
import { buildLibrary, type LibraryRelease, stableId, stableType } from "./script-library.js";

export interface Typed { readonly type: Type; readonly expr: Expr }
/** The rest of a script, and the type of its result. */
export interface Rest { readonly result: Type; readonly free: Expr }

export interface Question {
  readonly name: string;
  readonly payload: readonly Typed[];
  readonly answer: Type;
  readonly version?: number;
  /** Function and line of the frame that asks. */
  readonly at?: readonly [string, number];
}

export interface Submission { readonly actAs: Expr; readonly commands: readonly Expr[]; readonly behaviour?: "MustSucceed" | "MustFail" | "Try"; readonly at?: readonly [string, number] }


export class ScriptBuilder {
  readonly library: LibraryRelease = buildLibrary("newest");
  readonly #behaviour: DefinitionId;
  readonly #command: DefinitionId;
  #names = 0;

  constructor(readonly module: ModuleBuilder) {
    for (const size of [0, 1, 2, 3, 8]) module.dataType(`Payload${size}`, { kind: "record", fields: fields(size) }, fields(size).map(({ name }) => `t${name}`), false);
    this.#behaviour = module.enum("ErrorBehaviour", ["MustSucceed", "MustFail", "Try"]);
    const contractId = type.contractId(type.unit);
    this.#command = module.dataType("Command", { kind: "variant", constructors: [
      { name: "Create", type: this.#payloadType([stableType.anyTemplate]) },
      { name: "Exercise", type: this.#payloadType([stableType.templateTypeRep, contractId, anyChoiceType]) },
    ] }, [], false);
  }

  #payloadType(types: readonly Type[]): Type { return type.con(this.module.id(`Payload${types.length}`), ...types); }
  payload(parts: readonly Typed[]): Typed {
    const types = parts.map((part) => part.type);
    return { type: this.#payloadType(types), expr: expr.record(this.module.id(`Payload${parts.length}`), Object.fromEntries(parts.map((part, index) => [`f${index}`, part.expr])), ...types) };
  }

  /** Ends a script with a value. */
  end(value: Typed = { type: type.unit, expr: expr.unit }): Rest {
    const result = value.type;
    return { result, free: expr.variant(this.library.ids.free, "Pure", tuple(value, { type: type.unit, expr: expr.unit }), this.#answerType(result)) };
  }

  #answerType(result: Type): Type { return stableType.tuple2(result, type.unit); }
  freeType(result: Type): Type { return type.con(this.library.ids.free, this.#answerType(result)); }

  ask({ name, payload, answer, version = 1, at }: Question, next: (answer: Expr) => Rest): Rest {
    const { free, question, scriptF, ledgerValue, cast } = this.library.ids, any = type.con(ledgerValue);
    const variable = `answer${this.#names++}`, given = this.payload(payload);
    const rest = next(expr.apply(expr.applyTypes(expr.value(cast), any, answer), expr.variable(variable)));
    const restType = this.freeType(rest.result);
    const asked = expr.record(question, {
      commandName: expr.text(name), commandVersion: expr.int64(BigInt(version)), payload: expr.apply(expr.applyTypes(expr.value(cast), given.type, any), given.expr),
      locations: expr.list(stableType.tuple2(type.text, stableType.sourceLocation), ...(at === undefined ? [] : [this.#frame(at)])),
      continue: expr.lambda({ [variable]: any }, rest.free),
    }, any, any, restType);
    return { result: rest.result, free: expr.variant(free, "Free", expr.record(scriptF, { unpack: asked }, restType), this.#answerType(rest.result)) };
  }

  #frame([name, line]: readonly [string, number]): Expr {
    const text = (value: string): Expr => expr.text(value), number = (value: number): Expr => expr.int64(BigInt(value));
    const location = expr.record(stableId("DA.Stack.Types", "SrcLoc"), {
      srcLocPackage: text("main"), srcLocModule: text(this.module.name), srcLocFile: text(`daml/${this.module.name}.daml`),
      srcLocStartLine: number(line - 1), srcLocStartCol: number(2), srcLocEndLine: number(line - 1), srcLocEndCol: number(20),
    });
    return tuple({ type: type.text, expr: text(name) }, { type: stableType.sourceLocation, expr: location });
  }

  allocate(name: string, next: (party: Expr) => Rest): Rest {
    return this.ask({ name: "AllocateParty", payload: [typedText(""), typedText(name), { type: type.optional(type.text), expr: expr.none(type.text) }], answer: type.party }, next);
  }

  submit({ actAs, commands, behaviour = "MustSucceed", at }: Submission, next: () => Rest): Rest {
    const party = type.party, none = { type: type.optional(type.unit), expr: expr.none(type.unit) }, nothing = { type: type.list(type.unit), expr: expr.list(type.unit) };
    const command = this.#payloadType([type.con(this.#command), type.bool]);
    const submission = this.payload([
      { type: stableType.nonEmpty(party), expr: expr.record(stableId("DA.NonEmpty.Types", "NonEmpty"), { hd: actAs, tl: expr.list(party) }, party) },
      { type: type.list(party), expr: expr.list(party) }, nothing, none, nothing,
      { type: type.con(this.#behaviour), expr: expr.enum(this.#behaviour, behaviour) },
      { type: type.list(command), expr: expr.list(command, ...commands) },
      at === undefined ? none : { type: type.optional(stableType.tuple2(type.text, stableType.sourceLocation)), expr: expr.some(stableType.tuple2(type.text, stableType.sourceLocation), this.#frame(at)) },
    ]);
    return this.ask({ name: "Submit", version: 2, payload: [{ type: type.list(submission.type), expr: expr.list(submission.type, submission.expr) }], answer: type.unit, ...(at === undefined ? {} : { at }) }, next);
  }

  create(template: DefinitionId, given: Readonly<Record<string, Expr>>): Expr {
    const payload = this.payload([{ type: stableType.anyTemplate, expr: expr.record(stableId("DA.Internal.Any", "AnyTemplate"), { getAnyTemplate: { kind: "toAny", type: type.con(template), expr: expr.record(template, given) } }) }]);
    return this.payload([{ type: type.con(this.#command), expr: expr.variant(this.#command, "Create", payload.expr) }, { type: type.bool, expr: expr.bool(false) }]).expr;
  }

  define(name: string, { result, free }: Rest): DefinitionId {
    const script = type.con(this.library.ids.script, result);
    return this.module.value(name, script, expr.record(this.library.ids.script, { runScript: expr.lambda({ start: type.unit }, free), dummy: expr.unit }, result));
  }

  /** One that takes an argument. */
  defineFunction(name: string, parameter: Type, rest: (argument: Expr) => Rest): DefinitionId {
    const { result, free } = rest(expr.variable("argument"));
    const body = expr.record(this.library.ids.script, { runScript: expr.lambda({ start: type.unit }, free), dummy: expr.unit }, result);
    return this.module.value(name, type.arrow(parameter, type.con(this.library.ids.script, result)), expr.lambda({ argument: parameter }, body));
  }

  buildDar(name: string, modules: readonly ModuleBuilder[], dependencies: readonly Archive[] = []): Uint8Array {
    return buildDar(buildPackage({ name, version: "1.0.0", modules }), [this.library.archive, ...dependencies]);
  }
}

const fields = (size: number) => Array.from({ length: size }, (_, index) => ({ name: `f${index}`, type: type.variable(`tf${index}`) }));
const anyChoiceType = type.con(stableId("DA.Internal.Any", "AnyChoice"));
export const typedText = (value: string): Typed => ({ type: type.text, expr: expr.text(value) });

const tuple = (first: Typed, second: Typed): Expr => expr.record(stableId("DA.Types", "Tuple2"), { _1: first.expr, _2: second.expr }, first.type, second.type);
