/**
 * Names that differ in case only, or not at all, within one package (reference: Collision.scala, NamedEntity.scala).
 * Modules, types, their fields and constructors, and choices share one space of full names; values stand outside.
 */
import type { DefDataType, Module, Package } from "../ast.js";
import { ValidationFailure } from "./refusal.js";

interface Entity {
  readonly what:
    | "module"
    | "record"
    | "record field"
    | "variant"
    | "variant constructor"
    | "enum"
    | "enum constructor"
    | "interface"
    | "type synonym"
    | "template choice"
    | "interface choice";
  readonly module: string;
  readonly path: readonly string[];
}

export function checkCollisions(package_: Package): void {
  const taken = new Map<string, Entity[]>();
  for (const module of package_.modules.values())
    for (const entity of entitiesOf(module)) {
      const key = [entity.module, ...entity.path].join(".").toUpperCase();
      const others = taken.get(key) ?? [];
      const collides = others.find((other) => !isConstructorWithRecord(entity, other) && !isConstructorWithRecord(other, entity));
      if (collides !== undefined) throw new ValidationFailure("Collision", "", `${show(entity)} collides with ${show(collides)}`);
      taken.set(key, [...others, entity]);
    }
}

/** The record `T.C` holds the fields of the constructor `C` of the variant `T`. Upper and lower case matter here. */
const isConstructorWithRecord = (one: Entity, other: Entity): boolean =>
  one.what === "variant constructor"
  && other.what === "record"
  && one.module === other.module
  && one.path.join(".") === other.path.join(".");

const show = ({ what, module, path }: Entity): string => `${what} ${[module, ...path].join(":")}`;

function* entitiesOf(module: Module): Generator<Entity> {
  const { name } = module;
  yield { what: "module", module: name, path: [] };
  for (const type of module.dataTypes.values()) yield* entitiesOfData(name, type);
  for (const synonym of module.synonyms.keys()) yield { what: "type synonym", module: name, path: [synonym] };
  for (const template of module.templates.values())
    for (const choice of template.choices.keys()) yield { what: "template choice", module: name, path: [template.name, choice] };
  for (const interface_ of module.interfaces.values())
    for (const choice of interface_.choices.keys()) yield { what: "interface choice", module: name, path: [interface_.name, choice] };
}

function* entitiesOfData(module: string, { name, cons }: DefDataType): Generator<Entity> {
  yield { what: cons.kind, module, path: [name] };
  switch (cons.kind) {
    case "record":
      for (const field of cons.fields) yield { what: "record field", module, path: [name, field.name] };
      return;
    case "variant":
      for (const constructor_ of cons.constructors) yield { what: "variant constructor", module, path: [name, constructor_.name] };
      return;
    case "enum":
      for (const constructor_ of cons.constructors) yield { what: "enum constructor", module, path: [name, constructor_] };
      return;
    case "interface":
      return;
  }
}
