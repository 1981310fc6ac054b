/** Smaller packages: without a definition, with a part of an expression in place of the whole, or with the least of its type. */
import type { DefTemplate, Expr, Module } from "../../../src/lf/ast.js";
import { expr } from "../../support/lf-builder.js";
import { simpler } from "../ledger-oracle/shrink.js";

const least: readonly Expr[] = [expr.unit, expr.int64(0n), expr.text(""), expr.bool(true)];

/** Candidates, of which most are not well typed; those that leave out most come first. */
export function* smaller(module: Module): IterableIterator<Module> {
  for (const kind of ["templates", "interfaces", "values", "exceptions"] as const)
    for (const name of module[kind].keys()) yield { ...module, [kind]: without<unknown>(module[kind], name) };
  for (const [name, template] of module.templates)
    for (const changed of withLess(template)) yield { ...module, templates: new Map(module.templates).set(name, changed) };
  yield* simpler(module);
  yield* simpler(module, least);
}

function* withLess(template: DefTemplate): IterableIterator<DefTemplate> {
  for (const choice of template.choices.keys()) yield { ...template, choices: without(template.choices, choice) };
  for (const index of template.implements.keys()) yield { ...template, implements: template.implements.toSpliced(index, 1) };
  if (template.key !== undefined) yield { ...template, key: undefined };
}

function without<V>(map: ReadonlyMap<string, V>, name: string): ReadonlyMap<string, V> {
  const rest = new Map(map);
  rest.delete(name);
  return rest;
}
