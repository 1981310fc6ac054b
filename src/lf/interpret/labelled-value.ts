/** A run-time value with labels and type ids and with every field, for the details of errors. */
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

export function labelledValue(type: ValueType, value: Value): LedgerValue {
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
      return { kind: "text", value: value as string };
    case "numeric":
      assert(value instanceof Numeric, "a numeric");
      return { kind: "numeric", unscaled: value.unscaled, scale: value.scale };
    case "contractId":
      assert(value instanceof ContractId, "a contract id");
      return { kind: "contractId", hex: value.hex };
    case "optional":
      return { kind: "optional", value: value instanceof Some ? labelledValue(type.element, value.value) : undefined };
    case "list":
      return { kind: "list", elements: elementsOf(value as List).map((element) => labelledValue(type.element, element)) };
    case "textMap":
      return { kind: "textMap", entries: entriesOf(value).map(([key, item]) => [key as string, labelledValue(type.value, item)] as const) };
    case "genMap":
      return {
        kind: "genMap",
        entries: entriesOf(value).map(([key, item]) => [labelledValue(type.key, key), labelledValue(type.value, item)] as const),
      };
    case "record": {
      const fields = type.fields.map((field, i) => ({
        label: field.name,
        value: labelledValue(field.type, (value as readonly Value[])[i] as Value),
      }));
      return { kind: "record", typeId: showId(type.id), fields };
    }
    case "variant": {
      assert(value instanceof Variant, "a variant");
      const constructor_ = type.constructors[value.rank];
      assert(constructor_ !== undefined, "a constructor of its variant");
      return {
        kind: "variant",
        typeId: showId(type.id),
        constructor_: value.constructor_,
        value: labelledValue(constructor_.type, value.value),
      };
    }
    case "enum":
      assert(value instanceof EnumValue, "an enum");
      return { kind: "enum", typeId: showId(type.id), constructor_: value.constructor_ };
  }
}

function elementsOf(list: List): Value[] {
  const elements: Value[] = [];
  for (let cell = list; cell instanceof Cons; cell = cell.tail) elements.push(cell.head);
  return elements;
}

const entriesOf = (value: Value): (readonly [Value, Value])[] => [...(value as LfMap).entries()];
