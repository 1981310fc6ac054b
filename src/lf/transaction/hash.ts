/**
 * Hashes of contracts and contract keys over the typed normal form: types and labels are hashed by name and
 * package ids are not, so versions of a package that keep their names give the same hash.
 */
import { assert } from "../../base/assert.js";
import type { LedgerField, LedgerValue } from "../value/index.js";
import type { RecordType, ValueType } from "../conversion/index.js";
import { HashWriter } from "./hash-writer.js";

export interface QualifiedName {
  readonly module: string;
  readonly name: string;
}

/** First bytes of what is hashed: algorithm version and purpose. */
const contractPrefix = Uint8Array.of(3, 5);
const keyPrefix = Uint8Array.of(3, 9, 1);

const tags = {
  int64: 0,
  numeric: 1,
  text: 2,
  timestamp: 3,
  party: 4,
  bool: 5,
  unit: 6,
  date: 7,
  record: 8,
  variant: 9,
  enum: 10,
  list: 11,
  optional: 12,
  textMap: 13,
  genMap: 14,
  contractId: 15,
} as const satisfies Record<LedgerValue["kind"], number>;
const endOfRecord = 0xff;

const writer = new HashWriter();

/** The hash of a contract's argument. Contract ids in it must have their suffix. */
export function contractHash(packageName: string, template: QualifiedName, type: ValueType, argument: LedgerValue): Uint8Array {
  return contract(packageName, template, type, argument).sha256();
}

/** The same, written to `out`. */
export function writeContractHash(
  out: HashWriter,
  {
    packageName,
    template,
    type,
    argument,
  }: { readonly packageName: string; readonly template: QualifiedName; readonly type: ValueType; readonly argument: LedgerValue },
): void {
  out.sha256Of(contract(packageName, template, type, argument));
}

/** The hash under which the contracts with one key are found; 32 bytes. */
export function keyHash(packageName: string, template: QualifiedName, type: ValueType, key: LedgerValue): Uint8Array {
  return typed(writer.reset().bytes(keyPrefix).text(packageName).qualifiedName(template), type, key).sha256();
}

/** What is hashed of a contract. */
function contract(packageName: string, template: QualifiedName, type: ValueType, argument: LedgerValue): HashWriter {
  // A template is named like the type of its payload.
  if (type.kind === "record" && argument.kind === "record" && type.id.name === template.name && type.id.module === template.module) {
    const parts = partsOf(type);
    return record(writer.reset().bytes(headOf(packageName, parts)), type, argument.fields, parts);
  }
  return typed(writer.reset().bytes(contractPrefix).text(packageName).qualifiedName(template), type, argument);
}

/** Parts of what is hashed that are the same for every value of a type. */
interface RecordParts {
  /** The name of the type. */
  readonly name: Uint8Array;
  /** Of each field its name and the tag of its type. */
  readonly fields: readonly Uint8Array[];
  /** What stands before the fields of a contract, of a package with this name. */
  head?: { readonly packageName: string; readonly bytes: Uint8Array };
}
const recordParts = new WeakMap<RecordType, RecordParts>();

const encoded = (write: (out: HashWriter) => void): Uint8Array => {
  const out = new HashWriter();
  write(out);
  return Uint8Array.from(out.written);
};

function partsOf(type: RecordType): RecordParts {
  const known = recordParts.get(type);
  if (known !== undefined) return known;
  const parts = {
    name: encoded((out) => out.qualifiedName(type.id)),
    fields: type.fields.map((field) => encoded((out) => out.text(field.name).byte(tags[field.type.kind]))),
  };
  recordParts.set(type, parts);
  return parts;
}

function headOf(packageName: string, parts: RecordParts): Uint8Array {
  if (parts.head?.packageName !== packageName) {
    parts.head = {
      packageName,
      bytes: encoded((out) => out.bytes(contractPrefix).text(packageName).bytes(parts.name).byte(tags.record).bytes(parts.name)),
    };
  }
  return parts.head.bytes;
}

