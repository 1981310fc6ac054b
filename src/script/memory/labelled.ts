/** Values whose records name their fields, so that another version of their type can say which of them does not fit. */
import { assert } from "../../base/assert.js";
import type { LedgerValue, ValueType } from "../../lf/index.js";

export function labelled(type: ValueType, value: LedgerValue): LedgerValue {
  switch (value.kind) {
    case "record":
      assert(type.kind === "record", "a record has a record type");
      return {
        kind: "record",
        fields: value.fields.map((field, index) => {
          const { name, type: of } = type.fields[index]!;
          return { label: name, value: labelled(of, field.value) };
        }),
      };
    case "variant":
      assert(type.kind === "variant", "a variant has a variant type");
      return { ...value, value: labelled(type.constructors[type.rankOf(value.constructor_)!]!.type, value.value) };
    case "optional":
      assert(type.kind === "optional", "an Optional has an Optional type");
      return value.value === undefined ? value : { ...value, value: labelled(type.element, value.value) };
    case "list":
      assert(type.kind === "list", "a list has a list type");
      return { ...value, elements: value.elements.map((element) => labelled(type.element, element)) };
    case "textMap":
      assert(type.kind === "textMap", "a text map has a text map type");
      return { ...value, entries: value.entries.map(([key, entry]) => [key, labelled(type.value, entry)]) };
    case "genMap":
      assert(type.kind === "genMap", "a map has a map type");
      return { ...value, entries: value.entries.map(([key, entry]) => [labelled(type.key, key), labelled(type.value, entry)]) };
    default:
      return value;
  }
}
