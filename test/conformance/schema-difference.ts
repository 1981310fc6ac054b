/**
 * Compares two schemas by what a client can see: field names, which are required, arms of unions, enumerations, kinds.
 * Component names are the writer's own business and are looked through.
 */
import type { JsonSchema } from "./published.js";

export interface Side {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

export function differences(expected: JsonSchema, expectedSide: Side, actual: JsonSchema, actualSide: Side): readonly string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  compare(expected, actual, "$");
  return found;

  function compare(left: JsonSchema, right: JsonSchema, at: string): void {
    const pair = `${left.$ref ?? ""}~${right.$ref ?? ""}`;
    if (left.$ref !== undefined && right.$ref !== undefined) {
      if (seen.has(pair)) return;
      seen.add(pair);
    }
    const wanted = resolve(left, expectedSide);
    const given = resolve(right, actualSide);
    if (wanted.oneOf !== undefined) return compareArms(wanted, given, at);
    note(`${at} required`, [...(wanted.required ?? [])].sort(), [...(given.required ?? [])].sort());
    note(`${at} enum`, [...(wanted.enum ?? [])].sort(), [...(given.enum ?? [])].sort());
    note(`${at} type`, wanted.type, given.type);
    compareFields(wanted.properties ?? {}, given.properties ?? {}, at);
    if (wanted.prefixItems === undefined) compareNested(wanted.items, given.items, `${at}[]`);
    compareNested(asSchema(wanted.additionalProperties), asSchema(given.additionalProperties), `${at}{}`);
  }

  function compareFields(wanted: NonNullable<JsonSchema["properties"]>, given: NonNullable<JsonSchema["properties"]>, at: string): void {
    note(`${at} fields`, Object.keys(wanted).sort(), Object.keys(given).sort());
    for (const [name, schema] of Object.entries(wanted)) compareNested(schema, given[name], `${at}.${name}`);
  }

  function compareNested(wanted: JsonSchema | undefined, given: JsonSchema | undefined, at: string): void {
    if (wanted !== undefined && given !== undefined) compare(wanted, given, at);
    else note(`${at} present`, wanted !== undefined, given !== undefined);
  }

  function compareArms(wanted: JsonSchema, given: JsonSchema, at: string): void {
    const wantedArms = armsByKey(wanted.oneOf ?? [], expectedSide);
    const givenArms = armsByKey(given.oneOf ?? [], actualSide);
    note(`${at} arms`, [...wantedArms.keys()].sort(), [...givenArms.keys()].sort());
    for (const [key, schema] of wantedArms) compareNested(schema, givenArms.get(key), `${at}<${key}>`);
  }

  function note(what: string, wanted: unknown, given: unknown): void {
    if (JSON.stringify(wanted) !== JSON.stringify(given))
      found.push(`${what}: published ${JSON.stringify(wanted)}, ours ${JSON.stringify(given)}`);
  }
}

const asSchema = (schema: JsonSchema | boolean | undefined): JsonSchema | undefined => (typeof schema === "object" ? schema : undefined);

function resolve(schema: JsonSchema, side: Side): JsonSchema {
  // The published documents do not tell what may be null.
  if (schema.nullable === true && schema.allOf?.[0] !== undefined) return resolve(schema.allOf[0], side);
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split("/").pop() as string;
  const target = side.schemas[name];
  if (target === undefined) throw new Error(`no component ${name}`);
  return resolve(target, side);
}

/** Arms of the API's unions are told apart by the fields they require. */
const armsByKey = (arms: readonly JsonSchema[], side: Side): Map<string, JsonSchema> =>
  new Map(arms.map((arm) => [[...(resolve(arm, side).required ?? [])].sort().join(","), arm]));
