/** What may be stored and sent: no functions, no types that only exist while code runs. */
import { unreachable } from "../../base/assert.js";
import type { BuiltinType, DataCons, DefDataType, DefInterface, DefTemplate, DefinitionId, TemplateChoice, Type } from "../ast.js";
import type { Scope } from "./scope.js";
import { showKind, showName, showType } from "./show.js";
import { argumentOf, constructor_ } from "../type-forms.js";

/** What needs the type, and the type that is needed. */
interface Requirement {
  readonly what: string;
  readonly type: Type;
}
const noVariables: ReadonlySet<string> = new Set();

export function checkSerializableData(scope: Scope, id: DefinitionId, { params, cons, serializable }: DefDataType): void {
  if (!serializable) return;
  const requirement: Requirement = { what: "data type", type: constructor_(id) };
  for (const { name, kind } of params)
    if (kind.kind !== "star") refuse(scope, requirement, `its parameter ${name} has kind ${showKind(kind)}`);
  const variables = new Set(params.map(({ name }) => name));
  for (const type of memberTypes(scope, requirement, cons)) checkType(scope, requirement, variables, type);
}

function memberTypes(scope: Scope, requirement: Requirement, cons: DataCons): readonly Type[] {
  switch (cons.kind) {
    case "record":
      return cons.fields.map(({ type }) => type);
    case "variant":
      return cons.constructors.length > 0 ? cons.constructors.map(({ type }) => type) : refuse(scope, requirement, "it has no constructor");
    case "enum":
      return cons.constructors.length > 0 ? [] : refuse(scope, requirement, "it has no constructor");
    case "interface":
      return refuse(scope, requirement, "it is an interface");
  }
}

export function checkSerializableTemplate(scope: Scope, id: DefinitionId, { choices, key }: DefTemplate): void {
  checkNeeded(scope, "template argument", constructor_(id));
  checkSerializableChoices(scope, choices.values());
  if (key !== undefined) checkNeeded(scope, "key", key.type);
}

export const checkSerializableException = (scope: Scope, id: DefinitionId): void => checkNeeded(scope, "exception", constructor_(id));

export function checkSerializableInterface(scope: Scope, { choices, view }: DefInterface): void {
  checkSerializableChoices(scope, choices.values());
  checkNeeded(scope, "view", view);
}

function checkSerializableChoices(scope: Scope, choices: Iterable<TemplateChoice>): void {
  for (const { name, argBinder, returnType } of choices) {
    checkNeeded(scope, `argument of choice ${name}`, argBinder.type);
    checkNeeded(scope, `result of choice ${name}`, returnType);
  }
}

const checkNeeded = (scope: Scope, what: string, type: Type): void => checkType(scope, { what, type }, noVariables, type);

function refuse(scope: Scope, { what, type }: Requirement, reason: string): never {
  return scope.refuse("ExpectedSerializableType", `the ${what} ${showType(type)} must be serializable, but ${reason}`);
}

function checkType(scope: Scope, requirement: Requirement, variables: ReadonlySet<string>, type: Type): void {
  scope.budget.spend(1);
  switch (type.kind) {
    case "var":
      if (!variables.has(type.name)) refuse(scope, requirement, `the type variable ${type.name} is free`);
      return;
    case "nat":
      return refuse(scope, requirement, "a natural number is no type of values");
    case "syn":
      return refuse(scope, requirement, `${showName(type.id)} is a type synonym`);
    case "forall":
      return refuse(scope, requirement, `${showType(type)} is polymorphic`);
    case "struct":
      return refuse(scope, requirement, `${showType(type)} is a struct`);
    case "con":
      if (!scope.dataType(type.id).serializable) refuse(scope, requirement, `${showName(type.id)} is not serializable`);
      return;
    case "builtin":
      if (!isSerializable(type.builtin)) refuse(scope, requirement, `${type.builtin} is not`);
      return;
    case "app":
      return checkApplication(scope, requirement, variables, type);
  }
}

/** The argument of ContractId may be anything. */
function checkApplication(
  scope: Scope,
  requirement: Requirement,
  variables: ReadonlySet<string>,
  type: Extract<Type, { kind: "app" }>,
): void {
  if (argumentOf("CONTRACT_ID", type) !== undefined || argumentOf("NUMERIC", type)?.kind === "nat") return;
  if (!isContainer(type.fun)) checkType(scope, requirement, variables, type.fun);
  checkType(scope, requirement, variables, type.arg);
}

/** A builtin container that this argument completes; the key of a map is checked with the first of its two arguments. */
function isContainer(fun: Type): boolean {
  return (
    fun.kind === "builtin"
    && (fun.builtin === "LIST" || fun.builtin === "OPTIONAL" || fun.builtin === "TEXTMAP" || fun.builtin === "GENMAP")
  );
}

function isSerializable(type: BuiltinType): boolean {
  switch (type) {
    case "UNIT":
    case "BOOL":
    case "INT64":
    case "TEXT":
    case "TIMESTAMP":
    case "DATE":
    case "PARTY":
    case "ANY_EXCEPTION":
      return true;
    case "NUMERIC":
    case "LIST":
    case "OPTIONAL":
    case "TEXTMAP":
    case "GENMAP":
    case "CONTRACT_ID": // not applied
    case "ARROW":
    case "UPDATE":
    case "ANY":
    case "TYPE_REP":
    case "FAILURE_CATEGORY":
    case "BIGNUMERIC":
    case "ROUNDING_MODE":
      return false;
    default:
      return unreachable(type);
  }
}
