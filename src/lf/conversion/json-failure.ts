/** How decoding of a value from JSON fails. */

import { isObject, type JsonObject } from "../../base/json-object.js";
import type { PreprocessingError } from "../errors.js";

type Answer = Pick<PreprocessingError, "code" | "origin">;

/** Raised where a value does not fit, caught where decoding began. */
export class JsonFailure extends Error {
  override readonly name = "JsonFailure";
  constructor(
    readonly class_: string,
    message: string,
    readonly answer: Answer,
  ) {
    super(message);
  }
}

/** JSON that is not that of a value of the type. */
export const invalid = (message: string): JsonFailure =>
  new JsonFailure("InvalidArgument", message, { code: "INVALID_ARGUMENT", origin: "json" });
export const incomplete = (message: string): JsonFailure => new JsonFailure("TypeMismatch", message, { origin: "json" });
/** The text of a value that there is not. */
export const malformed = (message: string): JsonFailure => new JsonFailure("InvalidArgument", message, { code: "INVALID_ARGUMENT" });
/** A value that its type, or the engine, does not take. */
export const refused = (class_: string, message: string): JsonFailure => new JsonFailure(class_, message, {});
export const expected = (what: string, json: unknown): JsonFailure => invalid(`expected ${what}, got ${excerpt(json)}`);

export function excerpt(json: unknown): string {
  const text = JSON.stringify(json) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export function string(json: unknown, what: string): string {
  if (typeof json !== "string") throw expected(what, json);
  return json;
}
export function array(json: unknown): readonly unknown[] {
  if (!Array.isArray(json)) throw expected("an array", json);
  return json;
}
export function object(json: unknown): JsonObject {
  if (!isObject(json)) throw expected("an object", json);
  return json;
}