function typed(out: HashWriter, type: ValueType, value: LedgerValue): HashWriter {
  content(out.byte(tags[value.kind]), type, value);
  return out;
}

/** What stands behind the tag. */
function content(out: HashWriter, type: ValueType, value: LedgerValue): void {
  assert(type.kind === value.kind, "a normalised value has its type");
  switch (value.kind) {
    case "int64":
      out.int64(value.value);
      break;
    case "numeric":
      bigInteger(out, value.unscaled);
      break;
    case "text":
    case "party":
      out.text(value.value);
      break;
    case "timestamp":
      out.int64(value.micros);
      break;
    case "bool":
      out.byte(value.value ? 1 : 0);
      break;
    case "unit":
      break;
    case "date":
      out.int32(value.days);
      break;
    case "contractId":
      out.int32(value.hex.length >>> 1).hex(value.hex);
      break;
    default:
      container(out, type, value);
  }
}

type Container = Extract<LedgerValue, { kind: "optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum" }>;

function container(out: HashWriter, type: ValueType, value: Container): void {
  switch (value.kind) {
    case "optional":
      assert(type.kind === "optional", "checked by the caller");
      out.byte(value.value === undefined ? 0 : 1);
      if (value.value !== undefined) typed(out, type.element, value.value);
      break;
    case "list":
      assert(type.kind === "list", "checked by the caller");
      out.int32(value.elements.length);
      for (const element of value.elements) typed(out, type.element, element);
      break;
    case "textMap":
      assert(type.kind === "textMap", "checked by the caller");
      out.int32(value.entries.length);
      for (const [key, entry] of value.entries) typed(out.text(key), type.value, entry);
      break;
    case "genMap":
      assert(type.kind === "genMap", "checked by the caller");
      out.int32(value.entries.length);
      for (const [key, entry] of value.entries) {
        typed(out, type.key, key);
        typed(out, type.value, entry);
      }
      break;
    case "record": {
      assert(type.kind === "record", "checked by the caller");
      const parts = partsOf(type);
      record(out.bytes(parts.name), type, value.fields, parts);
      break;
    }
    case "variant":
    case "enum":
      data(out, type, value);
      break;
  }
}

/** Behind its name. */
function record(
  out: HashWriter,
  { fields: types }: RecordType,
  fields: readonly LedgerField[],
  { fields: heads }: RecordParts,
): HashWriter {
  for (let i = 0; i < fields.length; i++) content(out.bytes(heads[i]!), types[i]!.type, fields[i]!.value);
  return out.byte(endOfRecord);
}

function data(out: HashWriter, type: ValueType, value: Extract<LedgerValue, { kind: "variant" | "enum" }>): void {
  assert(type.kind === "variant" || type.kind === "enum", "checked by the caller");
  const rank = type.rankOf(value.constructor_);
  assert(rank !== undefined, "a normalised value has a constructor of its type");
  out.qualifiedName(type.id).text(value.constructor_).int32(rank);
  if (value.kind === "variant" && type.kind === "variant") typed(out, type.constructors[rank]!.type, value.value);
}

const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

/** Size and two's-complement bytes, as few as hold the sign. */
export function bigInteger(out: HashWriter, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) return longInteger(out, value);
  scratch.setBigInt64(0, value);
  const sign = value < 0n ? 0xff : 0;
  let start = 0;
  while (start < 7 && scratchBytes[start] === sign && (scratchBytes[start + 1]! & 0x80) === (sign & 0x80)) start++;
  out.int32(8 - start);
  for (let i = start; i < 8; i++) out.byte(scratchBytes[i]!);
}

function longInteger(out: HashWriter, value: bigint): void {
  let size = 9;
  while (BigInt.asIntN(size * 8, value) !== value) size++;
  const hex = BigInt.asUintN(size * 8, value)
    .toString(16)
    .padStart(size * 2, "0");
  out.int32(size).hex(hex);
}
