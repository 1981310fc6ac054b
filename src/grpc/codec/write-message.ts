/** Writes the JSON of the Ledger API as messages. */
import { assert } from "../../base/assert.js";
import { ProtoWriter, WireType, writeApiIdentifier } from "../../lf/wire/index.js";
import type { Json } from "../method.js";
import type { Field, FieldType, MessageType, ValuePosition } from "../schema/index.js";
import { writeInstant } from "./instants.js";
import { mayHoldValues, membersOf } from "./members.js";

/** Writes Daml values: the fields of a message `Value` or `Record`. */
export interface ValueWriter {
  writeValue(out: ProtoWriter, position: ValuePosition, json: unknown): void;
  writeRecord(out: ProtoWriter, position: ValuePosition, json: unknown): void;
}

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
        if (json[key] !== undefined && json[key] !== null) writeField(out, { ...field, isOptional: true }, json[key], json, values);
      continue;
    }
    const cased = (choice.json === "" ? json : json[choice.json]) as Json | null | undefined;
    for (const [name, value] of Object.entries(cased ?? {})) {
      const member = byCase.get(name);
      if (member === undefined) continue;
      const content = member.isWrapped ? (value as Json)["value"] : value;
      writeField(out, { ...member.field, isOptional: true }, content, json, values);
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
    for (let at = elements.length - 1; at >= 0; at--) writeField(out, { ...field, isOptional: true }, elements[at], holder, values);
    return;
  }
  if (elements.length === 0) return;
  const mark = out.length;
  for (let at = elements.length - 1; at >= 0; at--) writeVarint(out, type, elements[at]);
  out.closeMessage(number, mark);
}

function writeMap(out: ProtoWriter, { number, type }: Field, entries: Json, holder: Json, values: ValueWriter): void {
  assert(type.kind === "map", "a map is written as one");
  const value: Field = { number: 2, type: type.value, isRepeated: false, isOptional: true, json: undefined };
  for (const [key, content] of Object.entries(entries).reverse()) {
    const mark = out.length;
    writeField(out, value, content, holder, values);
    out.textField(1, key);
    out.closeMessage(number, mark);
  }
}

const packedKinds: ReadonlySet<FieldType["kind"]> = new Set(["bool", "int32", "uint32", "int64", "uint64", "enum"]);

/** Defaults are left out, unless the field can tell them from nothing. */
function writeField(out: ProtoWriter, { number, type, isOptional }: Field, value: unknown, holder: Json, values: ValueWriter): void {
  const mark = out.length;
  switch (type.kind) {
    case "string":
      if (isOptional || value !== "") out.textField(number, value as string);
      return;
    case "bytes":
    case "messageBytes":
      if (isOptional || value !== "") out.bytesField(number, Buffer.from(value as string, "base64"));
      return;
    case "hex":
      if (isOptional || value !== "") out.bytesField(number, Buffer.from(value as string, "hex"));
      return;
    case "octets":
      out.bytesField(number, value as Uint8Array);
      return;
    case "enum":
      if (!isOptional && type.of.numbers[value as string] === 0) return;
      writeVarint(out, type, value);
      out.tag(number, WireType.varint);
      return;
    case "bool":
    case "int32":
    case "uint32":
    case "int64":
    case "uint64":
      if (!isOptional && (value === false || value === 0)) return;
      writeVarint(out, type, value);
      out.tag(number, WireType.varint);
      return;
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
      writeMessage(out, type.of(), value as Json, values);
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

/** Where the values of a message stand, so that their types can be asked for before it is written. */
export function positionsOf(type: MessageType, json: Json): readonly ValuePosition[] {
  if (!mayHoldValues(type)) return [];
  const positions: ValuePosition[] = [];
  const note = (_out: ProtoWriter, position: ValuePosition): void => void positions.push(position);
  writer.reset();
  writeMessage(writer, type, json, { writeValue: note, writeRecord: note });
  writer.reset();
  return positions;
}
