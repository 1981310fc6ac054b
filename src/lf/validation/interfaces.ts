/** Interfaces: what they require, their methods, choices and view. */
import type { DefinitionId, DefInterface, Type } from "../ast.js";
import type { Checker } from "./checker.js";
import { showName, showType } from "./show.js";
import { checkChoice, type Elsewhere } from "./templates.js";
import { sameId } from "./type-equality.js";

export function checkInterface(checker: Checker, elsewhere: Elsewhere, id: DefinitionId, interface_: DefInterface): void {
  const { cons, params } = checker.scope.dataType(id);
  // The reference forgets this one, and then reads fields of what is no record.
  if (cons.kind !== "interface" || params.length > 0)
    checker.scope.refuse("ExpectedInterfaceType", `the interface ${showName(id)} has no data type that fits it`);
  checkRequirements(checker, id, interface_);
  for (const type of interface_.methods.values()) checker.types.check(type);
  for (const choice of interface_.choices.values())
    checkChoice(elsewhere(`choice ${choice.name} of interface ${showName(id)}`), id, interface_.param, choice);
  checkView(checker, interface_.view);
}

/** An interface names all that it requires, however indirectly. */
function checkRequirements({ scope }: Checker, id: DefinitionId, { requires }: DefInterface): void {
  const isRequired = (other: DefinitionId): boolean => {
    scope.budget.spend(requires.length);
    return requires.some((required) => sameId(required, other));
  };
  if (isRequired(id)) scope.refuse("CircularInterfaceRequires", `the interface ${showName(id)} requires itself`);
  for (const required of requires)
    for (const indirect of scope.interface(required).requires)
      if (!isRequired(indirect))
        scope.refuse("NotClosedInterfaceRequires", `it does not require ${showName(indirect)}, which ${showName(required)} requires`);
}

function checkView({ scope }: Checker, view: Type): void {
  if (view.kind === "app") scope.refuse("ViewTypeHasVars", `the view type ${showType(view)} has arguments`);
  if (view.kind !== "con") return scope.refuse("ViewTypeHeadNotCon", `the view type ${showType(view)} is no record type`);
  const { params, cons } = scope.dataType(view.id);
  if (params.length > 0) scope.refuse("ViewTypeHasVars", `the view type ${showType(view)} has parameters`);
  if (cons.kind !== "record") scope.refuse("ViewTypeConNotRecord", `the view type ${showType(view)} is no record type`);
}
