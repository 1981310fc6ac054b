/**
 * The compact form of a value from text to text, led by its type: what the ledger prints in the same way is copied in one
 * piece, so that only times and records with an Optional at their end are looked into.
 */
import { assert } from "../../base/assert.js";
import { closeBrace, closeBracket, comma } from "../../base/json-bytes.js";
import type { DescribedType, TypeDescription } from "../../lf/index.js";
import { asJavaInstant } from "../instants.js";
import { endOfText, endOfValue } from "./json-slices.js";

type OfKind<K extends DescribedType["kind"]> = Extract<DescribedType, { readonly kind: K }>;

/** `text`: of the ledger's JSON; its bytes may stand for characters of their own. */
export const compactText = (types: TypeDescription, text: string): string =>
  changing(types)[0] ? new CompactText(types, text).all() : text;

class CompactText {
  readonly #types: TypeDescription;
  readonly #changing: readonly boolean[];
  readonly #text: string;
  #at = 0;
  /** Up to here it was copied. */
  #copied = 0;
  #out = "";

  constructor(types: TypeDescription, text: string) {
    this.#types = types;
    this.#changing = changing(types);
    this.#text = text;
  }

  all(): string {
    this.#value(0);
    assert(this.#at === this.#text.length, "a value ends where its text ends");
    return this.#out + this.#text.slice(this.#copied);
  }

  /** In place of what comes up to the place. */
  #put(text: string, upTo: number): void {
    this.#out += this.#text.slice(this.#copied, this.#at) + text;
    this.#copied = this.#at = upTo;
  }

  #next(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #value(number: number): void {
    if (!this.#changing[number]) {
      this.#at = endOfValue(this.#text, this.#at);
      return;
    }
    const type = this.#types[number]!;
    switch (type.kind) {
      case "timestamp":
        return this.#time();
      case "optional":
        return type.nested ? this.#elements(() => this.#nested(type.element)) : this.#optional(type.element);
      case "list":
        return this.#elements(() => this.#value(type.element));
      case "genMap":
        return this.#elements(() => this.#pair(type));
      case "textMap":
        return this.#members(() => this.#value(type.value));
      case "record":
        return this.#record(type);
      case "variant":
        return this.#variant(type);
      default:
        throw new Error(`values of kind ${type.kind} are printed alike`);
    }
  }

  #time(): void {
    const end = endOfText(this.#text, this.#at),
      time = asJavaInstant(this.#text.slice(this.#at + 1, end - 1));
    this.#put(`"${time}"`, end);
  }

  #optional(element: number): void {
    if (this.#text.startsWith("null", this.#at)) this.#at += "null".length;
    else this.#value(element);
  }

  /** Every level of an Optional of Optionals is an array. */
  #nested(number: number): void {
    const type = this.#types[number]!;
    if (type.kind === "optional") this.#elements(() => this.#nested(type.element));
    else this.#value(number);
  }

  #elements(element: () => void): void {
    for (this.#at++; this.#next() !== closeBracket;) {
      element();
      if (this.#next() === comma) this.#at++;
    }
    this.#at++;
  }

  #pair({ key, value }: OfKind<"genMap">): void {
    let index = 0;
    this.#elements(() => this.#value(index++ === 0 ? key : value));
  }

  #members(value: (name: string) => void): void {
    for (this.#at++; this.#next() !== closeBrace;) {
      const end = endOfText(this.#text, this.#at),
        name = this.#text.slice(this.#at + 1, end - 1);
      this.#at = end + 1; // behind the colon
      value(name);
      if (this.#next() === comma) this.#at++;
    }
    this.#at++;
  }

  /** The ledger writes fields in the order of their type, and leaves out None at the end. */
  #record({ fields }: OfKind<"record">): void {
    let given = 0;
    this.#members((name) => {
      const field = fields[given++];
      assert(field?.name === name, "fields are in the order of their type");
      this.#value(field.type);
    });
    if (given === fields.length) return;
    const end = this.#at--;
    this.#put(
      `${given === 0 ? "" : ","}${fields
        .slice(given)
        .map(({ name, type }) => `"${name}":${this.#none(type)}`)
        .join(",")}}`,
      end,
    );
  }

  #none(number: number): string {
    const type = this.#types[number]!;
    assert(type.kind === "optional", "only None is left out");
    return type.nested ? "[]" : "null";
  }

  #variant({ constructors }: OfKind<"variant">): void {
    let tag = "";
    this.#members((name) => {
      if (name === "value") return this.#value(constructors.find((one) => one.name === tag)!.type);
      const end = endOfText(this.#text, this.#at);
      tag = this.#text.slice(this.#at + 1, end - 1);
      this.#at = end;
    });
  }
}

const known = new WeakMap<TypeDescription, readonly boolean[]>();

/** Of each type whether its values may be printed in another way than the ledger does. */
function changing(types: TypeDescription): readonly boolean[] {
  const before = known.get(types);
  if (before) return before;
  const found = types.map(
    (type) => type.kind === "timestamp" || (type.kind === "record" && types[type.fields.at(-1)?.type ?? -1]?.kind === "optional"),
  );
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    types.forEach((type, number) => {
      if (found[number] || !partsOf(type).some((part) => found[part])) return;
      found[number] = isGrowing = true;
    });
  }
  known.set(types, found);
  return found;
}

function partsOf(type: DescribedType): readonly number[] {
  switch (type.kind) {
    case "optional":
    case "list":
      return [type.element];
    case "textMap":
      return [type.value];
    case "genMap":
      return [type.key, type.value];
    case "record":
      return type.fields.map(({ type: of }) => of);
    case "variant":
      return type.constructors.map(({ type: of }) => of);
    default:
      return [];
  }
}
