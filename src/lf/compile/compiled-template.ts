/** Templates and interfaces: each of their expressions is compiled at its first use. */
import {
  type DefinitionId,
  type DefInterface,
  type DefTemplate,
  type Expr,
  type InterfaceInstance,
  type Package,
  type TemplateChoice,
  showId,
} from "../ast.js";
import {
  apply1,
  type Fn,
  type CompiledChoice,
  type CompiledInstance,
  type CompiledInterface,
  type CompiledTemplate,
  type Machine,
} from "../runtime/index.js";
import { type FunctionValue, type List, type RecordValue, type Value } from "../value/index.js";
import type { Mode } from "./definition.js";
import { rememberFound } from "./remember.js";

export interface FunctionCompiler {
  /** A JavaScript function of these LF variables; of the machine as well in mode `run`. */
  compileFunction(params: readonly string[], body: Expr, mode: Mode): FunctionValue;
}

/** Compiles at the first call. No such function takes more than four arguments: contract id, payload, argument, machine. */
const lazily = (compiler: FunctionCompiler, params: readonly string[], body: Expr, mode: Mode = "value"): FunctionValue => {
  let compiled: FunctionValue | undefined;
  const code = (): FunctionValue => (compiled = compiler.compileFunction(params, body, mode));
  switch (params.length) {
    case 0:
      return () => (compiled ?? code())();
    case 1:
      return (a: Value) => (compiled ?? code())(a);
    case 2:
      return (a: Value, b: Value) => (compiled ?? code())(a, b);
    default:
      return (a: Value, b: Value, c: Value, machine: Machine) => (compiled ?? code())(a, b, c, machine);
  }
};

const cached = <T>(find: (key: string) => T | undefined): ((key: string) => T | undefined) => {
  const known = new Map<string, T>();
  return (key) => rememberFound(known, key, () => find(key));
};

const compileChoice = (compiler: FunctionCompiler, param: string, choice: TemplateChoice): CompiledChoice => {
  const params = [param, choice.argBinder.name];
  const run = lazily(compiler, [choice.selfBinder, ...params], choice.update, "run");
  return {
    name: choice.name,
    consuming: choice.consuming,
    argumentType: choice.argBinder.type,
    returnType: choice.returnType,
    controllers: lazily(compiler, params, choice.controllers),
    observers: lazily(compiler, params, choice.observers),
    authorizers: choice.authorizers && lazily(compiler, params, choice.authorizers),
    run: (machine, contractId, payload, argument) => run(contractId, payload, argument, machine),
  };
};

const choicesOf = (compiler: FunctionCompiler, definition: DefTemplate | DefInterface) =>
  cached((name) => {
    const choice = definition.choices.get(name);
    return choice && compileChoice(compiler, definition.param, choice);
  });

const compileInstance = (compiler: FunctionCompiler, param: string, instance: InterfaceInstance): CompiledInstance => ({
  interface: instance.interface,
  view: lazily(compiler, [param], instance.view),
  method: cached((name) => {
    const body = instance.methods.get(name);
    return body && (lazily(compiler, [param], body) as (payload: RecordValue) => Value);
  }),
});

const compileKey = (compiler: FunctionCompiler, { param, key }: DefTemplate): CompiledTemplate["key"] => {
  if (key === undefined) return undefined;
  const maintainers = lazily(compiler, [], key.maintainers);
  return {
    type: key.type,
    key: lazily(compiler, [param], key.key),
    maintainers: (value) => apply1(maintainers() as Fn, value) as List,
  };
};

export const compileTemplate = (
  compiler: FunctionCompiler,
  id: DefinitionId,
  package_: Package,
  template: DefTemplate,
): CompiledTemplate => {
  const inScope = (body: Expr): FunctionValue => lazily(compiler, [template.param], body);
  const byKey = cached((key) => {
    const instance = template.implements.find((each) => showId(each.interface) === key);
    return instance && compileInstance(compiler, template.param, instance);
  });
  // Ids of compiled code are one object each, so most questions need no text.
  const byIdentity = new WeakMap<DefinitionId, CompiledInstance>();
  return {
    id,
    packageName: package_.name,
    packageVersion: package_.version,
    precondition: template.precondition === undefined ? () => true : inScope(template.precondition),
    signatories: inScope(template.signatories),
    observers: inScope(template.observers),
    key: compileKey(compiler, template),
    choice: choicesOf(compiler, template),
    choices: [...template.choices.keys()],
    instance: (interface_) => {
      const known = byIdentity.get(interface_);
      if (known !== undefined) return known;
      const found = byKey(showId(interface_));
      if (found !== undefined) byIdentity.set(interface_, found);
      return found;
    },
    interfaces: template.implements.map((instance) => instance.interface),
  };
};

export const compileInterface = (compiler: FunctionCompiler, id: DefinitionId, interface_: DefInterface): CompiledInterface => ({
  id,
  viewType: interface_.view,
  requires: interface_.requires,
  choice: choicesOf(compiler, interface_),
  choices: [...interface_.choices.keys()],
});
