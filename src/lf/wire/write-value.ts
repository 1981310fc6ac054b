/** Writes message `Value` (`proto/value.proto`): canonical bytes, as the reference writes them. */
import type { LedgerField, LedgerValue } from "../value/index.js";
import { type ProtoWriter, writeText } from "./proto-writer.js";
import { scalarSum, writeScalar } from "./write-scalar.js";

/** Numbers of the fields of `Value.sum`. */
export const sum = {
  ...scalarSum,
  contractId: 9,
  optional: 10,
  list: 11,
  genMap: 12,
  record: 13,
  variant: 14,
  enum: 15,
  textMap: 16,
} as const;

/** Writes the fields of a `Value`; the caller puts length and tag before them. */
export function writeValue(out: ProtoWriter, value: LedgerValue): void {
  const mark = out.length;
  switch (value.kind) {
    case "contractId":
      out.hexField(sum.contractId, value.hex);
      break;
    case "optional":
      if (value.value !== undefined) writeValueField(out, 1, value.value);
      out.closeMessage(sum.optional, mark);
      break;
    case "list":
      for (let i = value.elements.length - 1; i >= 0; i--) writeValueField(out, 1, value.elements[i]!);
      out.closeMessage(sum.list, mark);
      break;
    case "genMap":
      writeGenMap(out, value.entries);
      out.closeMessage(sum.genMap, mark);
      break;
    case "textMap":
      writeTextMap(out, value.entries);
      out.closeMessage(sum.textMap, mark);
      break;
    case "record":
      writeFields(out, value.fields);
      out.closeMessage(sum.record, mark);
      break;
    case "variant":
      writeValueField(out, 2, value.value);
      out.textField(1, value.constructor_);
      out.closeMessage(sum.variant, mark);
      break;
    case "enum":
      out.textField(1, value.constructor_);
      out.closeMessage(sum.enum, mark);
      break;
    default:
      writeScalar(out, value);
  }
}

/** A field that holds a value: a nested message, or the bytes of one. */
export function writeValueField(out: ProtoWriter, field: number, value: LedgerValue): void {
  const mark = out.length;
  writeValue(out, value);
  out.closeMessage(field, mark);
}

function writeGenMap(out: ProtoWriter, entries: readonly (readonly [LedgerValue, LedgerValue])[]): void {
  for (let i = entries.length - 1; i >= 0; i--) {
    const mark = out.length;
    const [key, value] = entries[i]!;
    writeValueField(out, 2, value);
    writeValueField(out, 1, key);
    out.closeMessage(1, mark);
  }
}

function writeTextMap(out: ProtoWriter, entries: readonly (readonly [string, LedgerValue])[]): void {
  for (let i = entries.length - 1; i >= 0; i--) {
    const mark = out.length;
    const [key, value] = entries[i]!;
    writeValueField(out, 2, value);
    writeText(out, 1, key);
    out.closeMessage(1, mark);
  }
}

function writeFields(out: ProtoWriter, fields: readonly LedgerField[]): void {
  for (let i = fields.length - 1; i >= 0; i--) {
    const mark = out.length;
    writeValueField(out, 1, fields[i]!.value);
    out.closeMessage(1, mark);
  }
}
