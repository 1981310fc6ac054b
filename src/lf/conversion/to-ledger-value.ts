import { limits } from "../../config.js";
import { fatal, type FatalError } from "../errors.js";
import {
  type Int64,
  type LedgerField,
  type LedgerValue,
  malformedText,
  Cons,
  type ContractId,
  type EnumValue,
  type LfMap,
  type List,
  None,
  type Numeric,
  type Optional,
  type RecordValue,
  type Value,
  type Variant,
} from "../value/index.js";
import type { RecordType, ValueType } from "./value-type.js";

/** How many more bytes may be written. Parts that a value shares count as often as they are written. */
export interface Allowance {
  bytes: number;
}

const unbounded: Allowance = { bytes: Infinity };
/** Every part of a value takes some, for its tag and its size. */
const partBytes = 16;

/**
 * Normalises a run-time value: no labels, no type ids, trailing None fields dropped. Throws `FatalError` ValueNesting,
 * MalformedText or, when the allowance is used up, LimitExceeded. The value is trusted to be of the type: compiled code made it.
 */
export function toLedgerValue(type: ValueType, value: Value, allowance = unbounded): LedgerValue {
  return convert(type, value, 0, allowance);
}

const unitValue: LedgerValue = { kind: "unit" };
const trueValue: LedgerValue = { kind: "bool", value: true };
const falseValue: LedgerValue = { kind: "bool", value: false };
const noneValue: LedgerValue = { kind: "optional", value: undefined };

function convert(type: ValueType, value: Value, nesting: number, allowance: Allowance): LedgerValue {
  if (nesting > limits.valueNestingMax) throw valueNesting();
  spend(allowance, partBytes);
  switch (type.kind) {
    case "unit":
      return unitValue;
    case "bool":
      return value === true ? trueValue : falseValue;
    case "int64":
      return { kind: "int64", value: BigInt(value as Int64) };
    case "date":
      return { kind: "date", days: value as number };
    case "timestamp":
      return { kind: "timestamp", micros: value as bigint };
    case "numeric":
      return { kind: "numeric", unscaled: (value as Numeric).unscaled, scale: (value as Numeric).scale };
    case "party":
      return { kind: "party", value: value as string };
    case "text":
      return { kind: "text", value: text(value as string, allowance) };
    case "contractId":
      return { kind: "contractId", hex: (value as ContractId).hex };
    case "optional":
      return optional(type.element, value as Optional, nesting, allowance);
    case "list":
      return { kind: "list", elements: list(type.element, value as List, nesting, allowance) };
    case "textMap":
      return { kind: "textMap", entries: textMap(type.value, value as LfMap, nesting, allowance) };
    case "genMap":
      return { kind: "genMap", entries: genMap(type.key, type.value, value as LfMap, nesting, allowance) };
    case "record":
      return { kind: "record", fields: record(type, value as RecordValue, nesting, allowance) };
    case "variant": {
      const { rank, constructor_, value: payload } = value as Variant;
      return { kind: "variant", constructor_, value: convert(type.constructors[rank]!.type, payload, nesting + 1, allowance) };
    }
    case "enum":
      return { kind: "enum", constructor_: (value as EnumValue).constructor_ };
  }
}

function optional(element: ValueType, value: Optional, nesting: number, allowance: Allowance): LedgerValue {
  return value instanceof None ? noneValue : { kind: "optional", value: convert(element, value.value, nesting + 1, allowance) };
}

function list(element: ValueType, value: List, nesting: number, allowance: Allowance): LedgerValue[] {
  const elements: LedgerValue[] = [];
  for (let cell = value; cell instanceof Cons; cell = cell.tail) elements.push(convert(element, cell.head, nesting + 1, allowance));
  return elements;
}

function textMap(type: ValueType, map: LfMap, nesting: number, allowance: Allowance): (readonly [string, LedgerValue])[] {
  const entries: (readonly [string, LedgerValue])[] = [];
  for (const [key, value] of map.entries()) entries.push([text(key as string, allowance), convert(type, value, nesting + 1, allowance)]);
  return entries;
}

function genMap(
  keyType: ValueType,
  valueType: ValueType,
  map: LfMap,
  nesting: number,
  allowance: Allowance,
): (readonly [LedgerValue, LedgerValue])[] {
  const entries: (readonly [LedgerValue, LedgerValue])[] = [];
  for (const [key, value] of map.entries())
    entries.push([convert(keyType, key, nesting + 1, allowance), convert(valueType, value, nesting + 1, allowance)]);
  return entries;
}

function record(type: RecordType, value: RecordValue, nesting: number, allowance: Allowance): LedgerField[] {
  let size = value.length;
  while (size > 0 && value[size - 1] instanceof None) size--;
  const fields = new Array<LedgerField>(size),
    types = type.fields;
  for (let i = 0; i < size; i++) fields[i] = { value: convert(types[i]!.type, value[i]!, nesting + 1, allowance) };
  return fields;
}

function text(value: string, allowance: Allowance): string {
  spend(allowance, value.length);
  const wrong = malformedText(value);
  if (wrong !== undefined) throw fatal("MalformedText", `Text is malformed: ${wrong}`, { err: wrong });
  return value;
}

function spend(allowance: Allowance, bytes: number): void {
  if ((allowance.bytes -= bytes) < 0)
    throw fatal("LimitExceeded", "the limit transactionBytesMax was exceeded", { limit: "transactionBytesMax" });
}

const valueNesting = (): FatalError =>
  fatal("ValueNesting", `value exceeds the maximum nesting of ${limits.valueNestingMax}`, { limit: limits.valueNestingMax });
