/** The part of OpenAPI 3.0.3's Schema Object that our document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly format?: string;
  readonly nullable?: boolean;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

export type Components = Readonly<Record<string, Schema>>;

const prefix = "#/components/schemas/";

export function resolve(schema: Schema, components: Components): Schema {
  if (schema.$ref === undefined) return schema;
  const target = components[schema.$ref.slice(prefix.length)];
  if (target === undefined) throw new Error(`there is no component ${schema.$ref}`);
  return resolve(target, components);
}
