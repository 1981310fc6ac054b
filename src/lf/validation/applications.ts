/** Functions, polymorphism and let: what binds variables and what is applied. Chains are walked in a loop. */
import type { Expr, Type, TypeVarWithKind, VarWithType } from "../ast.js";
import type { Checker } from "./checker.js";
import type { Hidden } from "./scope.js";
import { showType } from "./show.js";
import { substitute } from "./substitution.js";
import { fn, forall } from "../type-forms.js";

type Of<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;

export function typeOfApplication(checker: Checker, { fun, args }: Of<"app">): Type {
  let type = checker.typeOf(fun);
  for (const arg of args) {
    const { param, result } = checker.asFunction(type);
    checker.check(arg, param);
    type = result;
  }
  return type;
}

export function typeOfAbstraction(checker: Checker, abstraction: Of<"abs">): Type {
  const params: Type[] = [];
  const hidden: Hidden[] = [];
  let body: Expr = abstraction;
  for (; body.kind === "abs"; body = body.body) for (const param of body.params) params.push(bindParameter(checker, param, hidden));
  const result = checker.typeOf(body);
  checker.scope.unbind(hidden);
  return params.reduceRight((rest, param) => fn(param, rest), result);
}

function bindParameter(checker: Checker, { name, type }: VarWithType, hidden: Hidden[]): Type {
  const checked = checker.types.checked(type);
  hidden.push(checker.scope.bind(name, checked));
  return checked;
}

export function typeOfLet(checker: Checker, binding: Of<"let">): Type {
  const hidden: Hidden[] = [];
  let body: Expr = binding;
  for (; body.kind === "let"; body = body.body)
    for (const { binder, bound } of body.bindings) {
      const type = checker.resolved(bound, checker.types.checked(binder.type));
      hidden.push(checker.scope.bind(binder.name, type));
    }
  const result = checker.typeOf(body);
  checker.scope.unbind(hidden);
  return result;
}

export function typeOfTypeAbstraction(checker: Checker, { params, body }: Of<"tyAbs">): Type {
  const under = (rest: readonly TypeVarWithKind[]): Type => {
    const [param, ...inner] = rest;
    if (param === undefined) return checker.typeOf(body);
    checker.types.checkKind(param.kind);
    return checker.scope.withTypeVariable(param, (name) => forall({ name, kind: param.kind }, under(inner)));
  };
  return under(params);
}

/** All arguments at once, so that the type is copied once. A quantifier must be there before anything is put in. */
export function typeOfTypeApplication(checker: Checker, application: Of<"tyApp">): Type {
  const args: Type[] = [];
  let head: Expr = application;
  for (; head.kind === "tyApp"; head = head.expr) args.unshift(...head.types);
  let type = checker.typeOf(head);
  const replacements = new Map<string, Type>();
  for (const arg of args) {
    const { binder, body } = asForall(checker, type);
    replacements.set(binder.name, checker.types.checked(arg, binder.kind));
    type = body;
  }
  return substitute(replacements, type, checker.scope.memo);
}

function asForall(checker: Checker, type: Type): Extract<Type, { kind: "forall" }> {
  const found = type.kind === "forall" ? type : checker.types.expand(type);
  return found.kind === "forall" ? found : checker.scope.refuse("ExpectedUniversalType", `${showType(type)} is not a polymorphic type`);
}
