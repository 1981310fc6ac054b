/** Values as forms make them: what a type begins with, and the JSON that the API takes. */
import { type OptionalShape, type Shape, shapeOf, type TypeReference } from "./types.js";

/** How deep a form begins open; recursive types have no end. */
const depthMax = 6;

/** What stands in a form before anybody wrote something. */
export async function initialValue(type: TypeReference, depth = 0): Promise<unknown> {
  const shape = await shapeOf(type);
  switch (shape.kind) {
    case "scalar":
      return scalarInitial(shape.name);
    case "contractId":
      return "";
    case "optional":
      return noneOf(shape);
    case "list":
    case "map":
      return [];
    case "textMap":
      return {};
    case "enum":
      return shape.names[0] ?? "";
    case "record":
      return depth >= depthMax ? {} : recordInitial(shape, depth);
    case "variant": {
      const [first] = shape.constructors;
      return { tag: first?.name ?? "", value: first === undefined || depth >= depthMax ? {} : await initialValue(first.type, depth + 1) };
    }
    case "unknown":
      return {};
  }
}

async function recordInitial({ fields }: Extract<Shape, { kind: "record" }>, depth: number): Promise<unknown> {
  return Object.fromEntries(await Promise.all(fields.map(async ({ name, type }) => [name, await initialValue(type, depth + 1)] as const)));
}

function scalarInitial(name: string): unknown {
  if (name === "Bool") return false;
  return name === "()" ? {} : "";
}

export const noneOf = ({ isNested }: OptionalShape): unknown => (isNested ? [] : null);
export const someOf = ({ isNested }: OptionalShape, held: unknown): unknown => (isNested ? [held] : held);

/** What is in it; undefined where that is nothing. */
export function heldBy({ isNested }: OptionalShape, value: unknown): { readonly value: unknown } | undefined {
  if (!isNested) return value === null || value === undefined ? undefined : { value };
  return Array.isArray(value) && value.length > 0 ? { value: (value as unknown[])[0] } : undefined;
}

/** With something in it. Where Some None and None are the same, as of a parameter that stands for an optional, with something in that. */
export async function initialSome(shape: OptionalShape): Promise<unknown> {
  const held = await initialValue(shape.element);
  if (held !== null) return someOf(shape, held);
  const inner = await shapeOf(shape.element);
  return inner.kind === "optional" ? initialSome(inner) : null;
}
