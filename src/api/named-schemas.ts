/** Gives a document's components other names than those of our types, by where they are used: `published-names.ts` says which. */
import { componentPrefix, type PublishedSchemas, type Schema, withoutNull, withoutType } from "./published-schemas.js";

type Schemas = Readonly<Record<string, Schema>>;

export class NamedSchemas {
  readonly #ours: Pick<PublishedSchemas, "component">;
  readonly #names: Readonly<Record<string, string>>;
  readonly #named: Record<string, Schema>;

  constructor(ours: Pick<PublishedSchemas, "component">, names: Readonly<Record<string, string>>, named: Record<string, Schema> = {}) {
    this.#ours = ours;
    this.#names = names;
    this.#named = named;
  }

  /**
   * The same names for schemas of which it is not said that they may be null, as the published documents do not say it of any:
   * code that was written for classes made of those would not fit such fields. Of a name the first schema stays.
   */
  withoutNull(): Pick<NamedSchemas, "at"> {
    const silent = new NamedSchemas({ component: (name) => withoutNull(this.#ours.component(name)) }, this.#names, this.#named);
    return { at: (place, schema) => silent.at(place, withoutNull(schema)) };
  }

  /** Those that were referred to so far. */
  components(): Schemas {
    return Object.fromEntries(Object.entries(this.#named).sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** The schema at this place, as a reference where it has a name. */
  at(place: string, schema: Schema): Schema {
    const [wrapped] = (schema["allOf"] ?? []) as readonly Schema[];
    if (wrapped !== undefined) return { ...schema, allOf: [this.at(place, wrapped)] };
    const own = ownName(schema),
      name = this.#names[place] ?? own;
    const { nullable, ...rest } = own === undefined ? schema : this.#ours.component(own),
      nullOf = nullable === true ? { nullable } : {};
    if (!name) return { ...this.#inside(place, rest), ...nullOf };
    this.#name(name, nullable === true && "oneOf" in rest ? withoutType(rest) : rest);
    const reference = { $ref: componentPrefix + name };
    return nullable === true ? { type: "object", allOf: [reference], ...nullOf } : reference;
  }

  #name(name: string, schema: Schema): void {
    if (name in this.#named) return;
    this.#named[name] = {}; // it may refer to itself
    this.#named[name] = this.#inside(name, schema);
  }

  #inside(place: string, schema: Schema): Schema {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.#member(place, key, value)]));
  }

  #member(place: string, key: string, value: unknown): unknown {
    switch (key) {
      case "properties":
        return Object.fromEntries(Object.entries(value as Schemas).map(([name, schema]) => [name, this.at(`${place}.${name}`, schema)]));
      case "oneOf":
        return (value as readonly Schema[]).map((arm) => (ownName(arm) === undefined ? this.#inside(place, arm) : this.at("", arm)));
      case "items":
        return this.at(`${place}[]`, value as Schema);
      case "additionalProperties":
        return typeof value === "object" ? this.at(`${place}{}`, value as Schema) : value;
      default:
        return value;
    }
  }
}

/** Titles as published, the names without their numbers: generators make one class of components that are alike by name, too. */
export const titled = (components: Schemas): Schemas =>
  Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, { title: name.replace(/\d+$/, ""), ...schema }]));

function ownName({ $ref: reference }: Schema): string | undefined {
  return typeof reference === "string" ? reference.slice(componentPrefix.length) : undefined;
}
