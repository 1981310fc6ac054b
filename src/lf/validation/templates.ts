/** Templates: their expressions, choices, key and interface instances. */
import type { DefinitionId, DefTemplate, Expr, InterfaceInstance, TemplateChoice, TemplateKey, Type } from "../ast.js";
import type { Checker } from "./checker.js";
import { checkIsPlainRecord } from "./data-types.js";
import { type Rule, ValidationFailure } from "./refusal.js";
import { showName } from "./show.js";
import { bool, constructor_, contractId, fn, parties, update } from "../type-forms.js";

/** Checks something of a definition with nothing in scope and a place of its own in messages. */
export type Elsewhere = (where: string) => Checker;

export function checkTemplate(checker: Checker, elsewhere: Elsewhere, id: DefinitionId, template: DefTemplate): void {
  checkIsPlainRecord(checker, id, "ExpectedTemplatableType", "template");
  const contract = { name: template.param, type: constructor_(id) };
  checker.scope.withVariables([contract], () => {
    if (template.precondition !== undefined) checker.checkWhole(template.precondition, bool);
    checker.checkWhole(template.signatories, parties);
    checker.checkWhole(template.observers, parties);
  });
  for (const choice of template.choices.values())
    checkChoice(elsewhere(`choice ${choice.name} of template ${showName(id)}`), id, template.param, choice);
  // the reference keeps them from the last to the first
  for (const instance of template.implements.toReversed())
    checkInstance(elsewhere(`interface instance ${showName(instance.interface)} for ${showName(id)}`), id, template.param, instance);
  if (template.key !== undefined) checkKey(checker, template.key, contract);
}

/** Maintainers are a function of the key alone: the contract is out of their sight. */
function checkKey(
  checker: Checker,
  { type, key, maintainers }: TemplateKey,
  contract: { readonly name: string; readonly type: Type },
): void {
  checker.types.check(type);
  checker.scope.withVariables([contract], () => checker.checkWhole(key, type));
  checker.checkWhole(maintainers, fn(type, parties));
}

/** A choice of a template or of an interface. */
export function checkChoice(checker: Checker, id: DefinitionId, contractVariable: string, choice: TemplateChoice): void {
  const { scope, types } = checker;
  const contract = { name: contractVariable, type: constructor_(id) };
  types.check(choice.argBinder.type);
  types.check(choice.returnType);
  scope.withVariables([contract, choice.argBinder], () => {
    for (const stated of [choice.controllers, choice.observers, choice.authorizers])
      if (stated !== undefined) checker.checkWhole(stated, parties);
  });
  const self = { name: choice.selfBinder, type: contractId(contract.type) };
  scope.withVariables([contract, self, choice.argBinder], () => checker.checkWhole(choice.update, update(choice.returnType)));
}

function checkInstance(checker: Checker, templateId: DefinitionId, contractVariable: string, instance: InterfaceInstance): void {
  const { scope } = checker;
  const { requires, methods, view } = scope.interface(instance.interface);
  for (const required of requires)
    if (scope.findInstance(required, templateId) === undefined)
      scope.refuse("MissingRequiredInterfaceInstance", `it requires an instance of ${showName(required)}, which the template lacks`);
  for (const method of methods.keys())
    if (!instance.methods.has(method)) scope.refuse("MissingMethodInInterfaceInstance", `it lacks the method ${method}`);
  scope.withVariables([{ name: contractVariable, type: constructor_(templateId) }], () => {
    for (const [name, body] of instance.methods) checkMethod(checker, name, body, methods.get(name));
    naming("ViewTypeMismatch", () => checker.checkWhole(instance.view, view));
  });
}

function checkMethod(checker: Checker, name: string, body: Expr, type: Type | undefined): void {
  if (type === undefined) checker.scope.refuse("UnknownMethodInInterfaceInstance", `the interface has no method ${name}`);
  else naming("MethodTypeMismatch", () => checker.checkWhole(body, type));
}

/** A mismatch is told by where it was met. */
function naming(rule: Rule, check: () => void): void {
  try {
    check();
  } catch (thrown) {
    throw thrown instanceof ValidationFailure && thrown.rule === "TypeMismatch"
      ? new ValidationFailure(rule, thrown.where, thrown.what)
      : thrown;
  }
}
