/** Let and case as expressions; `tail.ts` has them as statements. */
import type { Alternative, Expr, Pattern } from "../ast.js";
import type { Body } from "./body.js";
import type { Mode } from "./definition.js";
import { Environment, type Local, type Scope } from "./environment.js";
import { unabstract } from "./application-form.js";
import { emitMissing } from "./leaf.js";
import { payloadLocal } from "./payload.js";

type Case = Extract<Expr, { readonly kind: "case" }>;
type Let = Extract<Expr, { readonly kind: "let" }>;

export const emitLet = (body: Body, scope: Scope, expr: Let, mode: Mode): string => {
  let inner = scope;
  const assignments: string[] = [];
  for (const { binder, bound } of expr.bindings) {
    const name = body.temporary();
    assignments.push(`${name} = ${body.emit(inner, bound, "value")}`);
    inner = Environment.bind(inner, binder.name, localOf(name, bound));
  }
  return `(${assignments.join(", ")}, ${body.emit(inner, expr.body, mode)})`;
};

/** A variable bound to a lambda can be called without asking for its arity. */
export const localOf = (code: string, bound: Expr): Local => {
  const arity = unabstract(bound).params.length;
  return arity === 0 ? { code } : { code, arity };
};

export const emitCase = (body: Body, scope: Scope, expr: Case, mode: Mode): string => {
  const { bind, subject } = emitScrutinee(body, scope, expr);
  const [last, ...earlier] = [...expr.alternatives].reverse() as [Alternative, ...Alternative[]];
  const code = earlier.reduce(
    (otherwise, alternative) =>
      `${patternTest(body, alternative.pattern, subject)} ? ${emitAlternative(body, scope, alternative, subject, mode)} : ${otherwise}`,
    emitAlternative(body, scope, last, subject, mode),
  );
  return bind === undefined ? `(${code})` : `(${subject} = ${bind}, ${code})`;
};

/** The scrutinee as something that may be read several times; `bind` is what to put into `subject` first. */
export const emitScrutinee = (body: Body, scope: Scope, expr: Case): { readonly bind: string | undefined; readonly subject: string } => {
  const code = body.emit(scope, expr.scrutinee, "value");
  if (expr.scrutinee.kind === "var" || isReadOnce(expr)) return { bind: undefined, subject: code };
  return { bind: code, subject: body.temporary() };
};

/** Two alternatives without variables: the test of the first is the only reader. */
const isReadOnce = ({ alternatives }: Case): boolean => {
  const first = alternatives[0]!.pattern.kind;
  return (
    alternatives.length === 2
    && first !== "default"
    && first !== "unit"
    && alternatives.every(({ pattern }) => patternVariables(pattern).length === 0)
  );
};

const emitAlternative = (body: Body, scope: Scope, { pattern, body: result }: Alternative, subject: string, mode: Mode): string => {
  const assignments: string[] = [];
  const inner = bindPattern(body, scope, pattern, subject, (read) => {
    const local = body.temporary();
    assignments.push(`${local} = ${read}`);
    return local;
  });
  const code = body.emit(inner, result, mode);
  return assignments.length === 0 ? code : `(${assignments.join(", ")}, ${code})`;
};

/** The scope of an alternative; `read` puts a part of the subject into a local variable and gives its name. */
export const bindPattern = (body: Body, scope: Scope, pattern: Pattern, subject: string, read: (code: string) => string): Scope =>
  patternVariables(pattern).reduce<Scope>(
    (inner, { name, path }) => Environment.bind(inner, name, payloadLocal(body, pattern, subject) ?? { code: read(`${subject}.${path}`) }),
    scope,
  );

const patternVariables = (pattern: Pattern): readonly { readonly name: string; readonly path: string }[] => {
  switch (pattern.kind) {
    case "variant":
      return [{ name: pattern.binder, path: "value" }];
    case "cons":
      return [
        { name: pattern.head, path: "head" },
        { name: pattern.tail, path: "tail" },
      ];
    case "some":
      return [{ name: pattern.body, path: "value" }];
    case "default":
    case "enum":
    case "unit":
    case "bool":
    case "nil":
    case "none":
      return [];
  }
};

/** The last alternative is never tested: patterns are exhaustive in a well-typed package. */
export const patternTest = (body: Body, pattern: Pattern, subject: string): string => {
  switch (pattern.kind) {
    case "default":
    case "unit":
      return "true";
    case "bool":
      return pattern.value ? subject : `!${subject}`;
    case "nil":
      return `${subject} === ${body.unit.helper("nil")}`;
    case "cons":
      return `${subject} !== ${body.unit.helper("nil")}`;
    case "none":
      return `${subject} === ${body.unit.helper("none")}`;
    case "some":
      return `${subject} !== ${body.unit.helper("none")}`;
    case "variant":
    case "enum": {
      const rank = body.linker.rank(pattern.id, pattern.constructor_);
      return rank === undefined ? emitMissing(body, "data type", pattern.id) : `${subject}.rank === ${rank}`;
    }
  }
};
