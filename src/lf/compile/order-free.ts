/**
 * Which expressions may be evaluated at any moment: they cannot fail, throw or run forever, so nobody can tell when they
 * were. All others are evaluated in the order of the language, arguments from right to left.
 */
import type { Expr, Update } from "../ast.js";
import { runnableBuiltin } from "../builtins.js";
import { unapply } from "./application-form.js";
import type { Linker } from "./linker.js";

export class OrderFree {
  readonly #linker: Linker;
  /** Nodes are shared, so the answer is kept per node. */
  readonly #known = new WeakMap<Expr, boolean>();

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  test(expr: Expr): boolean {
    const known = this.#known.get(expr);
    if (known !== undefined) return known;
    const answer = this.#decide(expr);
    this.#known.set(expr, answer);
    return answer;
  }

  #all(exprs: readonly Expr[]): boolean {
    return exprs.every((expr) => this.test(expr));
  }

  #decide(expr: Expr): boolean {
    switch (expr.kind) {
      case "var":
      case "unit":
      case "bool":
      case "lit":
      case "abs":
      case "nil":
      case "none":
      case "enumCon":
        return true;
      case "builtin":
        return runnableBuiltin(expr.builtin) !== undefined;
      case "val":
        return (this.#linker.definition(expr.id)?.arity ?? 0) > 0;
      case "tyAbs":
        return this.test(expr.body);
      case "tyApp":
        return this.test(expr.expr);
      case "recCon":
      case "structCon":
        return expr.fields.every((field) => this.test(field.expr));
      case "recProj":
        return this.test(expr.record);
      case "structProj":
        return this.test(expr.struct);
      case "variantCon":
        return this.test(expr.arg);
      case "some":
        return this.test(expr.value);
      case "cons":
        return this.#all(expr.front) && this.test(expr.tail);
      case "toInterface":
        return this.test(expr.expr);
      case "case":
        return this.test(expr.scrutinee) && this.#all(expr.alternatives.map((alternative) => alternative.body));
      case "let":
        return this.#all(expr.bindings.map((binding) => binding.bound)) && this.test(expr.body);
      case "app":
        return this.#isPartial(expr);
      case "update":
        return this.#all(builtParts(expr.update));
      default:
        return false;
    }
  }

  /** Too few arguments for a known function: nothing is called. */
  #isPartial(expr: Expr): boolean {
    const { head, args } = unapply(expr);
    const arity =
      head.kind === "val"
        ? (this.#linker.definition(head.id)?.arity ?? 0)
        : head.kind === "builtin"
          ? (runnableBuiltin(head.builtin)?.arity ?? 0)
          : 0;
    return args.length < arity && this.#all(args);
  }
}

/** What building an update evaluates (the rest waits until it runs). */
const builtParts = (update: Update): readonly Expr[] => {
  switch (update.kind) {
    case "pure":
      return [update.expr];
    case "block":
      return [update.bindings[0]?.bound ?? update.body];
    case "create":
      return [update.arg];
    case "exercise":
      return [update.contractId, update.arg];
    case "exerciseInterface":
      return update.guard === undefined ? [update.contractId, update.arg] : [update.contractId, update.arg, update.guard];
    case "exerciseByKey":
      return [update.key, update.arg];
    case "fetch":
    case "fetchInterface":
      return [update.contractId];
    case "ledgerTimeLt":
      return [update.time];
    case "createInterface":
    case "embed":
    case "tryCatch":
    case "getTime":
    case "fetchByKey":
    case "lookupByKey":
    case "queryNByKey":
      return [];
  }
};
