/** Writes what messages `Value` of transactions and of the Ledger API have in common: values that nest nothing. */
import { type LedgerValue, showNumeric } from "../value/index.js";
import { type ProtoWriter, WireType } from "./proto-writer.js";

/** Numbers of the fields of `Value.sum`, the same in both. */
export const scalarSum = {
  unit: 1,
  bool: 2,
  int64: 3,
  date: 4,
  timestamp: 5,
  numeric: 6,
  party: 7,
  text: 8,
} as const;

export type ScalarValue = Extract<LedgerValue, { kind: keyof typeof scalarSum }>;

/** Its field, with its tag. */
export function writeScalar(out: ProtoWriter, value: ScalarValue): void {
  switch (value.kind) {
    case "unit":
      out.closeMessage(scalarSum.unit, out.length);
      break;
    case "bool":
      out.varint(value.value ? 1 : 0);
      out.tag(scalarSum.bool, WireType.varint);
      break;
    case "int64":
      out.zigzag64(value.value);
      out.tag(scalarSum.int64, WireType.varint);
      break;
    case "date":
      out.int32(value.days);
      out.tag(scalarSum.date, WireType.varint);
      break;
    case "timestamp":
      out.fixed64(value.micros);
      out.tag(scalarSum.timestamp, WireType.fixed64);
      break;
    case "numeric":
      out.textField(scalarSum.numeric, showNumeric(value.unscaled, value.scale));
      break;
    case "party":
      out.textField(scalarSum.party, value.value);
      break;
    case "text":
      out.textField(scalarSum.text, value.value);
      break;
  }
}
