/** Values from JSON with exact numbers. Texts are taken for numbers too. */
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { fromJson, type ValueType } from "../../lf/index.js";
import {
  genMapOf,
  listFromArray,
  none,
  type RecordType,
  Some,
  textMapOf,
  type Value,
  Variant,
  type VariantType,
} from "../../lf/running-code.js";
import { roundedText, wholeText } from "./decimal-text.js";
import { JsonNumber } from "./exact-json.js";

/** A sentence says what does not fit. */
export function readPlainJson(type: ValueType, json: unknown): Result<Value, string> {
  try {
    return ok(new PlainJsonReader().value(type, json));
  } catch (error) {
    if (error instanceof Misfit) return fail(error.message);
    throw error;
  }
}

class Misfit extends Error {
  override readonly name = "Misfit";
}

class PlainJsonReader {
  /** Field names and indexes from the root to the value at hand, a text without characters for what is in an Optional. */
  readonly #path: (string | number)[] = [];

  value(type: ValueType, json: unknown): Value {
    if (this.#path.length > limits.valueNestingMax) this.#misfit(`value exceeds the maximum nesting of ${limits.valueNestingMax}`);
    switch (type.kind) {
      case "int64":
        return this.#scalar(type, json instanceof JsonNumber ? wholeText(json.text) : json);
      case "numeric":
        return this.#scalar(type, this.#rounded(type.scale, json));
      case "optional":
        return this.#optional(type.element, json);
      case "list":
        return listFromArray(this.#array(json).map((element, index) => this.#at(index, type.element, element)));
      case "textMap":
        return textMapOf(
          Object.entries(this.#object(json)).map(([key, entry]) => [this.#scalar({ kind: "text" }, key), this.#at(key, type.value, entry)]),
        );
      case "genMap":
        return genMapOf(this.#array(json).map((entry, index) => this.#entry(type.key, type.value, entry, index)));
      case "record":
        return Array.isArray(json) ? this.#fieldsInOrder(type, json) : this.#record(type, this.#object(json));
      case "variant":
        return this.#variant(type, json);
      case "unit":
        return this.#scalar(type, this.#object(json));
      default:
        return this.#scalar(type, json);
    }
  }

  #misfit(message: string): never {
    const path = this.#path.map((step) => (typeof step === "number" ? `[${step}]` : step && `.${step}`)).join("");
    throw new Misfit(path === "" ? message : `at ${path}: ${message}`);
  }

  #at(step: string | number, type: ValueType, json: unknown): Value {
    this.#path.push(step);
    const value = this.value(type, json);
    this.#path.pop();
    return value;
  }

  #scalar(type: ValueType, json: unknown): Value {
    const value = fromJson(type, json);
    return isFailure(value) ? this.#misfit(value.error.message) : value.ok;
  }

  #rounded(scale: number, json: unknown): unknown {
    const written = json instanceof JsonNumber ? json.text : json;
    return typeof written === "string" ? roundedText(written, scale) : written;
  }

  /** Some of an Optional is an array, so that None in it can be told from None. */
  #optional(element: ValueType, json: unknown): Value {
    if (json === null) return none;
    if (element.kind !== "optional") return new Some(this.#at("", element, json));
    const inner = this.#array(json);
    if (inner.length > 1) this.#misfit(`expected an array of at most one element, got ${inner.length}`);
    return new Some(inner.length === 0 ? none : this.#at(0, element, inner[0]));
  }

  #entry(keyType: ValueType, valueType: ValueType, json: unknown, index: number): readonly [Value, Value] {
    this.#path.push(index);
    const pair = this.#array(json);
    if (pair.length !== 2) this.#misfit("expected an array of key and value");
    const entry = [this.#at(0, keyType, pair[0]), this.#at(1, valueType, pair[1])] as const;
    this.#path.pop();
    return entry;
  }

  /** A missing Optional is None. As in the reference, fields that the type has not are passed over. */
  #record(type: RecordType, json: JsonObject): Value {
    const has = (name: string): boolean => Object.hasOwn(json, name);
    const missing = type.fields.filter((field) => field.type.kind !== "optional" && !has(field.name));
    if (missing.length > 0) this.#misfit(`missing non-optional fields: ${missing.map(({ name }) => name).join(", ")}`);
    return type.fields.map(({ name, type: of }) => this.#at(name, of, has(name) ? json[name] : null));
  }

  #fieldsInOrder({ fields }: RecordType, json: readonly unknown[]): Value {
    if (json.length !== fields.length) this.#misfit(`expected an array of ${fields.length} fields, got ${json.length}`);
    return fields.map(({ name, type }, index) => this.#at(name, type, json[index]));
  }

  #variant(type: VariantType, json: unknown): Value {
    const { tag, value } = this.#object(json);
    if (typeof tag !== "string" || value === undefined) return this.#misfit(`expected an object with tag and value, got ${excerpt(json)}`);
    const rank = type.rankOf(tag);
    if (rank === undefined) return this.#misfit(`unknown constructor ${JSON.stringify(tag)} of ${type.id.module}:${type.id.name}`);
    return new Variant(rank, tag, this.#at("value", type.constructors[rank]!.type, value));
  }

  #array(json: unknown): readonly unknown[] {
    return Array.isArray(json) ? json : this.#misfit(`expected an array, got ${excerpt(json)}`);
  }

  #object(json: unknown): JsonObject {
    const isObject = typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);
    return isObject ? (json as JsonObject) : this.#misfit(`expected an object, got ${excerpt(json)}`);
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function excerpt(json: unknown): string {
  const text = JSON.stringify(json) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
