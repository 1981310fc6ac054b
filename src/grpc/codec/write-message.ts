/** Writes the JSON of the Ledger API as messages. */
import { assert } from "../../base/assert.js";
import { ProtoWriter, WireType, writeApiIdentifier } from "../../lf/wire/index.js";
import type { Json } from "../method.js";
import type { Field, FieldType, MessageType, ValuePosition } from "../schema/index.js";
import { writeInstant } from "./instants.js";
import { membersOf } from "./members.js";

/** Writes Daml values: the fields of a message `Value` or `Record`. */
export interface ValueWriter {
  writeValue(out: ProtoWriter, position: ValuePosition, json: unknown): void;
  writeRecord(out: ProtoWriter, position: ValuePosition, json: unknown): void;
}

/** A message that was written before what it is part of. */
export class Written {
  constructor(readonly bytes: Uint8Array) {}
}

/** What of a field is written. */
type Placed = Pick<Field, "number" | "type">;

const writer = new ProtoWriter();

/** Whatever the message does not have is left out. */
export function encodeMessage(type: MessageType, json: Json, values: ValueWriter): Uint8Array {
  writer.reset();
  writeMessage(writer, type, json, values);
  return writer.finish();
}

/** Its fields; the caller puts length and tag before them. */
function writeMessage(out: ProtoWriter, type: MessageType, json: Json, values: ValueWriter): void {
  const { alone, choices } = membersOf(type);
  for (let at = choices.length - 1; at >= 0; at--) {
    const { choice, byCase } = choices[at]!;
    if (choice.json === undefined) {
      for (const { field, key } of byCase.values())
        if (json[key] !== undefined && json[key] !== null) writePresent(out, field, json[key], json, values);
      continue;
    }
    const cased = (choice.json === "" ? json : json[choice.json]) as Json | null | undefined;
    for (const [name, value] of Object.entries(cased ?? {})) {
      const member = byCase.get(name);
      if (member === undefined) continue;
      const content = member.isWrapped ? (value as Json)["value"] : value;
      writePresent(out, member.field, content, json, values);
    }
  }
  for (let at = alone.length - 1; at >= 0; at--) {
    const { field, key } = alone[at]!,
      value = json[key];
    if (value === undefined || (value === null && !isValue(field.type))) continue;
    if (field.type.kind === "map") writeMap(out, field, value as Json, json, values);
    else if (field.isRepeated) writeAll(out, field, value as readonly unknown[], json, values);
    else writeField(out, field, value, json, values);
  }
}

/** Of those null is one. */
const isValue = ({ kind }: FieldType): boolean => kind === "value" || kind === "record";

function writeAll(out: ProtoWriter, field: Field, elements: readonly unknown[], holder: Json, values: ValueWriter): void {
  const { number, type } = field;
  if (!packedKinds.has(type.kind)) {
    for (let at = elements.length - 1; at >= 0; at--) writePresent(out, field, elements[at], holder, values);
    return;
  }
  if (elements.length === 0) return;
  const mark = out.length;
  for (let at = elements.length - 1; at >= 0; at--) writeVarint(out, type, elements[at]);
  out.closeMessage(number, mark);
}

function writeMap(out: ProtoWriter, { number, type }: Field, entries: Json, holder: Json, values: ValueWriter): void {
  assert(type.kind === "map", "a map is written as one");
  const value = { number: 2, type: type.value };
  for (const [key, content] of Object.entries(entries).reverse()) {
    const mark = out.length;
    writePresent(out, value, content, holder, values);
    out.textField(1, key);
    out.closeMessage(number, mark);
  }
}

const packedKinds: ReadonlySet<FieldType["kind"]> = new Set(["bool", "int32", "uint32", "int64", "uint64", "enum"]);

/** Defaults are left out, unless the field can tell them from nothing. */
function writeField(out: ProtoWriter, field: Field, value: unknown, holder: Json, values: ValueWriter): void {
  if (field.isOptional || !isDefault(field.type, value)) writePresent(out, field, value, holder, values);
}

function isDefault(type: FieldType, value: unknown): boolean {
  switch (type.kind) {
    case "string":
    case "bytes":
    case "messageBytes":
    case "hex":
      return value === "";
    case "enum":
      return type.of.numbers[value as string] === 0;
    case "bool":
    case "int32":
    case "uint32":
    case "int64":
    case "uint64":
      return value === false || value === 0;
    default:
      return false;
  }
}

/** Defaults, too: as an element, one of several or an entry. */
function writePresent(out: ProtoWriter, { number, type }: Placed, value: unknown, holder: Json, values: ValueWriter): void {
  const mark = out.length;
  switch (type.kind) {
    case "string":
      return out.textField(number, value as string);
    case "bytes":
    case "messageBytes":
      return out.bytesField(number, Buffer.from(value as string, "base64"));
    case "hex":
      return out.bytesField(number, Buffer.from(value as string, "hex"));
    case "octets":
      return out.bytesField(number, value as Uint8Array);
    case "enum":
    case "bool":
    case "int32":
    case "uint32":
    case "int64":
    case "uint64":
      writeVarint(out, type, value);
      return out.tag(number, WireType.varint);
    case "identifier": {
      const [packageId, module, name] = (value as string).split(":") as [string, string, string];
      return writeApiIdentifier(out, number, { packageId, module, name });
    }
    case "timestamp":
      writeInstant(out, value as string);
      break;
    case "value":
    case "record": {
      const position = positionOf(type, holder);
      if (position === undefined) return;
      if (type.kind === "value") values.writeValue(out, position, value);
      else values.writeRecord(out, position, value);
      break;
    }
    case "message":
      if (value instanceof Written) out.raw(value.bytes);
      else writeMessage(out, type.of(), value as Json, values);
      break;
    case "map":
      throw new Error("a map is written as one");
    case "sint64":
    case "sfixed64":
      throw new Error("what is in values only is written by who writes them");
  }
  out.closeMessage(number, mark);
}

function positionOf(type: Extract<FieldType, { kind: "value" | "record" }>, holder: Json): ValuePosition | undefined {
  assert(type.position !== undefined, "a value of a reply has a place on the ledger");
  return type.position(holder);
}

function writeVarint(out: ProtoWriter, type: FieldType, value: unknown): void {
  if (type.kind === "bool") out.varint(value === true ? 1 : 0);
  else if (type.kind === "int64" || type.kind === "uint64") out.varint64(BigInt.asUintN(64, BigInt(value as number | string)));
  else if (type.kind === "enum") out.int32(type.of.numbers[value as string] ?? 0);
  else out.int32(value as number);
}
