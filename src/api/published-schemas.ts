/** typia's schemas in the form that the published documents have: OpenAPI 3.0, no helper types, `nullable` in place of null arms. */
import { assert } from "../base/assert.js";

export type Schema = Readonly<Record<string, unknown>>;

/** What typia makes of the wire types of an API's operations, by operation and part. */
export interface WireSchemas {
  readonly components: { readonly schemas?: object | undefined };
}

/** Fields that are published as required though decoders fill them in, and the other way round; by the name of their type. */
export interface Corrections {
  readonly required: Readonly<Record<string, readonly string[]>>;
  readonly optional: Readonly<Record<string, readonly string[]>>;
}

export const componentPrefix = "#/components/schemas/";

/** Types that exist for the decoder only; the documents show what they stand for. */
const inlined: Readonly<Record<string, Schema>> = {
  Int64: { type: "integer", format: "int64" },
  Int64Input: { type: "integer", format: "int64" },
  Int32Input: { type: "integer", format: "int32" },
  Int32: { type: "integer", format: "int32" },
  DecimalInput: { type: "number" },
  Identifier: { type: "string" },
  Base64: { type: "string" },
  CryptoKeyFormat: { type: "string" },
  SigningKeySpec: { type: "string" },
  SignatureFormat: { type: "string" },
  SignatureAlgorithm: { type: "string" },
  Instant: { type: "string" },
  Timestamp: { type: "string" },
  DamlValue: {},
  AnyJson: {},
};

/** Single-key wrappers of union arms, and `Record`s: written out where they are used. */
const isHelper = (name: string): boolean => name.endsWith("Case") || name.startsWith("ReadonlyRecord") || name === "object";

export class PublishedSchemas {
  readonly #raw: Readonly<Record<string, Schema>>;
  readonly #corrections: Corrections;

  constructor({ components }: WireSchemas, corrections: Corrections = { required: {}, optional: {} }) {
    this.#raw = (components.schemas ?? {}) as Readonly<Record<string, Schema>>;
    this.#corrections = corrections;
  }

