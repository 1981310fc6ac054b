/** Commands of a script, as its library has them: values beside the templates that they are of. */
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { expr, type ModuleBuilder, type } from "./lf-builder.js";
import { type Payloads, type Typed, typedBool } from "./script-payloads.js";
import { stableId, stableType } from "./script-library.js";

/** One with its package id meant, or only the name of the package. */
interface OfTemplate {
  readonly template: DefinitionId;
  readonly exact?: boolean;
}
interface OfChoice {
  readonly choice: string;
  readonly argument: Typed;
}

const contractId = type.contractId(type.unit);
const anyChoice = type.con(stableId("DA.Internal.Any", "AnyChoice"));

export class ScriptCommands {
  readonly #payloads: Payloads;
  readonly #command: DefinitionId;
  /** Of a command in a submission. */
  readonly type: Type;

  constructor(module: ModuleBuilder, payloads: Payloads) {
    const { anyTemplate, templateTypeRep } = stableType,
      key = payloads.type(type.any, templateTypeRep);
    this.#payloads = payloads;
    this.#command = module.dataType(
      "Command",
      {
        kind: "variant",
        constructors: [
          { name: "Create", type: payloads.type(anyTemplate) },
          { name: "Exercise", type: payloads.type(templateTypeRep, contractId, anyChoice) },
          { name: "ExerciseByKey", type: payloads.type(templateTypeRep, key, anyChoice) },
          { name: "CreateAndExercise", type: payloads.type(anyTemplate, anyChoice) },
        ],
      },
      [],
      false,
    );
    this.type = payloads.type(type.con(this.#command), type.bool);
  }

  create({ template, exact, argument }: OfTemplate & { readonly argument: Expr }): Expr {
    return this.#made("Create", exact, anyTemplateOf(template, argument));
  }
  exercise({ template, exact, contract, ...choice }: OfTemplate & OfChoice & { readonly contract: Expr }): Expr {
    return this.#made("Exercise", exact, typeRep(template), { type: contractId, expr: contract }, anyChoiceOf(template, choice));
  }
  exerciseByKey({ template, exact, key, ...choice }: OfTemplate & OfChoice & { readonly key: Typed }): Expr {
    const anyKey = this.#payloads.of({ type: type.any, expr: { kind: "toAny", ...key } }, typeRep(template));
    return this.#made("ExerciseByKey", exact, typeRep(template), anyKey, anyChoiceOf(template, choice));
  }
  createAndExercise({ template, exact, payload, ...choice }: OfTemplate & OfChoice & { readonly payload: Expr }): Expr {
    return this.#made("CreateAndExercise", exact, anyTemplateOf(template, payload), anyChoiceOf(template, choice));
  }

  #made(constructor_: string, exact = false, ...parts: readonly Typed[]): Expr {
    const command = { type: type.con(this.#command), expr: expr.variant(this.#command, constructor_, this.#payloads.of(...parts).expr) };
    return this.#payloads.of(command, typedBool(exact)).expr;
  }
}

/** Also of interfaces. */
export const typeRep = (template: DefinitionId): Typed => ({
  type: stableType.templateTypeRep,
  expr: expr.record(stableId("DA.Internal.Any", "TemplateTypeRep"), { getTemplateTypeRep: { kind: "typeRep", type: type.con(template) } }),
});

const anyTemplateOf = (template: DefinitionId, argument: Expr): Typed => ({
  type: stableType.anyTemplate,
  expr: expr.record(stableId("DA.Internal.Any", "AnyTemplate"), {
    getAnyTemplate: { kind: "toAny", type: type.con(template), expr: argument },
  }),
});

const anyChoiceOf = (template: DefinitionId, { argument }: OfChoice): Typed => ({
  type: anyChoice,
  expr: expr.record(stableId("DA.Internal.Any", "AnyChoice"), {
    getAnyChoice: { kind: "toAny", ...argument },
    getAnyChoiceTemplateTypeRep: typeRep(template).expr,
  }),
});
