/**
 * Whether JSON is a value of a type, as the decoders that are generated for Java see it: unknown fields are ignored, missing ones only
 * where they are optional.
 */
import { assert } from "../../base/assert.js";
import { isObject } from "../../base/json-object.js";
import type { DescribedType, TypeDescription } from "../../lf/index.js";
import { parseInstant } from "../instants.js";

type Problem = string | undefined;

/** What is wrong and where; undefined: nothing. */
export const valueProblem = (types: TypeDescription, json: unknown): Problem => problemAt({ types, number: 0, path: "" }, json);

interface Spot {
  readonly types: TypeDescription;
  readonly number: number;
  readonly path: string;
}

const wholeNumber = /^[+-]?\d{1,19}$/,
  decimal = /^[+-]?\d{1,38}(\.\d{1,37})?([eE][+-]?\d{1,3})?$/,
  day = /^\d{4}-\d{2}-\d{2}$/,
  hexadecimal = /^([0-9a-f]{2})+$/;
const isNumber = (json: unknown, pattern: RegExp): boolean =>
  (typeof json === "string" || typeof json === "number") && pattern.test(String(json));

type ScalarKind = Exclude<DescribedType["kind"], "optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum">;
const isScalar: Readonly<Record<ScalarKind, (json: unknown) => boolean>> = {
  unit: isObject,
  bool: (json) => typeof json === "boolean",
  int64: (json) => isNumber(json, wholeNumber),
  numeric: (json) => isNumber(json, decimal),
  text: (json) => typeof json === "string",
  party: (json) => typeof json === "string" && json !== "",
  contractId: (json) => typeof json === "string" && hexadecimal.test(json),
  timestamp: (json) => typeof json === "string" && parseInstant(json) !== undefined,
  date: (json) => typeof json === "string" && day.test(json),
};

function problemAt(spot: Spot, json: unknown): Problem {
  const type = spot.types[spot.number];
  assert(type, "a description holds all types that it refers to");
  const at = (number: number, step: string, value: unknown): Problem => problemAt({ ...spot, number, path: `${spot.path}${step}` }, value);
  const expected = (what: string): string => `expected ${what} at ${spot.path === "" ? "the top" : spot.path.replace(/^\./, "")}`;
  switch (type.kind) {
    case "optional":
      return type.nested ? arraysProblem(spot, type, json) : json === null || json === undefined ? undefined : at(type.element, "", json);
    case "list":
      return Array.isArray(json) ? first(json, (element, index) => at(type.element, `[${index}]`, element)) : expected("a list");
    case "textMap":
      return isObject(json) ? first(Object.entries(json), ([key, value]) => at(type.value, `.${key}`, value)) : expected("a map");
    case "genMap":
      return Array.isArray(json)
        ? first(json, (pair, index) =>
            Array.isArray(pair) && pair.length === 2
              ? (at(type.key, `[${index}]`, pair[0]) ?? at(type.value, `[${index}]`, pair[1]))
              : expected("pairs"),
          )
        : expected("a list of pairs");
    case "record":
      return isObject(json) ? first(type.fields, (field) => fieldProblem(spot, field, json, at)) : expected("a record");
    case "variant":
      return variantProblem(type, json, at, expected);
    case "enum":
      return typeof json === "string" && type.constructors.includes(json) ? undefined : expected(`one of ${type.constructors.join(", ")}`);
    default:
      return isScalar[type.kind](json) ? undefined : expected(`a value of type ${type.kind}`);
  }
}

type At = (number: number, step: string, value: unknown) => Problem;
type OfKind<K extends DescribedType["kind"]> = Extract<DescribedType, { readonly kind: K }>;

function first<T>(items: readonly T[], problemOf: (item: T, index: number) => Problem): Problem {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Every level of an Optional of Optionals is an array. */
function arraysProblem(spot: Spot, type: OfKind<"optional">, json: unknown): Problem {
  if (json === null || json === undefined) return undefined;
  if (!Array.isArray(json) || json.length > 1) return `expected an array of at most one element at ${spot.path.replace(/^\./, "")}`;
  const element = spot.types[type.element],
    inner = { ...spot, number: type.element, path: `${spot.path}[0]` };
  if (json.length === 0) return undefined;
  return element?.kind === "optional" ? arraysProblem(inner, element, json[0]) : problemAt(inner, json[0]);
}

function fieldProblem(
  { types, path }: Spot,
  field: { readonly name: string; readonly type: number },
  json: Readonly<Record<string, unknown>>,
  at: At,
): Problem {
  if (Object.hasOwn(json, field.name)) return at(field.type, `.${field.name}`, json[field.name]);
  return types[field.type]?.kind === "optional" ? undefined : `missing field ${`${path}.${field.name}`.slice(1)}`;
}

function variantProblem(type: OfKind<"variant">, json: unknown, at: At, expected: (what: string) => string): Problem {
  const constructor_ = isObject(json) ? type.constructors.find(({ name }) => name === json["tag"]) : undefined;
  if (!constructor_) return expected(`a tag of ${type.constructors.map(({ name }) => name).join(", ")}`);
  return at(constructor_.type, `.${constructor_.name}`, (json as { value?: unknown }).value);
}
