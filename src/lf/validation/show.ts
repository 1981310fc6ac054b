/** Kinds and types in messages, cut off where they would fill a page. */
import { type DefinitionId, type Kind, type Pattern, type Type } from "../ast.js";

const depthShownMax = 6;
const partsShownMax = 10;

export const showName = ({ module, name }: DefinitionId): string => `${module}:${name}`;

export const showKind = (kind: Kind, depth = depthShownMax): string => {
  if (kind.kind !== "arrow") return kind.kind === "star" ? "*" : "nat";
  return depth === 0 ? "..." : `(${showKind(kind.param, depth - 1)} -> ${showKind(kind.result, depth - 1)})`;
};

export function showType(type: Type, depth = depthShownMax): string {
  if (depth === 0) return "...";
  const inner = (part: Type): string => showType(part, depth - 1);
  switch (type.kind) {
    case "var":
      return type.name;
    case "nat":
      return String(type.value);
    case "con":
      return showName(type.id);
    case "builtin":
      return type.builtin;
    case "app":
      return `(${inner(type.fun)} ${inner(type.arg)})`;
    case "syn":
      return `(${[showName(type.id), ...showParts(type.args, inner)].join(" ")})`;
    case "forall":
      return `(forall ${type.binder.name}. ${inner(type.body)})`;
    case "struct":
      return `<${showParts(type.fields, (field) => `${field.name}: ${inner(field.type)}`).join(", ")}>`;
  }
}

const showParts = <T>(parts: readonly T[], show: (part: T) => string): string[] => [
  ...parts.slice(0, partsShownMax).map(show),
  ...(parts.length > partsShownMax ? ["..."] : []),
];

export const showNames = (named: readonly { readonly name: string }[]): string => showParts(named, ({ name }) => name).join(", ");

export const showPattern = (pattern: Pattern): string =>
  "constructor_" in pattern
    ? `${showName(pattern.id)}.${pattern.constructor_}`
    : pattern.kind === "bool"
      ? String(pattern.value)
      : pattern.kind;
