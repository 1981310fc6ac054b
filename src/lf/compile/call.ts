/** What an application calls, and with what. */
import type { Expr } from "../ast.js";
import { type ApplicationForm, unapply } from "./application-form.js";
import type { Linker } from "./linker.js";

/** `val addInt64 = ADD_INT64`: a call of the one is a call of the other. */
export const callOf = (linker: Linker, expr: Expr): ApplicationForm => {
  const call = unapply(expr);
  if (call.head.kind !== "val") return call;
  const alias = linker.alias(call.head.id);
  if (alias === undefined) return call;
  return alias.kind === "builtin"
    ? { head: { kind: "builtin", builtin: alias.builtin }, args: call.args, types: alias.types }
    : { ...call, head: { kind: "val", id: alias.id } };
};
