/** Arguments and results of scripts in files: as the Ledger API writes values, but with numbers for Int64 and Numeric. */
import { assert } from "../base/assert.js";
import type { Result } from "../base/result.js";
import { fromJson, type LedgerValue, toJson, type ValueType } from "../lf/index.js";
import type { Value } from "../lf/running-code.js";

type Failure = Extract<ReturnType<typeof fromJson>, { error: unknown }>["error"];

/** Numbers may stand as texts, which is safer for large ones. */
export const readPlainJson = (type: ValueType, json: unknown): Result<Value, Failure> =>
  fromJson(
    type,
    mapNumbers(type, json, (number) => (typeof number === "number" ? String(number) : number)),
  );

/** JSON text; a number is written with all its digits. */
export function showPlainJson(type: ValueType, value: LedgerValue): string {
  const numbers: string[] = [];
  const marked = mapNumbers(type, JSON.parse(toJson(type, value)), (number) => {
    assert(typeof number === "string", "the Ledger API writes numbers as texts");
    return `\u0000${numbers.push(number.replace(/\.$/, ".0")) - 1}`; // no text of a value holds this character
  });
  return JSON.stringify(marked, undefined, 2).replaceAll(/"\\u0000(\d+)"/g, (_, index: string) => numbers[Number(index)]!);
}

/** Walks JSON by its type; what does not fit is left for who checks it. */
function mapNumbers(type: ValueType, json: unknown, map: (number: unknown) => unknown): unknown {
  if (type.kind === "int64" || type.kind === "numeric") return map(json);
  if (json === null || typeof json !== "object") return json;
  const inner =
    (of: ValueType) =>
    (part: unknown): unknown =>
      mapNumbers(of, part, map);
  const members = json as Readonly<Record<string, unknown>>;
  switch (type.kind) {
    case "optional":
      return Array.isArray(json) && type.nested ? json.map(inner(type.element)) : mapNumbers(type.element, json, map);
    case "list":
      return Array.isArray(json) ? json.map(inner(type.element)) : json;
    case "textMap":
      return Object.fromEntries(Object.entries(members).map(([key, part]) => [key, inner(type.value)(part)]));
    case "genMap":
      return Array.isArray(json)
        ? json.map((pair: unknown) => (Array.isArray(pair) ? [inner(type.key)(pair[0]), inner(type.value)(pair[1])] : pair))
        : json;
    case "record":
      return Object.fromEntries(
        Object.entries(members).map(([name, part]) => [
          name,
          part === undefined ? part : inner(type.fields[type.indexOf(name) ?? -1]?.type ?? { kind: "unit" })(part),
        ]),
      );
    case "variant": {
      const rank = typeof members["tag"] === "string" ? type.rankOf(members["tag"]) : undefined;
      return rank === undefined ? json : { ...members, value: inner(type.constructors[rank]!.type)(members["value"]) };
    }
    default:
      return json;
  }
}
