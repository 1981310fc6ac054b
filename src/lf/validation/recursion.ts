/** Modules do not refer to each other in circles, and neither do type synonyms (reference: Recursion.scala). Values and data types may. */
import type { DefinitionId, Module, Package, TemplateChoice, Type } from "../ast.js";
import { findCycle, type Graph } from "./cycles.js";
import { ValidationFailure } from "./refusal.js";

export function checkRecursion(package_: Package): void {
  checkImports(new Map([...package_.modules.values()].map((module) => [module.name, modulesUsed(package_, module)])));
  for (const module of package_.modules.values()) checkSynonyms(package_, module);
}

/** `modules`: the names of those that each of them refers to. */
export function checkImports(modules: Graph): void {
  const cycle = findCycle(modules);
  if (cycle !== undefined) throw new ValidationFailure("ImportCycle", "", `modules refer to each other in a circle: ${cycle.join(", ")}`);
}

/** Across modules too, while it is not known yet whether they refer to each other in circles. */
export function hasSynonymCycle({ id, modules }: Package): boolean {
  const graph = new Map<string, readonly string[]>();
  for (const { name, synonyms } of modules.values())
    for (const synonym of synonyms.values()) {
      const used = [...synonymsUsed(synonym.type)].filter(({ packageId }) => packageId === id);
      graph.set(
        `${name}:${synonym.name}`,
        used.map((other) => `${other.module}:${other.name}`),
      );
    }
  return findCycle(graph) !== undefined;
}

function checkSynonyms(package_: Package, { name, synonyms }: Module): void {
  const isHere = (id: DefinitionId): boolean => id.packageId === package_.id && id.module === name;
  const cycle = findCycle(
    new Map([...synonyms.values()].map((synonym) => [synonym.name, [...synonymsUsed(synonym.type)].filter(isHere).map((id) => id.name)])),
  );
  if (cycle !== undefined)
    throw new ValidationFailure("TypeSynCycle", `module ${name}`, `type synonyms stand for each other in a circle: ${cycle.join(", ")}`);
}

function synonymsUsed(type: Type): ReadonlySet<DefinitionId> {
  const found = new Set<DefinitionId>();
  forEachNode([type], (node) => {
    if (node["kind"] === "syn") found.add(node["id"] as DefinitionId);
  });
  return found;
}

/** Whatever stands in a module and looks like the id of a definition is a reference. */
export function modulesUsed({ id }: Package, module: Module): ReadonlySet<string> {
  const found = new Set<string>();
  forEachNode([...partsOf(module)], (node) => {
    if (node["packageId"] === id) found.add(node["module"] as string);
  });
  found.delete(module.name);
  return found;
}

/** What decodes on demand is asked for here, since it is no property of its own. */
function* partsOf(module: Module): Generator<unknown> {
  yield [...module.dataTypes.values(), ...module.synonyms.values()];
  for (const { type, body } of module.values.values()) yield [type, body];
  for (const { message } of module.exceptions.values()) yield message;
  for (const template of module.templates.values()) {
    yield [
      template.precondition,
      template.signatories,
      template.observers,
      template.key && [template.key.type, template.key.key, template.key.maintainers],
    ];
    yield* choiceParts(template.choices.values());
    for (const instance of template.implements) yield [instance.interface, [...instance.methods.values()], instance.view];
  }
  for (const { view, requires, methods, choices } of module.interfaces.values()) {
    yield [view, requires, [...methods.values()]];
    yield* choiceParts(choices.values());
  }
}

function* choiceParts(choices: Iterable<TemplateChoice>): Generator<unknown> {
  for (const { argBinder, returnType, controllers, observers, authorizers, update } of choices)
    yield [argBinder.type, returnType, controllers, observers, authorizers, update];
}

type Node = Readonly<Record<string, unknown>>;

/** Every node of a syntax tree, however deep; what others may share once, what holds no other node each time. */
function forEachNode(roots: readonly unknown[], visit: (node: Node) => void): void {
  const seen = new Set<object>();
  const waiting: object[] = [];
  const add = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value))
      for (const element of value) add(element); // belongs to one node
    else waiting.push(value);
  };
  add(roots);
  for (let node = waiting.pop() as Node | undefined; node !== undefined; node = waiting.pop() as Node | undefined) {
    if (!isLeaf(node)) {
      if (seen.has(node)) continue;
      seen.add(node);
      for (const key in node) add(node[key]);
    }
    visit(node);
  }
}

/** Most of a tree: to keep in mind that these were met takes longer than to meet them again. */
function isLeaf(node: Node): boolean {
  switch (node["kind"]) {
    case undefined:
      return node["packageId"] !== undefined;
    case "var":
    case "builtin":
    case "nat":
    case "unit":
    case "bool":
      return true;
    default:
      return false;
  }
}
