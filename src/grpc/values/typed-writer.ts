/**
 * The ledger's JSON of a value as message `Value` of the Ledger API, led by its type. Within a message fields go from the last to the
 * first (`ProtoWriter`).
 */
import { assert } from "../../base/assert.js";
import type { DescribedType, TypeDescription } from "../../lf/index.js";
import { compareText, parseDate, parseTimestamp } from "../../lf/value/index.js";
import { apiSum, type ProtoWriter, writeScalar, writeText, writeTypeId } from "../../lf/wire/index.js";

/** Verbose: with the labels of fields, and the ids of records, variants and enums. */
export type Verbosity = "bare" | "verbose";

type OfKind<K extends DescribedType["kind"]> = Extract<DescribedType, { readonly kind: K }>;
type Fields = Readonly<Record<string, unknown>>;

export class TypedWriter {
  readonly #out: ProtoWriter;
  readonly #types: TypeDescription;
  readonly #verbosity: Verbosity;

  constructor(out: ProtoWriter, types: TypeDescription, verbosity: Verbosity) {
    this.#out = out;
    this.#types = types;
    this.#verbosity = verbosity;
  }

  /** The fields of message `Value`. */
  value(json: unknown): void {
    this.#value(0, json);
  }

  /** The fields of message `Record`. */
  record(json: unknown): void {
    const type = this.#type(0);
    assert(type.kind === "record", "a record has a record type");
    this.#record(type, json as Fields);
  }

  #type(number: number): DescribedType {
    const type = this.#types[number];
    assert(type, "a description holds all types that it refers to");
    return type;
  }

  #value(number: number, json: unknown): void {
    const out = this.#out,
      type = this.#type(number);
    switch (type.kind) {
      case "unit":
        return writeScalar(out, { kind: "unit" });
      case "bool":
        return writeScalar(out, { kind: "bool", value: json as boolean });
      case "int64":
        return writeScalar(out, { kind: "int64", value: BigInt(json as string) });
      case "date":
        return this.#date(json as string);
      case "timestamp":
        return this.#timestamp(json as string);
      case "numeric":
      case "party":
      case "text":
      case "contractId":
        return out.textField(apiSum[type.kind], json as string);
    }
    const mark = out.length;
    this.#container(type, json);
    out.closeMessage(apiSum[type.kind], mark);
  }

  #date(json: string): void {
    const days = parseDate(json);
    assert(days !== undefined, "the ledger prints dates");
    writeScalar(this.#out, { kind: "date", days });
  }

  #timestamp(json: string): void {
    const micros = parseTimestamp(json);
    assert(micros !== undefined, "the ledger prints timestamps");
    writeScalar(this.#out, { kind: "timestamp", micros });
  }

  #container(type: OfKind<"optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum">, json: unknown): void {
    switch (type.kind) {
      case "optional":
        return type.nested ? this.#inArrays(type, json) : this.#optional(type, json);
      case "list":
        return this.#list(type, json as readonly unknown[]);
      case "textMap":
        return this.#textMap(type, json as Fields);
      case "genMap":
        return this.#genMap(type, json as readonly (readonly [unknown, unknown])[]);
      case "record":
        return this.#record(type, json as Fields);
      case "variant":
        return this.#variant(type, json as { readonly tag: string; readonly value: unknown });
      case "enum":
        writeText(this.#out, 2, json as string);
        return this.#id(type);
    }
  }

  /** A field of type `Value`. */
  #field(field: number, type: number, json: unknown): void {
    const mark = this.#out.length;
    this.#value(type, json);
    this.#out.closeMessage(field, mark);
  }

  #id({ id }: OfKind<"record" | "variant" | "enum">): void {
    if (this.#verbosity === "verbose") writeTypeId(this.#out, id);
  }

  #optional({ element }: OfKind<"optional">, json: unknown): void {
    if (json !== null && json !== undefined) this.#field(1, element, json);
  }

  /** Every level of an Optional of Optionals is an array. */
  #inArrays({ element }: OfKind<"optional">, json: unknown): void {
    const elements = (json ?? []) as readonly unknown[],
      type = this.#type(element);
    if (elements.length === 0) return;
    if (type.kind !== "optional") return this.#field(1, element, elements[0]);
    const out = this.#out,
      mark = out.length;
    this.#inArrays(type, elements[0]);
    out.closeMessage(apiSum.optional, mark);
    out.closeMessage(1, mark);
  }

  #list({ element }: OfKind<"list">, json: readonly unknown[]): void {
    for (let at = json.length - 1; at >= 0; at--) this.#field(1, element, json[at]);
  }

  /** Keys ascend; those of JavaScript's objects do not where they look like numbers. */
  #textMap({ value }: OfKind<"textMap">, json: Fields): void {
    const out = this.#out,
      keys = Object.keys(json).sort(compareText);
    for (let at = keys.length - 1; at >= 0; at--) {
      const key = keys[at]!,
        mark = out.length;
      this.#field(2, value, json[key]);
      writeText(out, 1, key);
      out.closeMessage(1, mark);
    }
  }

  #genMap({ key, value }: OfKind<"genMap">, json: readonly (readonly [unknown, unknown])[]): void {
    const out = this.#out;
    for (let at = json.length - 1; at >= 0; at--) {
      const entry = json[at]!,
        mark = out.length;
      this.#field(2, value, entry[1]);
      this.#field(1, key, entry[0]);
      out.closeMessage(1, mark);
    }
  }

  /** None at the end is left out. */
  #record(type: OfKind<"record">, json: Fields): void {
    const out = this.#out,
      { fields } = type;
    let isAtEnd = true;
    for (let at = fields.length - 1; at >= 0; at--) {
      const field = fields[at]!,
        content = Object.hasOwn(json, field.name) ? json[field.name] : undefined;
      if (isAtEnd && this.#isNone(field.type, content)) continue;
      isAtEnd = false;
      const mark = out.length;
      this.#field(2, field.type, content);
      if (this.#verbosity === "verbose") out.textField(1, field.name);
      out.closeMessage(2, mark);
    }
    this.#id(type);
  }

  #isNone(number: number, json: unknown): boolean {
    const type = this.#type(number);
    if (type.kind !== "optional") return false;
    return json === null || json === undefined || (type.nested && (json as readonly unknown[]).length === 0);
  }

  #variant(type: OfKind<"variant">, { tag, value }: { readonly tag: string; readonly value: unknown }): void {
    const constructor_ = type.constructors.find(({ name }) => name === tag);
    assert(constructor_, "a variant has a constructor of its type");
    this.#field(3, constructor_.type, value);
    writeText(this.#out, 2, tag);
    this.#id(type);
  }
}
