/**
 * Values for a schema. A tame generator takes what the named field could really hold and leaves out what need not be there,
 * so that requests do something; the wilder one is, the more often it takes anything of the right type. `damage` then makes
 * one place of a request nearly right.
 */
import type { Random } from "../support/random.js";
import { resolve, type Components, type Schema } from "./schema.js";

/** Plausible values by field or parameter name; "" is for keys of maps. */
export type Words = Readonly<Record<string, readonly unknown[]>>;

const listElementsMax = 3,
  depthMax = 12;
const strings = [
  "",
  "x",
  "0",
  "a:b",
  "é😀",
  "\u0000\u001b[31m",
  "../../etc",
  "%00",
  "null",
  "x".repeat(300),
  "x".repeat(5_000),
  "2020-01-01T00:00:00Z",
  "{}",
  "💥::1220",
];
const integers = [0, 1, -1, 2, 10, 100, 2_147_483_647, -2_147_483_648, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
const instants = ["1970-01-01T00:00:00Z", "2020-02-30T00:00:00Z", "2024-01-01T00:00:00.123456Z", "0001-01-01T00:00:00Z", "soon", ""];
const anything: readonly unknown[] = [null, true, 0, -1.5, "", "x", [], {}, [[]], { a: { b: [1] } }, "9".repeat(200)];

/** Of eight choices, so many are not made sensibly. */
export type Wildness = 0 | 1 | 2 | 4;

export class Generator {
  constructor(
    readonly random: Random,
    readonly components: Components,
    readonly words: Words,
    readonly wildness: Wildness,
  ) {}

  /** The same choices, with fewer words for some fields. */
  with(words: Words): Generator {
    return new Generator(this.random, this.components, { ...this.words, ...words }, this.wildness);
  }

  get #wild(): boolean {
    return this.random.below(8) < this.wildness;
  }

  value(schema: Schema, name: string, depth = 0): unknown {
    const { random } = this,
      word = this.words[name];
    if (word !== undefined && !this.#wild) return random.one(word);
    if (schema.nullable === true && random.below(5) === 0) return null;
    const {
      allOf,
      oneOf,
      enum: options,
      type,
      format,
      items,
      properties,
      required = [],
      additionalProperties,
    } = resolve(schema, this.components);
    if (allOf !== undefined) return this.value(allOf[0]!, name, depth);
    if (oneOf !== undefined) return this.value(random.one(oneOf), name, depth);
    if (options !== undefined) return random.one(options);
    switch (type) {
      case "string":
        return random.one(format === "date-time" ? instants : strings);
      case "integer":
        return random.one(integers);
      case "number":
        return random.one([0, 1.5, -1e300]);
      case "boolean":
        return random.below(2) === 0;
      case "array":
        return this.#list(items ?? {}, name, depth);
      case "object":
        return typeof additionalProperties === "object"
          ? this.#map(additionalProperties, depth)
          : this.#object(properties ?? {}, required, depth);
      default:
        return random.one(anything);
    }
  }

  #list(items: Schema, name: string, depth: number): unknown[] {
    const length = depth > depthMax ? 0 : this.#wild ? this.random.below(listElementsMax) : 1;
    return Array.from({ length }, () => this.value(items, name, depth + 1));
  }

  #map(values: Schema, depth: number): unknown {
    const keys = this.#list({ type: "string" }, "", depth) as string[];
    return Object.fromEntries(keys.map((key) => [key, this.value(values, "", depth + 1)]));
  }

  #object(properties: Readonly<Record<string, Schema>>, required: readonly string[], depth: number): unknown {
    const chosen = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (depth <= depthMax && (name in this.words ? this.random.below(3) > 0 : this.#wild)),
    );
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.value(schema, name, depth + 1)]));
  }

  /** One place of the value is left out, doubled, or something else altogether. */
  damage(value: unknown): unknown {
    if (Array.isArray(value) && value.length > 0 && this.random.below(4) > 0) {
      const at = this.random.below(value.length);
      return value.flatMap((element, index) =>
        index !== at ? [element] : this.random.below(4) === 0 ? [element, element] : [this.damage(element)],
      );
    }
    const names = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
    if (names.length === 0 || this.random.below(6) === 0) return this.random.one(anything);
    const name = this.random.one(names),
      { [name]: member, ...rest } = value as Record<string, unknown>;
    switch (this.random.below(6)) {
      case 0:
        return rest;
      case 1:
        return { ...rest, [`${name}x`]: member };
      default:
        return { ...rest, [name]: this.damage(member) };
    }
  }
}
