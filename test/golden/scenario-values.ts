/** The JSON forms of values in the scenario files: typed (arguments, node values) and raw (untyped input, error details). */
import assert from "node:assert/strict";
import type { ValueType } from "../../src/lf/conversion/index.js";
import type { LedgerField, LedgerValue } from "../../src/lf/value/ledger-value.js";
import { showNumeric } from "../../src/lf/value/numeric.js";
import { parseDate, parseTimestamp, showDate, showTimestamp } from "../../src/lf/value/time.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** The files print 0, 3 or 6 fraction digits. */
export function showInstant(micros: bigint): string {
  const [whole = "", fraction] = showTimestamp(micros).slice(0, -1).split(".");
  return fraction === undefined ? `${whole}Z` : `${whole}.${fraction.padEnd(fraction.length <= 3 ? 3 : 6, "0")}Z`;
}

export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
const object = (json: Json | undefined): JsonObject => {
  assert(isObject(json), `an object, not ${JSON.stringify(json)}`);
  return json;
};
const array = (json: Json | undefined): readonly Json[] => {
  assert(Array.isArray(json), `an array, not ${JSON.stringify(json)}`);
  return json as readonly Json[];
};
const text = (json: Json | undefined): string => {
  assert(typeof json === "string", `a string, not ${JSON.stringify(json)}`);
  return json;
};
const defined = <T>(value: T | undefined, what: string): T => {
  assert(value !== undefined, what);
  return value;
};

/** Names of contracts of earlier steps: `$name` -> contract id. */
export type Names = ReadonlyMap<string, string>;
export const named = (names: Names, reference: string): string =>
  reference.startsWith("$") ? defined(names.get(reference.slice(1)), `contract ${reference}`) : reference;

/** An argument as a caller would send it: labelled records, nothing filled in. */
export function readTyped(type: ValueType, json: Json, names: Names): LedgerValue {
  if (isObject(json) && "$raw" in json) return readRaw(json["$raw"] as Json, names);
  switch (type.kind) {
    case "unit":
      return { kind: "unit" };
    case "bool":
      return { kind: "bool", value: json === true };
    case "int64":
      return { kind: "int64", value: BigInt(text(json)) };
    case "numeric":
      return readNumeric(text(json));
    case "date":
      return { kind: "date", days: defined(parseDate(text(json)), `date ${text(json)}`) };
    case "timestamp":
      return { kind: "timestamp", micros: defined(parseTimestamp(text(json)), `timestamp ${text(json)}`) };
    case "party":
      return { kind: "party", value: text(json) };
    case "text":
      return { kind: "text", value: text(json) };
    case "contractId":
      return { kind: "contractId", hex: named(names, text(json)) };
    case "optional":
      return { kind: "optional", value: readOptional(type.element, json, names) };
    case "list":
      return { kind: "list", elements: array(json).map((element) => readTyped(type.element, element, names)) };
    case "textMap":
      return {
        kind: "textMap",
        entries: Object.entries(object(json)).map(([key, item]) => [key, readTyped(type.value, item, names)] as const),
      };
    case "genMap":
      return {
        kind: "genMap",
        entries: array(json).map(
          (entry) => [readTyped(type.key, array(entry)[0] as Json, names), readTyped(type.value, array(entry)[1] as Json, names)] as const,
        ),
      };
    case "enum":
      return { kind: "enum", constructor_: text(json) };
    case "variant": {
      const tag = text(object(json)["tag"]);
      const constructor_ = type.constructors.find(({ name }) => name === tag);
      const value = object(json)["value"] as Json;
      return {
        kind: "variant",
        constructor_: tag,
        value: constructor_ === undefined ? readRaw(object(value)["$raw"] as Json, names) : readTyped(constructor_.type, value, names),
      };
    }
    case "record":
      return { kind: "record", fields: Object.entries(object(json)).map(([label, item]) => readField(type, label, item, names)) };
  }
}

function readField(type: Extract<ValueType, { kind: "record" }>, label: string, json: Json, names: Names): LedgerField {
  const field = type.fields.find(({ name }) => name === label);
  if (field !== undefined) return { label, value: readTyped(field.type, json, names) };
  return { label, value: json === null ? { kind: "optional", value: undefined } : readRaw(object(json)["$raw"] as Json, names) };
}

function readOptional(element: ValueType, json: Json, names: Names): LedgerValue | undefined {
  if (json === null) return undefined;
  if (element.kind !== "optional") return readTyped(element, json, names);
  const [inner] = array(json);
  return inner === undefined ? undefined : readTyped(element, inner, names);
}

function readNumeric(shown: string): LedgerValue {
  const [whole = "", fraction = ""] = shown.split(".");
  return { kind: "numeric", unscaled: BigInt(whole + fraction), scale: fraction.length };
}

