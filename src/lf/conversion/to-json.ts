/**
 * Values as the JSON Ledger API v2 prints them (recorded cases: test/data/values). Text is put together directly: there is no tree of
 * JavaScript objects in between, and object keys keep their order whatever they look like.
 */
import { type LedgerField, type LedgerValue, showNumeric, showDate, showTimestamp } from "../value/index.js";
import { assert } from "../../base/assert.js";
import type { RecordType, ValueType } from "./value-type.js";

/** JSON text of a normalised value: records by field name, trailing None left out, Numeric with all digits of its scale. */
export function toJson(type: ValueType, value: LedgerValue): string {
  switch (value.kind) {
    case "unit":
      return "{}";
    case "bool":
      return value.value ? "true" : "false";
    case "int64":
      return `"${value.value}"`;
    case "date":
      return `"${showDate(value.days)}"`;
    case "timestamp":
      return `"${showTimestamp(value.micros)}"`;
    case "numeric":
      return `"${showNumeric(value.unscaled, value.scale)}"`;
    case "contractId":
      return `"${value.hex}"`;
    case "party":
      return `"${value.value}"`;
    case "text":
      return JSON.stringify(value.value);
    case "enum":
      return `"${value.constructor_}"`;
    default:
      return containerToJson(type, value);
  }
}

type Container = Extract<LedgerValue, { kind: "optional" | "list" | "textMap" | "genMap" | "record" | "variant" }>;

function containerToJson(type: ValueType, value: Container): string {
  switch (value.kind) {
    case "optional":
      assert(type.kind === "optional", "an Optional has an Optional type");
      return type.nested ? nestedOptional(type, value.value) : value.value === undefined ? "null" : toJson(type.element, value.value);
    case "list":
      assert(type.kind === "list", "a list has a list type");
      return `[${value.elements.map((element) => toJson(type.element, element)).join(",")}]`;
    case "textMap":
      assert(type.kind === "textMap", "a text map has a text map type");
      return `{${value.entries.map(([key, entry]) => `${JSON.stringify(key)}:${toJson(type.value, entry)}`).join(",")}}`;
    case "genMap":
      assert(type.kind === "genMap", "a map has a map type");
      return `[${value.entries.map(([key, entry]) => `[${toJson(type.key, key)},${toJson(type.value, entry)}]`).join(",")}]`;
    case "record":
      assert(type.kind === "record", "a record has a record type");
      return record(type, value.fields);
    case "variant": {
      assert(type.kind === "variant", "a variant has a variant type");
      const rank = type.rankOf(value.constructor_);
      assert(rank !== undefined, "a variant has a constructor of its type");
      return `{"tag":"${value.constructor_}","value":${toJson(type.constructors[rank]!.type, value.value)}}`;
    }
  }
}

/** Every level of an Optional of Optionals is an array: `[]`, `[[]]`, `[["5"]]`. */
function nestedOptional(type: ValueType, value: LedgerValue | undefined): string {
  if (value === undefined) return "[]";
  assert(type.kind === "optional", "an Optional has an Optional type");
  return value.kind === "optional" ? `[${nestedOptional(type.element, value.value)}]` : `[${toJson(type.element, value)}]`;
}

/** Fields that the value does not reach are None; fields that print as null are left out behind the last that does not. */
function record(type: RecordType, fields: readonly LedgerField[]): string {
  assert(fields.length <= type.fields.length, "a value has no more fields than its type");
  const types = type.fields,
    heads = headsOf(type);
  let text = "",
    nulls = "";
  for (let i = 0; i < types.length; i++) {
    const json = toJson(types[i]!.type, i < fields.length ? fields[i]!.value : noneValue);
    if (json === "null") {
      nulls += `${heads[i]!}null`;
    } else {
      text += `${nulls}${heads[i]!}${json}`;
      nulls = "";
    }
  }
  return `{${text}}`;
}

/** What stands before the values of fields. */
const headsOfTypes = new WeakMap<RecordType, readonly string[]>();

function headsOf(type: RecordType): readonly string[] {
  let known = headsOfTypes.get(type);
  if (known === undefined) headsOfTypes.set(type, (known = type.fields.map(({ name }, i) => `${i === 0 ? "" : ","}"${name}":`)));
  return known;
}

const noneValue: LedgerValue = { kind: "optional", value: undefined };
