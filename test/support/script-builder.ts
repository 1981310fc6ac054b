/** Daml Scripts in Daml-LF, as the compiler makes them: chains of questions with their types. */
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { buildDar, buildPackage, expr, type ModuleBuilder, type } from "./lf-builder.js";
import type { Archive } from "../../src/lf/archive/index.js";
import { ScriptCommands, typeRep } from "./script-commands.js";
import { buildLibrary, type LibraryRelease, stableId, stableType } from "./script-library.js";
import { Payloads, type Typed, typedList, typedOption, typedText } from "./script-payloads.js";

export { type Typed, typedText } from "./script-payloads.js";

/** The rest of a script, and the type of its result. */
export interface Rest {
  readonly result: Type;
  readonly free: Expr;
}

/** Function and line of the frame that asks. */
type Frame = readonly [function_: string, line: number];

export interface Question {
  readonly name: string;
  readonly payload: readonly Typed[];
  readonly answer: Type;
  readonly version?: number;
  readonly at?: Frame;
}

export interface Submission {
  readonly actAs: readonly [Expr, ...Expr[]];
  readonly readAs?: readonly Expr[];
  readonly commands: readonly Expr[];
  /** Templates, contract ids and blobs. */
  readonly disclosures?: readonly (readonly [Typed, Typed, Typed])[];
  /** Ids of packages. */
  readonly preference?: readonly string[];
  readonly behaviour?: "MustSucceed" | "MustFail" | "Try";
  readonly at?: Frame;
}

const frameType = stableType.tuple2(type.text, stableType.sourceLocation);

export class ScriptBuilder {
  readonly library: LibraryRelease;
  readonly payloads: Payloads;
  readonly commands: ScriptCommands;
  readonly #behaviour: DefinitionId;
  #names = 0;

  constructor(
    readonly module: ModuleBuilder,
    library: LibraryRelease = buildLibrary("newest"),
  ) {
    this.library = library;
    this.payloads = new Payloads(module);
    this.commands = new ScriptCommands(module, this.payloads);
    this.#behaviour = module.enum("ErrorBehaviour", ["MustSucceed", "MustFail", "Try"]);
  }

