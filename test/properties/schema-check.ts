/** Holds an answer against the schema that our document gives for it. Fields that the document does not tell of count as wrong. */
import { resolve, type Components, type Schema } from "./schema.js";

export function schemaProblem(value: unknown, schema: Schema, components: Components, at = "$"): string | undefined {
  if (value === null && schema.nullable === true) return undefined;
  const { allOf, oneOf, enum: words, type, ...rest } = resolve(schema, components);
  const nested = (inner: unknown, of: Schema, where: string): string | undefined => schemaProblem(inner, of, components, where);
  if (allOf !== undefined) return firstOf(allOf, (part) => nested(value, part, at));
  if (oneOf !== undefined)
    return oneOf.some((arm) => nested(value, arm, at) === undefined)
      ? undefined
      : `${at} fits none of ${oneOf.length} forms: ${JSON.stringify(value)?.slice(0, 200)}`;
  if (words !== undefined && !words.includes(value as string)) return `${at} is none of ${words.join(", ")}`;
  switch (type) {
    case "object":
      return isRecord(value) ? objectProblem(value, rest, nested, at) : `${at} is no object`;
    case "array":
      return Array.isArray(value)
        ? firstOf([...value.entries()], ([index, element]) => rest.items && nested(element, rest.items, `${at}[${index}]`))
        : `${at} is no list`;
    case "integer":
      return Number.isSafeInteger(value) ? undefined : `${at} is no integer`;
    case "number":
      return typeof value === "number" ? undefined : `${at} is no number`;
    case "string":
      return typeof value === "string" ? undefined : `${at} is no text`;
    case "boolean":
      return typeof value === "boolean" ? undefined : `${at} is no boolean`;
    default:
      return undefined; // anything
  }
}

type Nested = (value: unknown, schema: Schema, at: string) => string | undefined;
type JsonObject = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

function objectProblem(
  value: JsonObject,
  { required = [], properties = {}, additionalProperties }: Schema,
  nested: Nested,
  at: string,
): string | undefined {
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  return firstOf(Object.entries(value), ([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (schema === undefined || schema === false) return `${at}.${name} is not in the document`;
    return schema === true ? undefined : nested(member, schema, `${at}.${name}`);
  });
}

function firstOf<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
