import { limits } from "../../config.js";
import { fatal, type FatalError } from "../errors.js";
import type { LedgerField, LedgerValue } from "./ledger-value.js";
import { malformedText } from "./text.js";
import type { RecordType, ValueType } from "./value-type.js";
import {
  Cons, type ContractId, type EnumValue, type LfMap, type List, None, type Numeric, type Optional, type RecordValue, type Value, type Variant,
} from "./value.js";

/**
 * Normalises a run-time value: no labels, no type ids, trailing None fields dropped. Throws `FatalError` ValueNesting or
 * MalformedText. The value is trusted to be of the type: compiled code made it.
 */
export function toLedgerValue(type: ValueType, value: Value): LedgerValue { return convert(type, value, 0); }

const unitValue: LedgerValue = { kind: "unit" };
const trueValue: LedgerValue = { kind: "bool", value: true };
const falseValue: LedgerValue = { kind: "bool", value: false };
const noneValue: LedgerValue = { kind: "optional", value: undefined };

function convert(type: ValueType, value: Value, nesting: number): LedgerValue {
  if (nesting > limits.valueNestingMax) throw valueNesting();
  switch (type.kind) {
    case "unit": return unitValue;
    case "bool": return value === true ? trueValue : falseValue;
    case "int64": return { kind: "int64", value: value as bigint };
    case "date": return { kind: "date", days: value as number };
    case "timestamp": return { kind: "timestamp", micros: value as bigint };
    case "numeric": return { kind: "numeric", unscaled: (value as Numeric).unscaled, scale: (value as Numeric).scale };
    case "party": return { kind: "party", value: value as string };
    case "text": return { kind: "text", value: wellFormed(value as string) };
    case "contractId": return { kind: "contractId", hex: (value as ContractId).hex };
    case "optional": return optional(type.element, value as Optional, nesting);
    case "list": return { kind: "list", elements: list(type.element, value as List, nesting) };
    case "textMap": return { kind: "textMap", entries: textMap(type.value, value as LfMap, nesting) };
    case "genMap": return { kind: "genMap", entries: genMap(type.key, type.value, value as LfMap, nesting) };
    case "record": return { kind: "record", fields: record(type, value as RecordValue, nesting) };
    case "variant": {
      const { rank, constructor_, value: payload } = value as Variant;
      return { kind: "variant", constructor_, value: convert(type.constructors[rank]!.type, payload, nesting + 1) };
    }
    case "enum": return { kind: "enum", constructor_: (value as EnumValue).constructor_ };
  }
}

function optional(element: ValueType, value: Optional, nesting: number): LedgerValue {
  return value instanceof None ? noneValue : { kind: "optional", value: convert(element, value.value, nesting + 1) };
}

function list(element: ValueType, value: List, nesting: number): LedgerValue[] {
  const elements: LedgerValue[] = [];
  for (let cell = value; cell instanceof Cons; cell = cell.tail) elements.push(convert(element, cell.head, nesting + 1));
  return elements;
}

function textMap(type: ValueType, map: LfMap, nesting: number): (readonly [string, LedgerValue])[] {
  const entries: (readonly [string, LedgerValue])[] = [];
  for (const [key, value] of map.entries()) entries.push([wellFormed(key as string), convert(type, value, nesting + 1)]);
  return entries;
}

function genMap(keyType: ValueType, valueType: ValueType, map: LfMap, nesting: number): (readonly [LedgerValue, LedgerValue])[] {
  const entries: (readonly [LedgerValue, LedgerValue])[] = [];
  for (const [key, value] of map.entries()) entries.push([convert(keyType, key, nesting + 1), convert(valueType, value, nesting + 1)]);
  return entries;
}

function record(type: RecordType, value: RecordValue, nesting: number): LedgerField[] {
  const fields: LedgerField[] = [];
  let size = value.length;
  while (size > 0 && value[size - 1] instanceof None) size--;
  for (let i = 0; i < size; i++) fields.push({ value: convert(type.fields[i]!.type, value[i]!, nesting + 1) });
  return fields;
}

function wellFormed(text: string): string {
  const wrong = malformedText(text);
  if (wrong !== undefined) throw fatal("MalformedText", `Text is malformed: ${wrong}`, { err: wrong });
  return text;
}

const valueNesting = (): FatalError =>
  fatal("ValueNesting", `value exceeds the maximum nesting of ${limits.valueNestingMax}`, { limit: limits.valueNestingMax });