export function readRaw(json: Json, names: Names): LedgerValue {
  const [[kind, body] = ["", null]] = Object.entries(object(json));
  switch (kind) {
    case "unit":
      return { kind };
    case "bool":
      return { kind, value: body === true };
    case "int64":
      return { kind, value: BigInt(text(body)) };
    case "numeric":
      return readNumeric(text(body));
    case "text":
    case "party":
      return { kind, value: text(body) };
    case "date":
      return { kind, days: defined(parseDate(text(body)), `date ${text(body)}`) };
    case "timestamp":
      return { kind, micros: defined(parseTimestamp(text(body)), `timestamp ${text(body)}`) };
    case "contractId":
      return { kind, hex: named(names, text(body)) };
    case "optional":
      return { kind, value: body === null ? undefined : readRaw(body as Json, names) };
    case "list":
      return { kind, elements: array(body).map((element) => readRaw(element, names)) };
    case "genMap":
      return {
        kind,
        entries: array(body).map((entry) => [readRaw(array(entry)[0] as Json, names), readRaw(array(entry)[1] as Json, names)] as const),
      };
    case "textMap":
      return { kind, entries: Object.entries(object(body)).map(([key, item]) => [key, readRaw(item, names)] as const) };
    case "enum":
      return isObject(body) ? { kind, constructor_: text(body["value"]), ...typeIdOf(body) } : { kind, constructor_: text(body) };
    case "variant":
      return {
        kind,
        constructor_: text(object(body)["tag"]),
        value: readRaw(object(body)["value"] as Json, names),
        ...typeIdOf(object(body)),
      };
    case "record":
      return readRawRecord(object(body), names);
    case "nestSome":
      return nest(object(body), names, (value) => ({ kind: "optional", value }));
    case "nestVariant":
      return nest(object(body), names, (value) => ({ kind: "variant", constructor_: text(object(body)["tag"]), value }));
    default:
      throw new Error(`unknown raw form ${kind}`);
  }
}

function readRawRecord(body: JsonObject, names: Names): LedgerValue {
  const fields = array(body["fields"]).map((entry): LedgerField => {
    const [label, item] = array(entry);
    const value = readRaw(item as Json, names);
    return typeof label === "string" ? { label, value } : { value };
  });
  return { kind: "record", fields, ...typeIdOf(body) };
}

const typeIdOf = ({ id }: JsonObject): { readonly typeId?: string } => (typeof id === "string" ? { typeId: id } : {});

function nest(body: JsonObject, names: Names, wrap: (value: LedgerValue) => LedgerValue): LedgerValue {
  let value = readRaw(body["value"] as Json, names);
  for (let depth = Number(body["depth"]); depth > 0; depth -= 1) value = wrap(value);
  return value;
}

/** A normalised value in the typed form, with every field. */
export function showTyped(type: ValueType, value: LedgerValue): Json {
  switch (value.kind) {
    case "unit":
      return {};
    case "bool":
      return value.value;
    case "int64":
      return value.value.toString();
    case "numeric":
      return showNumeric(value.unscaled, value.scale);
    case "date":
      return showDate(value.days);
    case "timestamp":
      return showInstant(value.micros);
    case "party":
    case "text":
      return value.value;
    case "contractId":
      return value.hex;
    case "enum":
      return value.constructor_;
    default:
      return showCompound(type, value);
  }
}

function showCompound(type: ValueType, value: LedgerValue): Json {
  if (type.kind === "optional" && value.kind === "optional") {
    if (value.value === undefined) return type.element.kind === "optional" ? [] : null;
    const inner = showTyped(type.element, value.value);
    return type.element.kind === "optional" ? [inner] : inner;
  }
  if (type.kind === "list" && value.kind === "list") return value.elements.map((element) => showTyped(type.element, element));
  if (type.kind === "textMap" && value.kind === "textMap")
    return Object.fromEntries(value.entries.map(([key, item]) => [key, showTyped(type.value, item)]));
  if (type.kind === "genMap" && value.kind === "genMap")
    return value.entries.map(([key, item]) => [showTyped(type.key, key), showTyped(type.value, item)]);
  if (type.kind === "variant" && value.kind === "variant") {
    const constructor_ = defined(
      type.constructors.find(({ name }) => name === value.constructor_),
      `constructor ${value.constructor_}`,
    );
    return { tag: value.constructor_, value: showTyped(constructor_.type, value.value) };
  }
  if (type.kind === "record" && value.kind === "record") {
    const absent: LedgerValue = { kind: "optional", value: undefined };
    return Object.fromEntries(type.fields.map((field, i) => [field.name, showTyped(field.type, value.fields[i]?.value ?? absent)]));
  }
  throw new Error(`a value of kind ${value.kind} at type ${type.kind}`);
}

export function showRaw(value: LedgerValue): Json {
  switch (value.kind) {
    case "unit":
      return { unit: {} };
    case "bool":
      return { bool: value.value };
    case "int64":
      return { int64: value.value.toString() };
    case "numeric":
      return { numeric: showNumeric(value.unscaled, value.scale) };
    case "date":
      return { date: showDate(value.days) };
    case "timestamp":
      return { timestamp: showInstant(value.micros) };
    case "party":
      return { party: value.value };
    case "text":
      return { text: value.value };
    case "contractId":
      return { contractId: value.hex };
    case "optional":
      return { optional: value.value === undefined ? null : showRaw(value.value) };
    case "list":
      return { list: value.elements.map(showRaw) };
    case "textMap":
      return { textMap: Object.fromEntries(value.entries.map(([key, item]) => [key, showRaw(item)])) };
    case "genMap":
      return { genMap: value.entries.map(([key, item]) => [showRaw(key), showRaw(item)]) };
    case "enum":
      return { enum: withId(value.typeId, { value: value.constructor_ }) };
    case "variant":
      return { variant: withId(value.typeId, { tag: value.constructor_, value: showRaw(value.value) }) };
    case "record":
      return { record: withId(value.typeId, { fields: value.fields.map((field) => [field.label ?? null, showRaw(field.value)]) }) };
  }
}

const withId = (id: string | undefined, rest: JsonObject): JsonObject => (id === undefined ? rest : { id, ...rest });
