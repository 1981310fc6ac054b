/** Values inside the hash that external parties sign: each with the tag of its kind, with type ids and labels. */
import { type LedgerValue, showNumeric } from "../value/index.js";
import { addNone, addSome, type HashSteps } from "./hash-steps.js";

interface Tag {
  readonly byte: number;
  readonly what: string;
}
const tag = (byte: number, name: string): Tag => ({ byte, what: `${name} Type Tag` });

const tags = {
  unit: tag(0, "Unit"),
  bool: tag(1, "Bool"),
  int64: tag(2, "Int64"),
  numeric: tag(3, "Numeric"),
  timestamp: tag(4, "Timestamp"),
  date: tag(5, "Date"),
  party: tag(6, "Party"),
  text: tag(7, "Text"),
  contractId: tag(8, "ContractId"),
  optional: tag(9, "Optional"),
  list: tag(10, "List"),
  textMap: tag(11, "TextMap"),
  record: tag(12, "Record"),
  variant: tag(13, "Variant"),
  enum: tag(14, "Enum"),
  genMap: tag(15, "GenMap"),
} as const satisfies Record<LedgerValue["kind"], Tag>;

export function addValue(steps: HashSteps, value: LedgerValue): void {
  const { byte, what } = tags[value.kind];
  steps.byte(byte, what);
  switch (value.kind) {
    case "unit":
      break;
    case "bool":
      steps.bool(value.value);
      break;
    case "int64":
      steps.int64(value.value);
      break;
    case "numeric":
      steps.numeric(showNumeric(value.unscaled, value.scale));
      break;
    case "timestamp":
      steps.int64(value.micros);
      break;
    case "date":
      steps.int32(value.days);
      break;
    case "party":
    case "text":
      steps.text(value.value);
      break;
    case "contractId":
      steps.contractId(value.hex);
      break;
    default:
      addContainer(steps, value);
  }
}

type Container = Extract<LedgerValue, { kind: "optional" | "list" | "textMap" | "genMap" | "record" | "variant" | "enum" }>;

function addContainer(steps: HashSteps, value: Container): void {
  switch (value.kind) {
    case "optional":
      if (value.value === undefined) addNone(steps);
      else addValue(addSome(steps), value.value);
      break;
    case "list":
      steps.int32(value.elements.length);
      for (const element of value.elements) addValue(steps, element);
      break;
    case "textMap":
      steps.int32(value.entries.length);
      for (const [key, entry] of value.entries) addValue(steps.text(key), entry);
      break;
    case "genMap":
      steps.int32(value.entries.length);
      for (const [key, entry] of value.entries) {
        addValue(steps, key);
        addValue(steps, entry);
      }
      break;
    case "record":
      addTypeId(steps, value.typeId);
      steps.int32(value.fields.length);
      for (const { label, value: field } of value.fields) {
        addLabel(steps, label);
        addValue(steps, field);
      }
      break;
    case "variant":
      addTypeId(steps, value.typeId);
      addValue(steps.text(value.constructor_), value.value);
      break;
    case "enum":
      addTypeId(steps, value.typeId);
      steps.text(value.constructor_);
      break;
  }
}

function addTypeId(steps: HashSteps, typeId: string | undefined): void {
  if (typeId === undefined) addNone(steps);
  else addSome(steps).typeId(typeId);
}

function addLabel(steps: HashSteps, label: string | undefined): void {
  if (label === undefined) addNone(steps);
  else addSome(steps).text(label);
}
