/** Payloads of variants that are records: where code makes such a record for its variant, the variant holds the fields itself. */
import type { Expr, Pattern } from "../ast.js";
import { recordVariant } from "../runtime/index.js";
import type { Body } from "./body.js";
import { Environment, type Local, type Scope } from "./environment.js";

/** A binder of a payload that its variant may hold, as it is read: each field on its own, all of it where it is used. */
export const payloadLocal = (body: Body, pattern: Pattern, variant: string): Local | undefined => {
  const count = pattern.kind === "variant" ? body.linker.payloadFieldCount(pattern.id, pattern.constructor_) : undefined;
  return count === undefined || recordVariant(count) === undefined ? undefined : { code: `${variant}.value`, variant };
};

/** How a field is read of a variable that is such a binder. */
export const payloadField = (scope: Scope, record: Expr): ((index: number) => string) | undefined => {
  const variant = record.kind === "var" ? Environment.lookup(scope, record.name).variant : undefined;
  return variant === undefined ? undefined : (index) => `(${variant}.f${index} ?? ${variant}.value[${index}])`;
};
