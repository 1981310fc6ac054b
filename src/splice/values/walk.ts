/** From the ledger's JSON of a value to another form of it, led by its type. */
import { assert } from "../../base/assert.js";
import type { DescribedType, TypeDescription } from "../../lf/index.js";

export type ScalarKind = Exclude<DescribedType["kind"], "optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum">;

/** How each kind of value looks in a form. */
export interface ValueForm {
  /** The same from text to text, where that is faster. */
  readonly text?: ((types: TypeDescription, json: string) => string) | undefined;
  scalar(kind: ScalarKind, json: unknown): unknown;
  /** `arrays`: the value is an Optional of Optionals, or in one. */
  optional(value: unknown, options: { readonly isSome: boolean; readonly arrays: boolean }): unknown;
  list(elements: readonly unknown[]): unknown;
  textMap(entries: readonly (readonly [string, unknown])[]): unknown;
  genMap(entries: readonly (readonly [unknown, unknown])[]): unknown;
  /** All fields of the type; `given`: how many of them the ledger wrote, as it leaves out None at the end. */
  record(fields: readonly (readonly [string, unknown])[], given: number): unknown;
  variant(tag: string, value: unknown): unknown;
  enumeration(constructor_: string): unknown;
}

export const walkValue = (types: TypeDescription, json: unknown, form: ValueForm): unknown => new Walk(types, form).value(0, json);

type OfKind<K extends DescribedType["kind"]> = Extract<DescribedType, { readonly kind: K }>;

class Walk {
  constructor(
    readonly types: TypeDescription,
    readonly form: ValueForm,
  ) {}

  #type(number: number): DescribedType {
    const type = this.types[number];
    assert(type, "a description holds all types that it refers to");
    return type;
  }

  value(number: number, json: unknown): unknown {
    const type = this.#type(number);
    switch (type.kind) {
      case "optional":
        return type.nested ? this.#inArrays(type, json) : this.#optional(type, json);
      case "list":
        return this.form.list((json as unknown[]).map((element) => this.value(type.element, element)));
      case "textMap":
        return this.form.textMap(Object.entries(json as object).map(([key, value]) => [key, this.value(type.value, value)]));
      case "genMap":
        return this.form.genMap(
          (json as [unknown, unknown][]).map(([key, value]) => [this.value(type.key, key), this.value(type.value, value)]),
        );
      case "record":
        return this.#record(type, json as Readonly<Record<string, unknown>>);
      case "variant":
        return this.#variant(type, json as { tag: string; value: unknown });
      case "enum":
        return this.form.enumeration(json as string);
      default:
        return this.form.scalar(type.kind, json);
    }
  }

  #optional(type: OfKind<"optional">, json: unknown): unknown {
    const isSome = json !== null && json !== undefined;
    return this.form.optional(isSome ? this.value(type.element, json) : undefined, { isSome, arrays: false });
  }

  /** Every level of an Optional of Optionals is an array. */
  #inArrays(type: OfKind<"optional">, json: unknown): unknown {
    const [inner] = (json ?? []) as unknown[],
      isSome = ((json ?? []) as unknown[]).length > 0,
      element = this.#type(type.element);
    const value = !isSome ? undefined : element.kind === "optional" ? this.#inArrays(element, inner) : this.value(type.element, inner);
    return this.form.optional(value, { isSome, arrays: true });
  }

  #record(type: OfKind<"record">, json: Readonly<Record<string, unknown>>): unknown {
    const given = type.fields.reduce((last, { name }, index) => (Object.hasOwn(json, name) ? index + 1 : last), 0);
    return this.form.record(
      type.fields.map((field) => [field.name, this.value(field.type, json[field.name] ?? this.#none(field.type))]),
      given,
    );
  }

  /** What the ledger leaves out at the end of a record. */
  #none(number: number): unknown {
    const type = this.#type(number);
    return type.kind === "optional" && type.nested ? [] : null;
  }

  #variant(type: OfKind<"variant">, { tag, value }: { readonly tag: string; readonly value: unknown }): unknown {
    const constructor_ = type.constructors.find(({ name }) => name === tag);
    assert(constructor_, "a variant has a constructor of its type");
    return this.form.variant(tag, this.value(constructor_.type, value));
  }
}
