/** Reads message `Value` of the Ledger API. Unknown fields are skipped: nothing that is signed depends on them. */
import { limits } from "../../config.js";
import type { DefinitionId } from "../ast.js";
import { compareText } from "../runtime/text.js";
import { parseContractId } from "../value/contract-id-format.js";
import { checkDottedName, checkName, checkPackageId, checkParty } from "../value/identifiers.js";
import type { LedgerField, LedgerValue } from "../value/ledger-value.js";
import { parseStoredNumeric } from "../value/numeric.js";
import type { ProtoReader } from "../value/proto-reader.js";
import { tagOf } from "../value/proto-reader.js";
import { WireType } from "../value/proto-writer.js";
import { malformedText } from "../value/text.js";
import { dateInRange, timestampInRange } from "../value/time.js";
import { sum } from "./fields.js";

/** Well-formed bytes that say something impossible; caught where a prepared transaction is read. */
export class ContentFailure extends Error {
  override readonly name = "ContentFailure";
}

export const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new ContentFailure(`${what} is missing`);
  return value;
};

export function checked(check: (text: string) => string | undefined, text: string): string {
  const wrong = check(text);
  if (wrong !== undefined) throw new ContentFailure(wrong);
  return text;
}

const delimited = (field: number): number => tagOf(field, WireType.delimited);

/** Reads the fields of the nested message that the reader has come to; the last of a field wins. */
export function readMessage(input: ProtoReader, fields: Readonly<Record<number, (input: ProtoReader) => void>>): void {
  const outer = input.enter();
  readFields(input, fields);
  input.leave(outer);
}

export function readFields(input: ProtoReader, fields: Readonly<Record<number, (input: ProtoReader) => void>>): void {
  for (let tag = input.tag(); tag !== 0; tag = input.tag()) {
    const read = fields[tag];
    if (read === undefined) input.skip(tag);
    else read(input);
  }
}

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
    case delimited(sum.unit): input.bytes(); return { kind: "unit" };
    case tagOf(sum.bool, WireType.varint): return { kind: "bool", value: input.bool() };
    case tagOf(sum.int64, WireType.varint): return { kind: "int64", value: input.zigzag64() };
    case tagOf(sum.date, WireType.varint): return date(input.int32());
    case tagOf(sum.timestamp, WireType.fixed64): return timestamp(input.fixed64());
    case delimited(sum.numeric): return numeric(input.text());
    case delimited(sum.party): return { kind: "party", value: checked(checkParty, input.text()) };
    case delimited(sum.text): return { kind: "text", value: checked(malformedText, input.text()) };
    case delimited(sum.contractId): return { kind: "contractId", hex: contractId(input.text()) };
    case delimited(sum.optional): return readOptional(input, nesting);
    case delimited(sum.list): return readList(input, nesting);
    case delimited(sum.textMap): return readTextMap(input, nesting);
    case delimited(sum.genMap): return readGenMap(input, nesting);
    case delimited(sum.record): return readRecord(input, nesting);
    case delimited(sum.variant): return readVariant(input, nesting);
    case delimited(sum.enum): return readEnum(input);
    default: input.skip(tag); return undefined;
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

export function contractId(hex: string): string {
  const parsed = parseContractId(hex);
  if (parsed.error !== undefined) throw new ContentFailure(parsed.error.message);
  return hex;
}

function readOptional(input: ProtoReader, nesting: number): LedgerValue {
  let value: LedgerValue | undefined;
  readMessage(input, { [delimited(1)]: () => { value = readApiValue(input, nesting); } });
  return { kind: "optional", value };
}

function readList(input: ProtoReader, nesting: number): LedgerValue {
  const elements: LedgerValue[] = [];
  readMessage(input, { [delimited(1)]: () => { elements.push(readApiValue(input, nesting)); } });
  return { kind: "list", elements };
}

function readTextMap(input: ProtoReader, nesting: number): LedgerValue {
  const entries: (readonly [string, LedgerValue])[] = [];
  readMessage(input, { [delimited(1)]: () => {
    let key = "", value: LedgerValue | undefined;
    readMessage(input, { [delimited(1)]: () => { key = checked(malformedText, input.text()); }, [delimited(2)]: () => { value = readApiValue(input, nesting); } });
    entries.push([key, required(value, "the value of a map entry")]);
  } });
  entries.sort(([left], [right]) => compareText(left, right));
  const repeated = entries.find(([key], index) => entries[index - 1]?.[0] === key);
  if (repeated !== undefined) throw new ContentFailure(`text map key ${JSON.stringify(repeated[0])} is given twice`);
  return { kind: "textMap", entries };
}

function readGenMap(input: ProtoReader, nesting: number): LedgerValue {
  const entries: (readonly [LedgerValue, LedgerValue])[] = [];
  readMessage(input, { [delimited(1)]: () => {
    let key: LedgerValue | undefined, value: LedgerValue | undefined;
    readMessage(input, { [delimited(1)]: () => { key = readApiValue(input, nesting); }, [delimited(2)]: () => { value = readApiValue(input, nesting); } });
    entries.push([required(key, "the key of a map entry"), required(value, "the value of a map entry")]);
  } });
  return { kind: "genMap", entries };
}

function readRecord(input: ProtoReader, nesting: number): LedgerValue {
  const fields: LedgerField[] = [];
  let typeId: string | undefined;
  readMessage(input, {
    [delimited(1)]: () => { typeId = readTypeId(input); },
    [delimited(2)]: () => { fields.push(readField(input, nesting)); },
  });
  return { kind: "record", fields, ...typed(typeId) };
}

function readField(input: ProtoReader, nesting: number): LedgerField {
  let label = "", value: LedgerValue | undefined;
  readMessage(input, { [delimited(1)]: () => { label = input.text(); }, [delimited(2)]: () => { value = readApiValue(input, nesting); } });
  const given = required(value, "the value of a record field");
  return label === "" ? { value: given } : { label: checked(checkName, label), value: given };
}

function readVariant(input: ProtoReader, nesting: number): LedgerValue {
  let typeId: string | undefined, constructor_ = "", value: LedgerValue | undefined;
  readMessage(input, {
    [delimited(1)]: () => { typeId = readTypeId(input); },
    [delimited(2)]: () => { constructor_ = input.text(); },
    [delimited(3)]: () => { value = readApiValue(input, nesting); },
  });
  return { kind: "variant", constructor_: checked(checkName, constructor_), value: required(value, "the value of a variant"), ...typed(typeId) };
}

function readEnum(input: ProtoReader): LedgerValue {
  let typeId: string | undefined, constructor_ = "";
  readMessage(input, { [delimited(1)]: () => { typeId = readTypeId(input); }, [delimited(2)]: () => { constructor_ = input.text(); } });
  return { kind: "enum", constructor_: checked(checkName, constructor_), ...typed(typeId) };
}

const typed = (typeId: string | undefined): { readonly typeId?: string } => (typeId === undefined ? {} : { typeId });

function readTypeId(input: ProtoReader): string {
  const { packageId, module, name } = readApiIdentifier(input);
  return `${packageId}:${module}:${name}`;
}

export function readApiIdentifier(input: ProtoReader): DefinitionId {
  let packageId = "", module = "", name = "";
  readMessage(input, {
    [delimited(1)]: () => { packageId = input.text(); },
    [delimited(2)]: () => { module = input.text(); },
    [delimited(3)]: () => { name = input.text(); },
  });
  const wrong = checkPackageId(packageId) ?? checkDottedName(module.split(".")) ?? checkDottedName(name.split("."));
  if (wrong !== undefined) throw new ContentFailure(wrong);
  return { packageId, module, name };
}
