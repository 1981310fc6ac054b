/** Case expressions: patterns that fit what is looked at, one result type, and nothing left out. */
import type { Alternative, Expr, Pattern, Type, TypeConApp, VarWithType } from "../ast.js";
import type { Checker } from "./checker.js";
import { checkEnumConstructor, constructorType } from "./data.js";
import { showNames, showPattern, showType } from "./show.js";
import { sameId } from "./type-equality.js";
import { argumentOf, asConstructor, list } from "../type-forms.js";

/** What a type can look like. */
interface Shape {
  /** Every pattern but the default one, by name; undefined where only the default pattern may stand. */
  readonly names: readonly string[] | undefined;
  /** Does a pattern other than the default one belong to the type, and what does it bind? */
  readonly bind: (pattern: Pattern) => Bound | undefined;
}
type Bound = readonly VarWithType[];

const opaque: Shape = { names: undefined, bind: () => undefined };

export function typeOfCase(checker: Checker, { scrutinee, alternatives }: Extract<Expr, { kind: "case" }>): Type {
  const type = checker.typeOf(scrutinee);
  const shape = shapeOf(checker, type);
  const results = alternatives.map((alternative) => typeOfAlternative(checker, type, shape, alternative));
  const [first, ...others] = results;
  if (first === undefined) return checker.scope.refuse("EmptyCase", "a case has no alternative");
  for (const other of others)
    if (!checker.types.equal(first, other))
      checker.scope.refuse("TypeMismatch", `alternatives of a case have the types ${showType(first)} and ${showType(other)}`);
  checkNothingMissing(checker, type, shape, alternatives);
  return first;
}

function typeOfAlternative(checker: Checker, type: Type, shape: Shape, { pattern, body }: Alternative): Type {
  const bound = pattern.kind === "default" ? [] : shape.bind(pattern);
  if (bound === undefined)
    return checker.scope.refuse("PatternTypeMismatch", `the pattern ${showPattern(pattern)} does not fit the type ${showType(type)}`);
  return checker.scope.withVariables(bound, () => checker.typeOf(body));
}

/** Every pattern that is missing; a record or any other type is matched by the default pattern alone. */
function checkNothingMissing(checker: Checker, type: Type, { names }: Shape, alternatives: readonly Alternative[]): void {
  if (alternatives.some(({ pattern }) => pattern.kind === "default")) return;
  const found = new Set(alternatives.map(({ pattern }) => nameOf(pattern)));
  const missing = (names ?? ["_"]).filter((name) => !found.has(name));
  if (missing.length > 0)
    checker.scope.refuse("NonExhaustivePatterns", `a case on ${showType(type)} leaves out ${showNames(missing.map((name) => ({ name })))}`);
}

const nameOf = (pattern: Pattern): string =>
  "constructor_" in pattern ? pattern.constructor_ : pattern.kind === "bool" ? String(pattern.value) : pattern.kind;

/** Synonyms are not looked through here. */
function shapeOf(checker: Checker, type: Type): Shape {
  if (type.kind === "builtin" && type.builtin === "UNIT")
    return { names: ["unit"], bind: (pattern) => (pattern.kind === "unit" ? [] : undefined) };
  if (type.kind === "builtin" && type.builtin === "BOOL")
    return { names: ["false", "true"], bind: (pattern) => (pattern.kind === "bool" ? [] : undefined) };
  const element = argumentOf("LIST", type);
  if (element !== undefined) return { names: ["nil", "cons"], bind: (pattern) => bindList(checker, element, pattern) };
  const content = argumentOf("OPTIONAL", type);
  if (content !== undefined) return { names: ["none", "some"], bind: (pattern) => bindOptional(content, pattern) };
  const constructed = asConstructor(type);
  return constructed === undefined ? opaque : shapeOfData(checker, constructed);
}

function bindList(checker: Checker, element: Type, pattern: Pattern): Bound | undefined {
  if (pattern.kind === "nil") return [];
  if (pattern.kind !== "cons") return undefined;
  if (pattern.head === pattern.tail) checker.scope.refuse("ClashingPatternVariables", `a cons pattern binds ${pattern.head} twice`);
  return [
    { name: pattern.head, type: element },
    { name: pattern.tail, type: list(element) },
  ];
}

function bindOptional(content: Type, pattern: Pattern): Bound | undefined {
  if (pattern.kind === "none") return [];
  return pattern.kind === "some" ? [{ name: pattern.body, type: content }] : undefined;
}

function shapeOfData(checker: Checker, type: TypeConApp): Shape {
  const { cons } = checker.scope.dataType(type.id);
  if (cons.kind === "variant" || cons.kind === "enum") checker.scope.budget.spend(cons.constructors.length);
  switch (cons.kind) {
    case "record":
    case "interface":
      return opaque;
    case "variant":
      return {
        names: cons.constructors.map(({ name }) => name),
        bind: (pattern) =>
          pattern.kind === "variant" && sameId(pattern.id, type.id)
            ? [{ name: pattern.binder, type: constructorType(checker, type, pattern.constructor_) }]
            : undefined,
      };
    case "enum":
      return { names: cons.constructors, bind: (pattern) => bindEnum(checker, type, cons.constructors, pattern) };
  }
}

function bindEnum(checker: Checker, { id }: TypeConApp, constructors: readonly string[], pattern: Pattern): Bound | undefined {
  if (pattern.kind !== "enum" || !sameId(pattern.id, id)) return undefined;
  checkEnumConstructor(checker, id, constructors, pattern.constructor_);
  return [];
}
