/** A run-time value with labels and type ids and with every field, for the details of errors: all of it, or as much as is shown. */
import { assert } from "../../base/assert.js";
import { showId } from "../ast.js";
import type { ValueType } from "../conversion/index.js";
import {
  type Int64,
  type LedgerValue,
  Cons,
  ContractId,
  EnumValue,
  type LfMap,
  type List,
  Numeric,
  Some,
  type Value,
  Variant,
} from "../value/index.js";

/**
 * How many more characters of the JSON of a value are shown. What begins behind them is left out of lists and maps, and is a unit
 * elsewhere: a model can make a value as large as its thread's memory, and of what nobody sees no objects should be made.
 */
export interface Shown {
  charsLeft: number;
}
const whole: Shown = { charsLeft: Infinity };

export function labelledValue(type: ValueType, value: Value, shown: Shown = whole): LedgerValue {
  switch (type.kind) {
    case "unit":
      return { kind: "unit" };
    case "bool":
      return { kind: "bool", value: value as boolean };
    case "int64":
      return { kind: "int64", value: BigInt(value as Int64) };
    case "date":
      return { kind: "date", days: value as number };
    case "timestamp":
      return { kind: "timestamp", micros: value as bigint };
    case "party":
      return { kind: "party", value: value as string };
    case "text":
      return { kind: "text", value: textOf(value as string, shown) };
    case "numeric":
      assert(value instanceof Numeric, "a numeric");
      return { kind: "numeric", unscaled: value.unscaled, scale: value.scale };
    case "contractId":
      assert(value instanceof ContractId, "a contract id");
      return { kind: "contractId", hex: value.hex };
    case "optional":
      return { kind: "optional", value: value instanceof Some ? labelledValue(type.element, value.value, shown) : undefined };
    case "list":
      return { kind: "list", elements: elementsOf(value as List, (element) => labelledValue(type.element, element, shown), shown) };
    case "textMap":
      return { kind: "textMap", entries: entriesOf(value, (key) => textOf(key as string, shown), type.value, shown) };
    case "genMap":
      return { kind: "genMap", entries: entriesOf(value, (key) => labelledValue(type.key, key, shown), type.value, shown) };
    case "record": {
      if (!goesOn(shown)) return { kind: "unit" };
      const fields = type.fields.map((field, i) => ({
        label: field.name,
        value: labelledValue(field.type, (value as readonly Value[])[i] as Value, shown),
      }));
      return { kind: "record", typeId: showId(type.id), fields };
    }
    case "variant": {
      if (!goesOn(shown)) return { kind: "unit" };
      assert(value instanceof Variant, "a variant");
      const constructor_ = type.constructors[value.rank];
      assert(constructor_ !== undefined, "a constructor of its variant");
      return {
        kind: "variant",
        typeId: showId(type.id),
        constructor_: value.constructor_,
        value: labelledValue(constructor_.type, value.value, shown),
      };
    }
    case "enum":
      assert(value instanceof EnumValue, "an enum");
      return { kind: "enum", typeId: showId(type.id), constructor_: value.constructor_ };
  }
}

/** Whether something is shown that begins here; it takes a character at least. */
function goesOn(shown: Shown): boolean {
  if (shown.charsLeft <= 0) return false;
  shown.charsLeft -= 1;
  return true;
}

function textOf(text: string, shown: Shown): string {
  const cut = text.slice(0, shown.charsLeft);
  shown.charsLeft -= cut.length;
  return cut;
}

function elementsOf(list: List, label: (element: Value) => LedgerValue, shown: Shown): LedgerValue[] {
  const elements: LedgerValue[] = [];
  for (let cell = list; cell instanceof Cons && goesOn(shown); cell = cell.tail) elements.push(label(cell.head));
  return elements;
}

function entriesOf<K>(map: Value, labelKey: (key: Value) => K, type: ValueType, shown: Shown): (readonly [K, LedgerValue])[] {
  const entries: (readonly [K, LedgerValue])[] = [];
  for (const [key, item] of (map as LfMap).entries()) {
    if (!goesOn(shown)) break;
    entries.push([labelKey(key), labelledValue(type, item, shown)]);
  }
  return entries;
}
