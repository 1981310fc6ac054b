/** Definitions of data types, type synonyms, values and exceptions. */
import type { DefDataType, DefException, DefinitionId, DefTypeSyn, DefValue, TypeVarWithKind } from "../ast.js";
import type { Checker } from "./checker.js";
import { showName } from "./show.js";
import { constructor_, fn, text } from "../type-forms.js";

export function checkDataType(checker: Checker, id: DefinitionId, { params, cons }: DefDataType): void {
  const { scope, types } = checker;
  checkParameters(checker, params);
  switch (cons.kind) {
    case "record":
      return withParameters(checker, params, () => types.checkFields(cons.fields));
    case "variant":
      checkUnique(
        cons.constructors.map(({ name }) => name),
        (name) => scope.refuse("DuplicateVariantCon", `the constructor ${name} stands twice in one variant`),
      );
      return withParameters(checker, params, () => cons.constructors.forEach(({ type }) => types.check(type)));
    case "enum":
      if (params.length > 0) scope.refuse("IllegalHigherEnumType", "an enumeration has type parameters");
      return checkUnique(cons.constructors, (name) =>
        scope.refuse("DuplicateEnumCon", `the constructor ${name} stands twice in one enumeration`),
      );
    case "interface":
      if (params.length > 0) scope.refuse("IllegalHigherInterfaceType", "an interface has type parameters");
      scope.interface(id);
  }
}

export function checkSynonym(checker: Checker, { params, type }: DefTypeSyn): void {
  checkParameters(checker, params);
  withParameters(checker, params, () => checker.types.check(type));
}

export function checkValue(checker: Checker, { type, body }: DefValue): void {
  checker.types.check(type);
  checker.checkWhole(body, type);
}

export function checkException(checker: Checker, id: DefinitionId, { message }: DefException): void {
  checkIsPlainRecord(checker, id, "ExpectedExceptionableType", "exception");
  checker.checkWhole(message, fn(constructor_(id), text));
}

/** Templates and exceptions are data types too. */
export function checkIsPlainRecord(
  checker: Checker,
  id: DefinitionId,
  rule: "ExpectedExceptionableType" | "ExpectedTemplatableType",
  what: string,
): void {
  const { params, cons } = checker.scope.dataType(id);
  if (params.length > 0 || cons.kind !== "record")
    checker.scope.refuse(rule, `the ${what} ${showName(id)} is no record type without parameters`);
}

function checkParameters({ scope, types }: Checker, params: readonly TypeVarWithKind[]): void {
  for (const { kind } of params) types.checkKind(kind);
  checkUnique(
    params.map(({ name }) => name),
    (name) => scope.refuse("DuplicateTypeParam", `the type parameter ${name} stands twice`),
  );
}

function withParameters(checker: Checker, params: readonly TypeVarWithKind[], check: () => void): void {
  const [first, ...rest] = params;
  if (first === undefined) check();
  else checker.scope.withBoundTypeVariable(first.name, first.kind, () => withParameters(checker, rest, check));
}

function checkUnique(names: readonly string[], refuse: (name: string) => never): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) refuse(name);
    seen.add(name);
  }
}