  /** The schema of one operation's body or reply; undefined where there is none. */
  wire(operation: string, part: "body" | "reply"): Schema | undefined {
    const wire = propertiesOf(this.#raw["Wires"])[operation];
    assert(wire !== undefined, `no wire types of ${operation}: is it in the registry?`);
    const schema = propertiesOf(wire)[part];
    assert(schema !== undefined, `no ${part} of ${operation}`);
    return schema["type"] === "null" ? undefined : this.#published(schema);
  }

  component(name: string): Schema {
    const component = this.#raw[name];
    assert(component !== undefined, `no component ${name}`);
    return this.#withPublishedRequired(name, this.#published(component));
  }

  #published(schema: Schema): Schema {
    const reference = schema["$ref"];
    if (typeof reference === "string") return this.#reference(reference);
    if (Array.isArray(schema["oneOf"])) return this.#union(schema["oneOf"] as readonly Schema[]);
    return Object.fromEntries(Object.entries(schema).flatMap(([key, value]) => this.#member(key, value)));
  }

  #reference(reference: string): Schema {
    const name = reference.slice(componentPrefix.length);
    const scalar = inlined[name];
    if (scalar !== undefined) return scalar;
    return isHelper(name) ? withoutDescription(this.#published(this.#raw[name] as Schema)) : { $ref: reference };
  }

  #union(arms: readonly Schema[]): Schema {
    const left = arms.filter((arm) => arm["type"] !== "null").map((arm) => this.#published(arm));
    const schema = publishedArms(left);
    return left.length === arms.length ? schema : this.#nullable(schema);
  }

  /** What stands beside a reference is ignored (OpenAPI 3.0.3, Reference Object), and null is allowed beside a type only. */
  #nullable(schema: Schema): Schema {
    if ("type" in schema) return { ...schema, nullable: true };
    assert("oneOf" in schema || this.#isObject(schema["$ref"]), "what may be null, and has no type of its own, is an object");
    return { type: "object", ...("oneOf" in schema ? schema : { allOf: [schema] }), nullable: true };
  }

  #isObject(reference: unknown): boolean {
    const schema = typeof reference === "string" ? this.#raw[reference.slice(componentPrefix.length)] : undefined;
    return schema?.["type"] === "object" || schema?.["oneOf"] !== undefined;
  }

  #member(key: string, value: unknown): readonly (readonly [string, unknown])[] {
    if (key === "readOnly" || (key === "required" && (value as readonly string[]).length === 0)) return [];
    if (key === "properties") {
      const properties = Object.entries(value as Readonly<Record<string, Schema>>);
      return properties.length === 0
        ? []
        : [[key, Object.fromEntries(properties.map(([name, schema]) => [name, this.#published(schema)]))]];
    }
    if (key === "items" || (key === "additionalProperties" && typeof value === "object")) return [[key, this.#published(value as Schema)]];
    return [[key, value]];
  }

  #withPublishedRequired(name: string, schema: Schema): Schema {
    const optional = this.#corrections.optional[name] ?? [];
    const required = [...((schema["required"] ?? []) as readonly string[]), ...(this.#corrections.required[name] ?? [])].filter(
      (field) => !optional.includes(field),
    );
    return required.length === 0 ? schema : { ...schema, required };
  }
}

const propertiesOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> =>
  (schema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;

/** Of an integer or its text, an alias that typia dissolves beside null. */
function integerInput(arms: readonly Schema[]): Schema | undefined {
  const integer = arms.find(({ type }) => type === "integer"),
    isText = ({ pattern }: Schema): boolean => typeof pattern === "string";
  return arms.length === 2 && integer !== undefined && arms.some(isText)
    ? { type: "integer", format: integer["format"] ?? "int64" }
    : undefined;
}

/** TypeScript's own words on its utility types. */
const withoutDescription = ({ description: _, ...schema }: Schema): Schema => schema;

function publishedArms(arms: readonly Schema[]): Schema {
  const integer = integerInput(arms);
  if (integer !== undefined) return integer;
  if (arms.length === 1) return arms[0] as Schema;
  const isEnum = arms.every((arm) => typeof arm["const"] === "string");
  return isEnum ? { type: "string", enum: arms.map((arm) => arm["const"]) } : { oneOf: inOrderOfKeys(arms) };
}

/** Generators number the classes of arms: those with one key each stand in the order of their keys, as published. */
function inOrderOfKeys(arms: readonly Schema[]): readonly Schema[] {
  const keyOf = (arm: Schema): string => Object.keys(propertiesOf(arm)).join(),
    isKeyed = arms.every((arm) => Object.keys(propertiesOf(arm)).length === 1);
  return isKeyed ? [...arms].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)) : arms;
}

/** The same without a word on null, in all that it says itself. */
export function withoutNull({ nullable, ...schema }: Schema): Schema {
  if (nullable === true && Array.isArray(schema["allOf"])) return withoutNull(schema["allOf"][0] as Schema);
  const said = nullable === true && "oneOf" in schema ? withoutType(schema) : schema;
  return Object.fromEntries(Object.entries(said).map(([key, value]) => [key, withoutNullInside(key, value)]));
}

/** A union has no type of its own: it stands there where the union may be null. */
export const withoutType = ({ type: _, ...union }: Schema): Schema => union;

function withoutNullInside(key: string, value: unknown): unknown {
  switch (key) {
    case "properties": {
      const properties = Object.entries(value as Readonly<Record<string, Schema>>);
      return Object.fromEntries(properties.map(([name, inner]) => [name, withoutNull(inner)]));
    }
    case "oneOf":
      return (value as readonly Schema[]).map(withoutNull);
    case "items":
    case "additionalProperties":
      return typeof value === "object" ? withoutNull(value as Schema) : value;
    default:
      return value;
  }
}
