/** Requests to the operations of the JSON API. */
import { fail, ok } from "../../base/result.js";
import { missingField } from "../../ledger/index.js";
import type { Asked, Json, JsonRequest } from "../method.js";

type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** What is empty is left out: it says nothing. */
function textOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    typeof value === "object"
      ? value.map((each) => [name, each] as const)
      : value === "" || value === 0
        ? []
        : [[name, String(value)] as const],
  );
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}

const request = (method: JsonRequest["method"], path: string, query: Query, body: JsonRequest["body"]): JsonRequest => ({
  method,
  path,
  query: textOf(query),
  body,
});

export const get = (path: string, query: Query = {}): JsonRequest => request("GET", path, query, undefined);
export const post = (path: string, body: Json | Uint8Array, query: Query = {}): JsonRequest => request("POST", path, query, body);
export const patch = (path: string, body: Json): JsonRequest => request("PATCH", path, {}, body);
export const remove = (path: string, query: Query = {}): JsonRequest => request("DELETE", path, query, undefined);

/** That which takes the message as it is. */
export const posting =
  (path: string) =>
  (message: Json): Asked<JsonRequest> =>
    ok(post(path, message));

/** What a request of gRPC may leave out and one of JSON may not; `name` is that which the reference says. */
export const required = <T>(value: T | undefined, name: string): Asked<T> => (value === undefined ? fail(missingField(name)) : ok(value));

/** A path has no place for nothing. */
export const requiredId = (id: string, name: string): Asked<string> => required(id === "" ? undefined : encodeURIComponent(id), name);

export const nothing = (): Json => ({});
