/** Holds two JSON trees together and tells where they part. */
import { isObject, type Json } from "./scenario-values.js";

export interface Difference {
  readonly path: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

export function* differences(expected: Json | undefined, actual: Json | undefined, path = ""): IterableIterator<Difference> {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    for (let i = 0; i < length; i += 1) yield* differences(expected[i] as Json | undefined, actual[i] as Json | undefined, `${path}[${i}]`);
  } else if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      yield* differences(expected[key], actual[key], `${path}.${key}`);
  } else if (expected !== actual) yield { path, expected, actual };
}

/** A JSON object without members that are undefined in JavaScript, as it would be written to a file. */
export const asJson = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item))) as Json;
