/**
 * Values from the JSON of the Ledger API v2 (recorded cases: test/data/values). What the reference's
 * JSON layer refuses is INVALID_ARGUMENT of origin "json" here, also where it answers 500; what its request
 * checks refuse is INVALID_ARGUMENT; what its engine refuses keeps COMMAND_PREPROCESSING_FAILED.
 */
import { isObject, type JsonObject } from "../../base/json-object.js";
import { limits } from "../../config.js";
import { fail, ok, type Result } from "../../base/result.js";
import type { PreprocessingError } from "../errors.js";
import { carriedBytes, fromCarried } from "./carried-value.js";
import { array, expected, incomplete, invalid, JsonFailure, object, refused, string } from "./json-failure.js";
import { contractId, date, enumeration, int64, numeric, party, text, timestamp } from "./json-scalars.js";
import { genMapOf, textMapOf } from "./maps.js";
import { listOf } from "./translate.js";
import type { RecordType, ValueType, VariantType } from "./value-type.js";
import { none, Some, unit, type Value, Variant } from "../value/index.js";

/** Decodes parsed JSON by its type, or what it carries. Throws `FatalError` only where the type itself refers to something unknown. */
export function fromJson(type: ValueType, json: unknown): Result<Value, PreprocessingError> {
  const carried = carriedBytes(json);
  if (carried !== undefined) return fromCarried(type, carried);
  try {
    return ok(decoder.decode(type, json));
  } catch (error) {
    if (error instanceof JsonFailure) return fail(decoder.describe(error));
    throw error;
  }
}

class JsonDecoder {
  /** Field names and indexes from the root to the value at hand; left as it is by a failure. */
  readonly #path: (string | number)[] = [];

  decode(type: ValueType, json: unknown): Value {
    if (this.#path.length > 0) this.#path.length = 0; // of what failed before
    return this.value(type, json, 0);
  }

  describe(failure: JsonFailure): PreprocessingError {
    const path = this.#path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    const message = path === "" ? failure.message : `at ${path}: ${failure.message}`;
    return { phase: "preprocessing", class: failure.class_, message, path, ...failure.answer };
  }

  value(type: ValueType, json: unknown, nesting: number): Value {
    if (nesting > limits.valueNestingMax) throw refused("ValueNesting", `value exceeds the maximum nesting of ${limits.valueNestingMax}`);
    switch (type.kind) {
      case "unit":
        return unit; // the reference takes anything
      case "bool":
        if (typeof json === "boolean") return json;
        throw expected("true or false", json);
      case "int64":
        return int64(string(json, "an Int64 as text"));
      case "numeric":
        return numeric(json, type.scale);
      case "date":
        return date(string(json, "a date as text"));
      case "timestamp":
        return timestamp(string(json, "a timestamp as text"));
      case "party":
        return party(string(json, "a party as text"));
      case "text":
        return text(string(json, "text"));
      case "contractId":
        return contractId(string(json, "a contract id as text"));
      case "optional":
        return this.#optional(type, json, nesting);
      case "list":
        return listOf(this.#elements(type.element, array(json), nesting));
      case "textMap":
        return textMapOf(Object.entries(object(json)).map(([key, entry]) => [text(key), this.#at(key, type.value, entry, nesting)]));
      case "genMap":
        return genMapOf(array(json).map((entry, i) => this.#entry(type.key, type.value, entry, i, nesting)));
      case "record":
        return this.#record(type, object(json), nesting);
      case "variant":
        return this.#variant(type, json, nesting);
      case "enum":
        return enumeration(type, string(json, "a constructor as text"));
    }
  }

  /** Decodes a part one level further in. */
  #at(step: string | number, type: ValueType, json: unknown, nesting: number): Value {
    this.#path.push(step);
    const value = this.value(type, json, nesting + 1);
    this.#path.pop();
    return value;
  }

  #elements(type: ValueType, json: readonly unknown[], nesting: number): Value[] {
    const elements = new Array<Value>(json.length);
    for (let i = 0; i < elements.length; i++) elements[i] = this.#at(i, type, json[i], nesting);
    return elements;
  }

  #optional(type: Extract<ValueType, { kind: "optional" }>, json: unknown, nesting: number): Value {
    if (type.nested) return this.#nestedOptional(type, json, nesting);
    return json === null || json === undefined ? none : new Some(this.value(type.element, json, nesting + 1));
  }

  /** Every level of an Optional of Optionals is an array of no or one element. */
  #nestedOptional(type: ValueType, json: unknown, nesting: number): Value {
    if (type.kind !== "optional") return this.value(type, json, nesting);
    if (nesting > limits.valueNestingMax) throw refused("ValueNesting", `value exceeds the maximum nesting of ${limits.valueNestingMax}`);
    const elements = array(json);
    return elements.length === 0 ? none : new Some(this.#nestedOptional(type.element, elements[0], nesting + 1));
  }

  #entry(keyType: ValueType, valueType: ValueType, json: unknown, index: number, nesting: number): readonly [Value, Value] {
    this.#path.push(index);
    const pair = array(json);
    if (pair.length < 2) throw expected("an array of key and value", json);
    const entry = [this.#at(0, keyType, pair[0], nesting), this.#at(1, valueType, pair[1], nesting)] as const;
    this.#path.pop();
    return entry;
  }

  /** A missing Optional is None; an unknown field may be there when it is null. */
  #record(type: RecordType, json: JsonObject, nesting: number): Value {
    if (hasFieldsInOrder(type, json)) return this.#fieldsInOrder(type, json, nesting);
    const missing = type.fields.filter((field) => field.type.kind !== "optional" && !Object.hasOwn(json, field.name));
    if (missing.length > 0) throw incomplete(`Missing non-optional fields: Set(${missing.map((field) => field.name).join(", ")})`);
    const unexpected = Object.keys(json).filter((name) => json[name] !== null && type.indexOf(name) === undefined);
    if (unexpected.length > 0) throw invalid(`Unexpected fields: ${unexpected.join(", ")}`);
    return type.fields.map((field) => this.#at(field.name, field.type, Object.hasOwn(json, field.name) ? json[field.name] : null, nesting));
  }

  #fieldsInOrder({ fields }: RecordType, json: JsonObject, nesting: number): Value {
    const values = new Array<Value>(fields.length);
    let index = 0;
    for (const name in json) {
      values[index] = this.#at(name, fields[index]!.type, json[name], nesting);
      index += 1;
    }
    return values;
  }

  #variant(type: VariantType, json: unknown, nesting: number): Value {
    if (!isObject(json) || !Object.hasOwn(json, "tag") || !Object.hasOwn(json, "value"))
      throw expected("an object with tag and value", json);
    const tag = string(json["tag"], "a constructor as text");
    const rank = type.rankOf(tag);
    if (rank === undefined)
      throw invalid(`unexpected variant tag ${JSON.stringify(tag)}: no constructor of ${type.id.module}:${type.id.name}`);
    return new Variant(rank, tag, this.#at("value", type.constructors[rank]!.type, json["value"], nesting));
  }
}

/** Values are decoded one at a time: everything here is synchronous. */
const decoder = new JsonDecoder();

/** Of most objects: then no field is missing, and there are no others. Such loops are what V8 reads unknown objects quickest by. */
function hasFieldsInOrder({ fields }: RecordType, json: JsonObject): boolean {
  let count = 0;
  for (const name in json) {
    if (count === fields.length || name !== fields[count]!.name) return false;
    count += 1;
  }
  return count === fields.length;
}