  /** Ends a script with a value. */
  end(value: Typed = { type: type.unit, expr: expr.unit }): Rest {
    const result = value.type;
    return {
      result,
      free: expr.variant(this.library.ids.free, "Pure", tuple(value, { type: type.unit, expr: expr.unit }), this.#answerType(result)),
    };
  }

  /** Code that fails instead of ending. */
  error(message: string): Rest {
    return { result: type.unit, free: expr.apply(expr.applyTypes(expr.builtin("ERROR"), this.freeType(type.unit)), expr.text(message)) };
  }

  #answerType(result: Type): Type {
    return stableType.tuple2(result, type.unit);
  }
  freeType(result: Type): Type {
    return type.con(this.library.ids.free, this.#answerType(result));
  }

  ask({ name, payload, answer, version = 1, at }: Question, next: (answer: Expr) => Rest): Rest {
    const { free, question, scriptF, ledgerValue, cast } = this.library.ids,
      any = type.con(ledgerValue);
    const variable = `answer${this.#names++}`,
      given = this.payloads.of(...payload);
    const rest = next(expr.apply(expr.applyTypes(expr.value(cast), any, answer), expr.variable(variable)));
    const restType = this.freeType(rest.result);
    const asked = expr.record(
      question,
      {
        commandName: expr.text(name),
        commandVersion: expr.int64(BigInt(version)),
        payload: expr.apply(expr.applyTypes(expr.value(cast), given.type, any), given.expr),
        locations: expr.list(frameType, ...(at === undefined ? [] : [this.#frame(at)])),
        continue: expr.lambda({ [variable]: any }, rest.free),
      },
      any,
      any,
      restType,
    );
    return {
      result: rest.result,
      free: expr.variant(free, "Free", expr.record(scriptF, { unpack: asked }, restType), this.#answerType(rest.result)),
    };
  }

  #frame([name, line]: Frame): Expr {
    const text = (value: string): Expr => expr.text(value),
      number = (value: number): Expr => expr.int64(BigInt(value));
    const location = expr.record(stableId("DA.Stack.Types", "SrcLoc"), {
      srcLocPackage: text("main"),
      srcLocModule: text(this.module.name),
      srcLocFile: text(`daml/${this.module.name}.daml`),
      srcLocStartLine: number(line - 1),
      srcLocStartCol: number(2),
      srcLocEndLine: number(line - 1),
      srcLocEndCol: number(20),
    });
    return tuple({ type: type.text, expr: text(name) }, { type: stableType.sourceLocation, expr: location });
  }

  allocate(name: string, next: (party: Expr) => Rest): Rest {
    return this.ask(
      { name: "AllocateParty", payload: [typedText(""), typedText(name), typedOption(type.text, undefined)], answer: type.party },
      next,
    );
  }

  /** `answer`: as what the script takes it; by default it does not look. */
  submit(submission: Submission, next: (answer: Expr) => Rest, answer: Type = type.unit): Rest {
    const asked = this.#submission(submission),
      { at } = submission;
    return this.ask(
      { name: "Submit", version: 2, payload: [typedList(asked.type, asked.expr)], answer, ...(at === undefined ? {} : { at }) },
      next,
    );
  }

  #submission({
    actAs: [first, ...others],
    readAs = [],
    commands,
    disclosures = [],
    preference,
    behaviour = "MustSucceed",
    at,
  }: Submission): Typed {
    const disclosure = this.payloads.type(stableType.templateTypeRep, type.contractId(type.unit), type.text),
      packageId = this.payloads.type(type.text);
    const preferred = preference && expr.list(packageId, ...preference.map((id) => this.payloads.of(typedText(id)).expr));
    return this.payloads.of(
      {
        type: stableType.nonEmpty(type.party),
        expr: expr.record(stableId("DA.NonEmpty.Types", "NonEmpty"), { hd: first, tl: expr.list(type.party, ...others) }, type.party),
      },
      typedList(type.party, ...readAs),
      typedList(disclosure, ...disclosures.map((parts) => this.payloads.of(...parts).expr)),
      typedOption(type.list(packageId), preferred),
      typedList(type.unit), // no keys to be fetched ahead
      { type: type.con(this.#behaviour), expr: expr.enum(this.#behaviour, behaviour) },
      typedList(this.commands.type, ...commands),
      typedOption(frameType, at && this.#frame(at)),
    );
  }

  /** The type of the answer to a submission that must succeed, as far as `firstCreated` looks into it. */
  get submitAnswer(): Type {
    return type.list(type.con(this.#either, this.#any, stableType.tuple2(type.list(type.con(this.#result)), this.#any)));
  }
  get #any(): Type {
    return type.con(this.library.ids.ledgerValue);
  }
  readonly #either = stableId("DA.Types", "Either");
  get #result(): DefinitionId {
    return { packageId: this.library.archive.id, module: "Daml.Script.Internal.Questions", name: "CommandResult" };
  }

  /** What the first command made, which is a create: a contract id of no type. */
  firstCreated(answer: Expr): Expr {
    const results = type.list(type.con(this.#result)),
      otherwise = (of: Type) =>
        ({
          pattern: { kind: "default" },
          body: expr.apply(expr.applyTypes(expr.builtin("ERROR"), of), expr.text("nothing was created")),
        }) as const;
    const id = type.contractId(type.unit);
    const committed = expr.match(
      answer,
      {
        pattern: { kind: "cons", head: "first", tail: "_" },
        body: expr.match(
          expr.variable("first"),
          {
            pattern: { kind: "variant", id: this.#either, constructor_: "Right", binder: "right" },
            body: expr.field(stableId("DA.Types", "Tuple2"), "_1", expr.variable("right"), results, this.#any),
          },
          otherwise(results),
        ),
      },
      otherwise(results),
    );
    return expr.match(
      committed,
      {
        pattern: { kind: "cons", head: "result", tail: "_" },
        body: expr.match(
          expr.variable("result"),
          { pattern: { kind: "variant", id: this.#result, constructor_: "CreateResult", binder: "made" }, body: expr.variable("made") },
          otherwise(id),
        ),
      },
      otherwise(id),
    );
  }

  queryContract(parties: readonly Expr[], template: DefinitionId, contract: Expr): Question {
    return {
      name: "QueryContractId",
      payload: [typedList(type.party, ...parties), typeRep(template), { type: type.contractId(type.unit), expr: contract }],
      answer: this.#any,
    };
  }

  define(name: string, rest: Rest): DefinitionId {
    return this.module.value(name, type.con(this.library.ids.script, rest.result), this.#script(rest));
  }

  /** One that takes an argument. */
  defineFunction(name: string, parameter: Type, rest: (argument: Expr) => Rest): DefinitionId {
    const made = rest(expr.variable("argument"));
    return this.module.value(
      name,
      type.arrow(parameter, type.con(this.library.ids.script, made.result)),
      expr.lambda({ argument: parameter }, this.#script(made)),
    );
  }

  #script({ result, free }: Rest): Expr {
    return expr.record(this.library.ids.script, { runScript: expr.lambda({ start: type.unit }, free), dummy: expr.unit }, result);
  }

  build(name: string, modules: readonly ModuleBuilder[] = [this.module], version = "1.0.0"): Archive {
    return buildPackage({ name, version, modules });
  }

  buildDar(name: string, modules: readonly ModuleBuilder[], dependencies: readonly Archive[] = []): Uint8Array {
    return buildDar(this.build(name, modules), [this.library.archive, ...dependencies]);
  }
}

const tuple = (first: Typed, second: Typed): Expr =>
  expr.record(stableId("DA.Types", "Tuple2"), { _1: first.expr, _2: second.expr }, first.type, second.type);
