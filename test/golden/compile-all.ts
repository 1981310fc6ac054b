/** Compiles every definition of a package, used or not, in every way in which it can be entered. */
import { assert } from "../../src/base/assert.js";
import { limits } from "../../src/config.js";
import type { DefInterface, DefTemplate, Expr, Package, TemplateChoice, Type } from "../../src/lf/ast.js";
import { FatalError } from "../../src/lf/errors.js";
import { Packages } from "../../src/lf/compile/compiled-packages.js";
import type { Mode } from "../../src/lf/compile/definition.js";
import type { PackageInterface } from "../../src/lf/package-interface.js";
import type { FunctionValue } from "../../src/lf/value/value.js";

/** Nothing is run: what running would ask for is not there. */
export const compilerOf = (packages: PackageInterface): Packages =>
  new Packages({
    packages,
    limits,
    budget: { steps: 0, allocation: 0 },
    retype: () => assert(false, "nothing runs") as never,
    onLedger: () => assert(false, "nothing runs") as never,
  });

export interface Compilation {
  readonly functions: readonly FunctionValue[];
  /** The first definition that was refused, if one was. */
  readonly refusal?: string;
}

export function compileAll(compiler: Packages, package_: Package): Compilation {
  const functions: FunctionValue[] = [];
  let at = "";
  const compileOne = (what: string, params: readonly string[], body: Expr, mode: Mode = "value"): void => {
    at = what;
    functions.push(compiler.compileFunction(params, body, mode));
  };
  try {
    for (const module of package_.modules.values()) {
      for (const { name, type } of module.values.values()) {
        at = `value ${module.name}:${name}`;
        const definition = compiler.definition({ packageId: package_.id, module: module.name, name });
        assert(definition !== undefined, at);
        for (const mode of isUpdate(type) ? (["value", "run"] as const) : (["value"] as const))
          functions.push(compiler.compile(definition, mode));
      }
      for (const { name, message } of module.exceptions.values()) compileOne(`exception ${module.name}:${name}`, [], message);
      for (const template of module.templates.values()) compileTemplate(compileOne, `template ${module.name}:${template.name}`, template);
      for (const interface_ of module.interfaces.values())
        compileChoices(compileOne, `interface ${module.name}:${interface_.name}`, interface_);
    }
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return { functions, refusal: `${at}: ${error.message}` };
  }
  return { functions };
}

type CompileOne = (what: string, params: readonly string[], body: Expr, mode?: Mode) => void;

function compileTemplate(compileOne: CompileOne, what: string, template: DefTemplate): void {
  const { param, precondition, signatories, observers, key } = template;
  for (const body of [precondition, signatories, observers, key?.key]) if (body !== undefined) compileOne(what, [param], body);
  if (key !== undefined) compileOne(what, [], key.maintainers);
  for (const { view, methods } of template.implements) for (const body of [view, ...methods.values()]) compileOne(what, [param], body);
  compileChoices(compileOne, what, template);
}

function compileChoices(compileOne: CompileOne, what: string, { param, choices }: DefTemplate | DefInterface): void {
  for (const choice of choices.values()) compileChoice(compileOne, `choice ${choice.name} of ${what}`, param, choice);
}

function compileChoice(
  compileOne: CompileOne,
  what: string,
  param: string,
  { selfBinder, argBinder, controllers, observers, authorizers, update }: TemplateChoice,
): void {
  for (const body of [controllers, observers, authorizers]) if (body !== undefined) compileOne(what, [param, argBinder.name], body);
  compileOne(what, [selfBinder, param, argBinder.name], update, "run");
}

/** Whether all its arguments make it an update: only then compiled code runs it directly. */
function isUpdate(type: Type): boolean {
  let result = type;
  for (;;) {
    if (result.kind === "forall") result = result.body;
    else if (result.kind === "app" && result.fun.kind === "app" && result.fun.fun.kind === "builtin" && result.fun.fun.builtin === "ARROW")
      result = result.arg;
    else return result.kind === "app" && result.fun.kind === "builtin" && result.fun.builtin === "UPDATE";
  }
}
