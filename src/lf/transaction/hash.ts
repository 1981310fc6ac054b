/**
 * Hashes of contracts and contract keys over the typed normal form: types and labels are hashed by name and
 * package ids are not, so versions of a package that keep their names give the same hash.
 */
import { assert } from "../../base/assert.js";
import type { LedgerField, LedgerValue } from "../value/ledger-value.js";
import type { RecordType, ValueType } from "../value/value-type.js";
import { HashWriter } from "./hash-writer.js";

export interface QualifiedName { readonly module: string; readonly name: string }

/** First bytes of what is hashed: algorithm version and purpose. */
const contractPrefix = Uint8Array.of(3, 5);
const keyPrefix = Uint8Array.of(3, 9, 1);

const tags = {
  int64: 0, numeric: 1, text: 2, timestamp: 3, party: 4, bool: 5, unit: 6, date: 7, record: 8, variant: 9, enum: 10, list: 11,
  optional: 12, textMap: 13, genMap: 14, contractId: 15,
} as const satisfies Record<LedgerValue["kind"], number>;
const endOfRecord = 0xff;

const writer = new HashWriter();

/** The hash of a contract's argument. Contract ids in it must have their suffix. */
export function contractHash(packageName: string, template: QualifiedName, type: ValueType, argument: LedgerValue): Uint8Array {
  return hash(contractPrefix, packageName, template, type, argument);
}

/** The hash under which the contracts with one key are found; 32 bytes. */
export function keyHash(packageName: string, template: QualifiedName, type: ValueType, key: LedgerValue): Uint8Array {
  return hash(keyPrefix, packageName, template, type, key);
}

function hash(prefix: Uint8Array, packageName: string, template: QualifiedName, type: ValueType, value: LedgerValue): Uint8Array {
  writer.bytes(prefix).text(packageName);
  // A template is named like the type of its payload.
  if (type.kind === "record" && type.id.name === template.name && type.id.module === template.module) writer.bytes(namesOf(type).record);
  else writer.qualifiedName(template);
  typed(writer, type, value);
  return writer.sha256();
}

/** The names of a record as they are hashed: they are the same for every value of the type. */
interface RecordNames { readonly record: Uint8Array; readonly fields: readonly Uint8Array[] }
const recordNames = new WeakMap<RecordType, RecordNames>();

function namesOf(type: RecordType): RecordNames {
  const known = recordNames.get(type);
  if (known !== undefined) return known;
  const encoded = (write: (out: HashWriter) => void): Uint8Array => {
    const out = new HashWriter();
    write(out);
    return Uint8Array.from(out.written);
  };
  const names = { record: encoded((out) => out.qualifiedName(type.id)), fields: type.fields.map(({ name }) => encoded((out) => out.text(name))) };
  recordNames.set(type, names);
  return names;
}

function typed(out: HashWriter, type: ValueType, value: LedgerValue): void {
  assert(type.kind === value.kind, "a normalised value has its type");
  out.byte(tags[value.kind]);
  switch (value.kind) {
    case "int64": out.int64(value.value); break;
    case "numeric": bigInteger(out, value.unscaled); break;
    case "text": case "party": out.text(value.value); break;
    case "timestamp": out.int64(value.micros); break;
    case "bool": out.byte(value.value ? 1 : 0); break;
    case "unit": break;
    case "date": out.int32(value.days); break;
    case "contractId": out.int32(value.hex.length >>> 1).hex(value.hex); break;
    default: typedContainer(out, type, value);
  }
}

type Container = Extract<LedgerValue, { kind: "optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum" }>;

function typedContainer(out: HashWriter, type: ValueType, value: Container): void {
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
    case "record":
      assert(type.kind === "record", "checked by the caller");
      record(out, type, value.fields);
      break;
    case "variant": case "enum": data(out, type, value); break;
  }
}

function record(out: HashWriter, type: RecordType, fields: readonly LedgerField[]): void {
  const names = namesOf(type);
  out.bytes(names.record);
  for (let i = 0; i < fields.length; i++) typed(out.bytes(names.fields[i]!), type.fields[i]!.type, fields[i]!.value);
  out.byte(endOfRecord);
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
  const hex = BigInt.asUintN(size * 8, value).toString(16).padStart(size * 2, "0");
  out.int32(size).hex(hex);
}
