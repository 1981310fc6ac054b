/** typia's schemas in the form that the published documents have: OpenAPI 3.0, no helper types, `nullable` in place of null arms. */
import { assert } from "../base/assert.js";
import { publishedOptional, publishedRequired } from "./published-required.js";
import { wireSchemas } from "./schemas.js";

export type Schema = Readonly<Record<string, unknown>>;

const raw = wireSchemas.components.schemas as Readonly<Record<string, Schema>>;
const prefix = "#/components/schemas/";

/** Types that exist for the decoder only; the documents show what they stand for. */
const inlined: Readonly<Record<string, Schema>> = {
  Int64: { type: "integer", format: "int64" },
  Int64Input: { type: "integer", format: "int64" },
  Int32: { type: "integer", format: "int32" },
  Identifier: { type: "string" },
  OptionalIdentifier: { type: "string" },
  Base64: { type: "string" },
  CryptoKeyFormat: { type: "string" },
  SigningKeySpec: { type: "string" },
  SignatureFormat: { type: "string" },
  SignatureAlgorithm: { type: "string" },
  Instant: { type: "string", format: "date-time" },
  DamlValue: {},
  AnyJson: {},
};

/** Single-key wrappers of union arms, and `Record`s: written out where they are used. */
const isHelper = (name: string): boolean => name.endsWith("Case") || name.startsWith("ReadonlyRecord") || name === "object";

/** The schema of one operation's body or reply; null where there is none. */
export function wireSchema(operation: string, part: "body" | "reply"): Schema | undefined {
  const wires = propertiesOf(raw["Wires"]);
  const wire = wires[operation];
  assert(wire !== undefined, `no wire types of ${operation}: is it in the registry?`);
  const schema = propertiesOf(wire)[part];
  assert(schema !== undefined, `no ${part} of ${operation}`);
  return schema["type"] === "null" ? undefined : published(schema);
}

/** All components that these schemas reach, by name. */
export function componentsOf(roots: readonly Schema[]): Readonly<Record<string, Schema>> {
  const components: Record<string, Schema> = {};
  const pending = roots.flatMap(namesIn);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name in components) continue;
    const component = raw[name];
    assert(component !== undefined, `no component ${name}`);
    const schema = withPublishedRequired(name, published(component));
    components[name] = schema;
    pending.push(...namesIn(schema));
  }
  return Object.fromEntries(Object.entries(components).sort(([left], [right]) => (left < right ? -1 : 1)));
}

const namesIn = (schema: Schema): readonly string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(match => match[1] as string);

const propertiesOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> =>
  (schema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;

function published(schema: Schema): Schema {
  const reference = schema["$ref"];
  if (typeof reference === "string") return publishedReference(reference);
  if (Array.isArray(schema["oneOf"])) return publishedUnion(schema["oneOf"] as readonly Schema[]);
  return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => publishedMember(key, value)));
}

function publishedReference(reference: string): Schema {
  const name = reference.slice(prefix.length);
  const scalar = inlined[name];
  if (scalar !== undefined) return scalar;
  return isHelper(name) ? withoutDescription(published(raw[name] as Schema)) : { $ref: reference };
}

/** typia dissolves an alias that stands beside null. */
const isInt64Input = (arms: readonly Schema[]): boolean =>
  arms.length === 2 && arms[0]?.["type"] === "integer" && typeof arms[1]?.["pattern"] === "string";

/** TypeScript's own words on its utility types. */
const withoutDescription = ({ description: _, ...schema }: Schema): Schema => schema;

function publishedUnion(arms: readonly Schema[]): Schema {
  const left = arms.filter(arm => arm["type"] !== "null").map(published);
  const schema = publishedArms(left);
  return left.length === arms.length ? schema : nullable(schema);
}

function publishedArms(arms: readonly Schema[]): Schema {
  if (isInt64Input(arms)) return { type: "integer", format: "int64" };
  if (arms.length === 1) return arms[0] as Schema;
  const isEnum = arms.every(arm => typeof arm["const"] === "string");
  return isEnum ? { type: "string", enum: arms.map(arm => arm["const"]) } : { oneOf: arms };
}

/** What stands beside a reference is ignored (OpenAPI 3.0.3, Reference Object), and null is allowed beside a type only. */
function nullable(schema: Schema): Schema {
  if ("type" in schema) return { ...schema, nullable: true };
  assert("oneOf" in schema || isObject(schema["$ref"]), "what may be null, and has no type of its own, is an object");
  return { type: "object", ...("oneOf" in schema ? schema : { allOf: [schema] }), nullable: true };
}

function isObject(reference: unknown): boolean {
  const schema = typeof reference === "string" ? raw[reference.slice(prefix.length)] : undefined;
  return schema?.["type"] === "object" || schema?.["oneOf"] !== undefined;
}

function publishedMember(key: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (key === "readOnly" || (key === "required" && (value as readonly string[]).length === 0)) return [];
  if (key === "properties") {
    const properties = Object.entries(value as Readonly<Record<string, Schema>>);
    return properties.length === 0 ? [] : [[key, Object.fromEntries(properties.map(([name, schema]) => [name, published(schema)]))]];
  }
  if (key === "items" || (key === "additionalProperties" && typeof value === "object")) return [[key, published(value as Schema)]];
  return [[key, value]];
}

function withPublishedRequired(name: string, schema: Schema): Schema {
  const optional = publishedOptional[name] ?? [];
  const required = [...((schema["required"] ?? []) as readonly string[]), ...(publishedRequired[name] ?? [])].filter(field => !optional.includes(field));
  return required.length === 0 ? schema : { ...schema, required };
}
