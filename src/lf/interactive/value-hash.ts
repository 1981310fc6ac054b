/** Values inside the hash that external parties sign: each with the tag of its kind, with type ids and labels. */
import type { DefinitionId } from "../ast.js";
import { HashWriter } from "../transaction/index.js";
import { type LedgerValue, showNumeric } from "../value/index.js";

const tags = {
  unit: 0,
  bool: 1,
  int64: 2,
  numeric: 3,
  timestamp: 4,
  date: 5,
  party: 6,
  text: 7,
  contractId: 8,
  optional: 9,
  list: 10,
  textMap: 11,
  record: 12,
  variant: 13,
  enum: 14,
  genMap: 15,
} as const satisfies Record<LedgerValue["kind"], number>;

export function hashIdentifier(out: HashWriter, id: DefinitionId): void {
  out.text(id.packageId).qualifiedName(id);
}

export function hashValue(out: HashWriter, value: LedgerValue): void {
  out.byte(tags[value.kind]);
  switch (value.kind) {
    case "unit":
      break;
    case "bool":
      out.byte(value.value ? 1 : 0);
      break;
    case "int64":
      out.int64(value.value);
      break;
    case "numeric":
      out.text(showNumeric(value.unscaled, value.scale));
      break;
    case "timestamp":
      out.int64(value.micros);
      break;
    case "date":
      out.int32(value.days);
      break;
    case "party":
    case "text":
      out.text(value.value);
      break;
    case "contractId":
      out.int32(value.hex.length >>> 1).hex(value.hex);
      break;
    default:
      hashContainer(out, value);
  }
}

type Container = Extract<LedgerValue, { kind: "optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum" }>;

function hashContainer(out: HashWriter, value: Container): void {
  switch (value.kind) {
    case "optional":
      out.byte(value.value === undefined ? 0 : 1);
      if (value.value !== undefined) hashValue(out, value.value);
      break;
    case "list":
      out.int32(value.elements.length);
      for (const element of value.elements) hashValue(out, element);
      break;
    case "textMap":
      out.int32(value.entries.length);
      for (const [key, entry] of value.entries) hashValue(out.text(key), entry);
      break;
    case "genMap":
      out.int32(value.entries.length);
      for (const [key, entry] of value.entries) {
        hashValue(out, key);
        hashValue(out, entry);
      }
      break;
    case "record":
      hashTypeId(out, value.typeId);
      out.int32(value.fields.length);
      for (const { label, value: field } of value.fields) {
        hashLabel(out, label);
        hashValue(out, field);
      }
      break;
    case "variant":
      hashTypeId(out, value.typeId);
      hashValue(out.text(value.constructor_), value.value);
      break;
    case "enum":
      hashTypeId(out, value.typeId);
      out.text(value.constructor_);
      break;
  }
}

function hashTypeId(out: HashWriter, typeId: string | undefined): void {
  if (typeId === undefined) {
    out.byte(0);
    return;
  }
  out.byte(1).bytes(identifierBytes(typeId));
}

/** The few types of a transaction come again and again: put together once each. */
const knownIdentifiers = new Map<string, Uint8Array>();
const knownIdentifiersMax = 1_000;
const scratch = new HashWriter();

function identifierBytes(typeId: string): Uint8Array {
  const known = knownIdentifiers.get(typeId);
  if (known !== undefined) return known;
  const [packageId, module, name] = typeId.split(":") as [string, string, string];
  scratch.reset();
  hashIdentifier(scratch, { packageId, module, name });
  const bytes = Uint8Array.from(scratch.written);
  if (knownIdentifiers.size >= knownIdentifiersMax) knownIdentifiers.clear();
  knownIdentifiers.set(typeId, bytes);
  return bytes;
}

function hashLabel(out: HashWriter, label: string | undefined): void {
  if (label === undefined) out.byte(0);
  else out.byte(1).text(label);
}
