/** Values as JSON text; a number is written with all its digits. */
import { assert } from "../../base/assert.js";
import type { LedgerValue, ValueType } from "../../lf/index.js";
import { showDate, showNumeric, showTimestamp } from "../../lf/running-code.js";

type Container = Extract<LedgerValue, { kind: "optional" | "list" | "textMap" | "genMap" | "record" | "variant" }>;

export function showPlainJson(type: ValueType, value: LedgerValue): string {
  const writer = new PlainJsonWriter();
  const marked = JSON.stringify(writer.of(type, value), undefined, 2);
  return marked.replaceAll(/"\\u0000(\d+)"/g, (_, index: string) => writer.numbers[Number(index)]!);
}

/** Makes the tree, in which numbers are marked texts: `JSON.stringify` would round them. */
class PlainJsonWriter {
  readonly numbers: string[] = [];

  of(type: ValueType, value: LedgerValue): unknown {
    switch (value.kind) {
      case "unit":
        return {};
      case "int64":
        return this.#number(String(value.value));
      case "numeric":
        return this.#number(showNumeric(value.unscaled, value.scale).replace(/\.$/, ".0"));
      case "date":
        return showDate(value.days);
      case "timestamp":
        return showTimestamp(value.micros);
      case "contractId":
        return value.hex;
      case "enum":
        return value.constructor_;
      case "bool":
      case "party":
      case "text":
        return value.value;
      default:
        return this.#container(type, value);
    }
  }

  #number(text: string): string {
    return `\u0000${this.numbers.push(text) - 1}`; // no text of a value holds this character
  }

  #container(type: ValueType, value: Container): unknown {
    switch (value.kind) {
      case "optional":
        assert(type.kind === "optional", "an Optional has an Optional type");
        return this.#optional(type.element, value.value);
      case "list":
        assert(type.kind === "list", "a list has a list type");
        return value.elements.map((element) => this.of(type.element, element));
      case "textMap":
        assert(type.kind === "textMap", "a text map has a text map type");
        return Object.fromEntries(value.entries.map(([key, entry]) => [key, this.of(type.value, entry)]));
      case "genMap":
        assert(type.kind === "genMap", "a map has a map type");
        return value.entries.map(([key, entry]) => [this.of(type.key, key), this.of(type.value, entry)]);
      case "record":
        assert(type.kind === "record", "a record has a record type");
        return Object.fromEntries(
          type.fields.map((field, index) => [field.name, this.of(field.type, value.fields[index]?.value ?? noneValue)]),
        );
      case "variant": {
        assert(type.kind === "variant", "a variant has a variant type");
        const rank = type.rankOf(value.constructor_);
        assert(rank !== undefined, "a variant has a constructor of its type");
        return { tag: value.constructor_, value: this.of(type.constructors[rank]!.type, value.value) };
      }
    }
  }

  /** Some of an Optional is an array, so that None in it can be told from None. */
  #optional(element: ValueType, value: LedgerValue | undefined): unknown {
    if (value === undefined) return null;
    if (value.kind !== "optional") return this.of(element, value);
    return value.value === undefined ? [] : [this.of(element, value)];
  }
}

const noneValue: LedgerValue = { kind: "optional", value: undefined };
