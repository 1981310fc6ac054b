/** Reads message `Value` of the Ledger API. */
import { limits } from "../../config.js";
import {
  compareText,
  checkName,
  checkParty,
  type LedgerField,
  type LedgerValue,
  parseStoredNumeric,
  malformedText,
  dateInRange,
  timestampInRange,
} from "../value/index.js";
import { delimited, type ProtoReader, tagOf, varint, WireType } from "../wire/index.js";
import { checked, ContentFailure, contractId, required } from "./content.js";
import { sum } from "./fields.js";
import { readTypeId } from "./read-identifier.js";

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
  textMap: delimited(sum.textMap),
  genMap: delimited(sum.genMap),
  record: delimited(sum.record),
  variant: delimited(sum.variant),
  enum: delimited(sum.enum),
} as const;

/** A field of type `Value`. */
export function readApiValue(input: ProtoReader, nesting = 0): LedgerValue {
  if (nesting > limits.valueNestingMax) throw new ContentFailure(`a value nests deeper than ${limits.valueNestingMax}`);
  let value: LedgerValue | undefined;
  const outer = input.enter();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) value = readSum(input, tag, nesting + 1) ?? value;
  input.leave(outer);
  return required(value, "the sum of a value");
}

function readSum(input: ProtoReader, tag: number, nesting: number): LedgerValue | undefined {
  switch (tag) {
    case tags.unit:
      input.bytes();
      return { kind: "unit" };
    case tags.bool:
      return { kind: "bool", value: input.bool() };
    case tags.int64:
      return { kind: "int64", value: input.zigzag64() };
    case tags.date:
      return date(input.int32());
    case tags.timestamp:
      return timestamp(input.fixed64());
    case tags.numeric:
      return numeric(input.text());
    case tags.party:
      return { kind: "party", value: checked(checkParty, input.text()) };
    case tags.text:
      return { kind: "text", value: checked(malformedText, input.text()) };
    case tags.contractId:
      return { kind: "contractId", hex: contractId(input.text()) };
    case tags.optional:
      return readOptional(input, nesting);
    case tags.list:
      return readList(input, nesting);
    case tags.textMap:
      return readTextMap(input, nesting);
    case tags.genMap:
      return readGenMap(input, nesting);
    case tags.record:
      return readRecord(input, nesting);
    case tags.variant:
      return readVariant(input, nesting);
    case tags.enum:
      return readEnum(input);
    default:
      input.skip(tag);
      return undefined;
  }
}

function date(days: number): LedgerValue {
  if (!dateInRange(days)) throw new ContentFailure(`date ${days} is out of range`);
  return { kind: "date", days };
}

function timestamp(micros: bigint): LedgerValue {
  if (!timestampInRange(micros)) throw new ContentFailure(`timestamp ${micros} is out of range`);
  return { kind: "timestamp", micros };
}

function numeric(text: string): LedgerValue {
  const parsed = parseStoredNumeric(text);
  if (parsed === undefined) throw new ContentFailure(`could not read Numeric ${JSON.stringify(text.slice(0, 100))}`);
  return { kind: "numeric", unscaled: parsed.unscaled, scale: parsed.scale };
}

// Values come by the thousand, so their messages are read by plain loops.

const [first, second, third] = [delimited(1), delimited(2), delimited(3)] as const;

function readOptional(input: ProtoReader, nesting: number): LedgerValue {
  let value: LedgerValue | undefined;
  const outer = input.enter();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) value = readApiValue(input, nesting);
    else input.skip(tag);
  }
  input.leave(outer);
  return { kind: "optional", value };
}

function readRepeated<T>(input: ProtoReader, read: () => T): T[] {
  const items: T[] = [],
    outer = input.enter();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) items.push(read());
    else input.skip(tag);
  }
  input.leave(outer);
  return items;
}

const readList = (input: ProtoReader, nesting: number): LedgerValue => ({
  kind: "list",
  elements: readRepeated(input, () => readApiValue(input, nesting)),
});
const readGenMap = (input: ProtoReader, nesting: number): LedgerValue => ({
  kind: "genMap",
  entries: readRepeated(input, () => readGenMapEntry(input, nesting)),
});

function readTextMap(input: ProtoReader, nesting: number): LedgerValue {
  const entries = readRepeated(input, () => readTextMapEntry(input, nesting));
  entries.sort(([left], [right]) => compareText(left, right));
  const repeated = entries.find(([key], index) => entries[index - 1]?.[0] === key);
  if (repeated !== undefined) throw new ContentFailure(`text map key ${JSON.stringify(repeated[0])} is given twice`);
  return { kind: "textMap", entries };
}

function readTextMapEntry(input: ProtoReader, nesting: number): readonly [string, LedgerValue] {
  let key = "",
    value: LedgerValue | undefined;
  const outer = input.enter();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) key = checked(malformedText, input.text());
    else if (tag === second) value = readApiValue(input, nesting);
    else input.skip(tag);
  }
  input.leave(outer);
  return [key, required(value, "the value of a map entry")];
}

function readGenMapEntry(input: ProtoReader, nesting: number): readonly [LedgerValue, LedgerValue] {
  let key: LedgerValue | undefined, value: LedgerValue | undefined;
  const outer = input.enter();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) key = readApiValue(input, nesting);
    else if (tag === second) value = readApiValue(input, nesting);
    else input.skip(tag);
  }
  input.leave(outer);
  return [required(key, "the key of a map entry"), required(value, "the value of a map entry")];
}

function readRecord(input: ProtoReader, nesting: number): LedgerValue {
  const fields: LedgerField[] = [],
    outer = input.enter();
  let typeId: string | undefined;
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) typeId = readTypeId(input);
    else if (tag === second) fields.push(readField(input, nesting));
    else input.skip(tag);
  }
  input.leave(outer);
  return { kind: "record", fields, ...typed(typeId) };
}

function readField(input: ProtoReader, nesting: number): LedgerField {
  let label = "",
    value: LedgerValue | undefined;
  const outer = input.enter();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) label = input.text();
    else if (tag === second) value = readApiValue(input, nesting);
    else input.skip(tag);
  }
  input.leave(outer);
  const given = required(value, "the value of a record field");
  return label === "" ? { value: given } : { label: checked(checkName, label), value: given };
}

/** A variant, or an enum, which has no value: then without nesting. */
function readConstructor(
  input: ProtoReader,
  nesting: number | undefined,
): { readonly constructor_: string; readonly typeId?: string; readonly value: LedgerValue | undefined } {
  let typeId: string | undefined,
    constructor_ = "",
    value: LedgerValue | undefined;
  const outer = input.enter();
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    if (tag === first) typeId = readTypeId(input);
    else if (tag === second) constructor_ = input.text();
    else if (tag === third && nesting !== undefined) value = readApiValue(input, nesting);
    else input.skip(tag);
  }
  input.leave(outer);
  return { constructor_: checked(checkName, constructor_), value, ...typed(typeId) };
}

function readVariant(input: ProtoReader, nesting: number): LedgerValue {
  const { value, ...rest } = readConstructor(input, nesting);
  return { kind: "variant", ...rest, value: required(value, "the value of a variant") };
}

function readEnum(input: ProtoReader): LedgerValue {
  const { value: _, ...rest } = readConstructor(input, undefined);
  return { kind: "enum", ...rest };
}

const typed = (typeId: string | undefined): { readonly typeId?: string } => (typeId === undefined ? {} : { typeId });
