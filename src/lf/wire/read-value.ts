/** Reads message `Value` (`proto/value.proto`): refuses what no ledger value has. Failures are thrown as `WireFailure`. */
import { limits } from "../../config.js";
import {
  compareText,
  parseContractId,
  checkName,
  checkParty,
  type LedgerField,
  type LedgerValue,
  parseStoredNumeric,
  malformedText,
  dateInRange,
  timestampInRange,
} from "../value/index.js";
import { absent, checkedText, delimited, givenTwice, type ProtoReader, tagOf, unknownField, varint, WireFailure } from "./proto-reader.js";
import { WireType } from "./proto-writer.js";
import { sum } from "./write-value.js";

const tags = {
  unit: delimited(sum.unit),
  bool: varint(sum.bool),
  int64: varint(sum.int64),
  date: varint(sum.date),
  timestamp: tagOf(sum.timestamp, WireType.fixed64),
  numeric: delimited(sum.numeric),
  party: delimited(sum.party),
  text: delimited(sum.text),
  contractId: delimited(sum.contractId),
  optional: delimited(sum.optional),
  list: delimited(sum.list),
  genMap: delimited(sum.genMap),
  record: delimited(sum.record),
  variant: delimited(sum.variant),
  enum: delimited(sum.enum),
  textMap: delimited(sum.textMap),
  first: delimited(1),
  second: delimited(2),
} as const;

/** Reads the fields of a `Value` up to the end that the reader is limited to. */
export function readValue(input: ProtoReader, nesting: number): LedgerValue {
  if (nesting > limits.valueNestingMax) throw new WireFailure(`value nests deeper than ${limits.valueNestingMax}`);
  const tag = input.tag();
  if (tag === 0) throw absent("the sum of a value");
  const value = readSum(input, tag, nesting + 1);
  if (!input.atEnd) throw new WireFailure("value has more than one field");
  return value;
}

function readSum(input: ProtoReader, tag: number, nesting: number): LedgerValue {
  switch (tag) {
    case tags.unit:
      return readUnit(input);
    case tags.bool:
      return { kind: "bool", value: input.bool() };
    case tags.int64:
      return { kind: "int64", value: input.zigzag64() };
    case tags.date:
      return readDate(input.int32());
    case tags.timestamp:
      return readTimestamp(input.fixed64());
    case tags.numeric:
      return readNumeric(input.text());
    case tags.party:
      return { kind: "party", value: checkedText(checkParty, input.text()) };
    case tags.text:
      return { kind: "text", value: checkedText(malformedText, input.text()) };
    case tags.contractId:
      return { kind: "contractId", hex: readContractId(input) };
  }
  const outer = input.enter();
  const value = readContainer(input, tag, nesting);
  input.leave(outer);
  return value;
}

function readContainer(input: ProtoReader, tag: number, nesting: number): LedgerValue {
  switch (tag) {
    case tags.optional:
      return readOptional(input, nesting);
    case tags.list:
      return { kind: "list", elements: readRepeated(input, "Value.List", () => readValue(input, nesting)) };
    case tags.genMap:
      return { kind: "genMap", entries: readRepeated(input, "Value.Map", () => readMapEntry(input, nesting)) };
    case tags.textMap:
      return readTextMap(input, nesting);
    case tags.record:
      return { kind: "record", fields: readRepeated(input, "Value.Record", () => readField(input, nesting)) };
    case tags.variant:
      return readVariant(input, nesting);
    case tags.enum:
      return { kind: "enum", constructor_: readEnum(input) };
    default:
      throw unknownField("Value", tag);
  }
}

const unitValue: LedgerValue = { kind: "unit" };
function readUnit(input: ProtoReader): LedgerValue {
  const outer = input.enter();
  const tag = input.tag();
  if (tag !== 0) throw unknownField("Empty", tag);
  input.leave(outer);
  return unitValue;
}

function readDate(days: number): LedgerValue {
  if (!dateInRange(days)) throw new WireFailure(`date ${days} is out of range`);
  return { kind: "date", days };
}

function readTimestamp(micros: bigint): LedgerValue {
  if (!timestampInRange(micros)) throw new WireFailure(`timestamp ${micros} is out of range`);
  return { kind: "timestamp", micros };
}

