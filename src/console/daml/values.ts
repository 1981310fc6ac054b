/** Values as forms make them: what a type begins with, and the JSON that the API takes. */
import { type Shape, shapeOf, type TypeReference } from "./types.js";

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
      return null;
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

/** An optional in an optional is a list in JSON, with or without an element. */
export async function wrapsOptional(element: TypeReference): Promise<boolean> {
  return (await shapeOf(element)).kind === "optional";
}