function readNumeric(text: string): LedgerValue {
  const numeric = parseStoredNumeric(text);
  if (numeric === undefined) throw new WireFailure(`could not read Numeric ${JSON.stringify(text.slice(0, 100))}`);
  return { kind: "numeric", unscaled: numeric.unscaled, scale: numeric.scale };
}

export function readContractId(input: ProtoReader): string {
  const hex = input.hex();
  const parts = parseContractId(hex);
  if (parts.error !== undefined) throw new WireFailure(parts.error.message);
  return hex;
}

function readRepeated<T>(input: ProtoReader, message: string, read: () => T): T[] {
  const elements: T[] = [];
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag !== tags.first) throw unknownField(message, tag);
    const outer = input.enter();
    elements.push(read());
    input.leave(outer);
  }
  return elements;
}

/** None is an absent value, and so is an empty one. */
function readOptional(input: ProtoReader, nesting: number): LedgerValue {
  const values = readRepeated(input, "Value.Optional", () => (input.atEnd ? undefined : readValue(input, nesting)));
  if (values.length > 1) throw givenTwice("Value.Optional.value");
  return { kind: "optional", value: values[0] };
}

function readField(input: ProtoReader, nesting: number): LedgerField {
  const values = readRepeated(input, "Value.Record.Field", () => readValue(input, nesting));
  if (values.length !== 1) throw values.length === 0 ? absent("Value.Record.Field.value") : givenTwice("Value.Record.Field.value");
  return { value: values[0]! };
}

function readMapEntry(input: ProtoReader, nesting: number): readonly [LedgerValue, LedgerValue] {
  let key: LedgerValue | undefined;
  let value: LedgerValue | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === tags.first && key === undefined) key = readNested(input, nesting);
    else if (tag === tags.second && value === undefined) value = readNested(input, nesting);
    else throw unknownField("Value.Map.Entry", tag);
  }
  if (key === undefined || value === undefined) throw absent("key or value of a map entry");
  return [key, value];
}

/** Entries may come in any order; a key may come once. */
function readTextMap(input: ProtoReader, nesting: number): LedgerValue {
  const entries = readRepeated(input, "Value.TextMap", () => readTextMapEntry(input, nesting));
  entries.sort(([left], [right]) => compareText(left, right));
  for (let i = 1; i < entries.length; i++) {
    if (entries[i]![0] === entries[i - 1]![0]) throw givenTwice(`text map key ${JSON.stringify(entries[i]![0])}`);
  }
  return { kind: "textMap", entries };
}

function readTextMapEntry(input: ProtoReader, nesting: number): readonly [string, LedgerValue] {
  let key: string | undefined;
  let value: LedgerValue | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === tags.first && key === undefined) key = checkedText(malformedText, input.text());
    else if (tag === tags.second && value === undefined) value = readNested(input, nesting);
    else throw unknownField("Value.TextMap.Entry", tag);
  }
  if (value === undefined) throw absent("Value.TextMap.Entry.value");
  return [key ?? "", value];
}

function readVariant(input: ProtoReader, nesting: number): LedgerValue {
  let constructor_: string | undefined;
  let value: LedgerValue | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === tags.first && constructor_ === undefined) constructor_ = checkedText(checkName, input.text());
    else if (tag === tags.second && value === undefined) value = readNested(input, nesting);
    else throw unknownField("Value.Variant", tag);
  }
  if (constructor_ === undefined || value === undefined) throw absent("constructor or value of a variant");
  return { kind: "variant", constructor_, value };
}

function readEnum(input: ProtoReader): string {
  const tag = input.tag();
  if (tag !== tags.first) throw tag === 0 ? absent("Value.Enum.value") : unknownField("Value.Enum", tag);
  const constructor_ = checkedText(checkName, input.text());
  if (!input.atEnd) throw givenTwice("Value.Enum.value");
  return constructor_;
}

function readNested(input: ProtoReader, nesting: number): LedgerValue {
  const outer = input.enter();
  const value = readValue(input, nesting);
  input.leave(outer);
  return value;
}
