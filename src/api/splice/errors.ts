/** How the servers of the token standard say no: one field, `error`. */
import { assert } from "../../base/assert.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import type { RawReply } from "../../http/index.js";
import type { Refusal, RefusalKind } from "../../splice/index.js";
import type { ErrorForm } from "../api.js";
import { categoryFacts, isRedacted, type RequestFailure } from "../errors.js";

/** The body of every failure. */
export interface ErrorResponse {
  readonly error: string;
}

const jsonReply = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): RawReply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

const reply = (status: number, error: string, headers?: Readonly<Record<string, string>>): RawReply =>
  jsonReply(status, { error } satisfies ErrorResponse, headers);

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  notFound: 404,
  conflict: 409,
  busy: 429,
  unavailable: 503,
  internal: 500,
  unimplemented: 501,
};
const codes: Readonly<Record<RefusalKind, string>> = {
  invalid: "INVALID_ARGUMENT",
  notFound: "NOT_FOUND",
  conflict: "CONFLICT",
  busy: "BUSY",
  unavailable: "UNAVAILABLE",
  internal: "INTERNAL",
  unimplemented: "UNIMPLEMENTED",
};
/** Metrics and logs know a refusal by its code; the category only has to be one that exists. */
const visible = 8;

export const refused = ({ kind, message, answer }: Refusal): RequestFailure => ({
  code: codes[kind],
  cause: message,
  category: visible,
  context: {},
  ...(answer === undefined ? {} : { body: answer }),
  resources: [],
  definiteAnswer: undefined,
  httpStatus: statuses[kind],
});

/** Who is known, and may not. */
export const forbidden = (userId: string): RequestFailure => ({
  ...refused({ kind: "invalid", message: `Authorization Failed for ${userId}` }),
  code: "PERMISSION_DENIED",
  httpStatus: 403,
});

/** A domain's answer as a handler's. */
export const answered = <T>(result: Result<T, Refusal>): Result<T, RequestFailure> =>
  isFailure(result) ? { error: refused(result.error) } : result;

/** The same, with the value as clients see it, which may take turns. */
export const answeredAs = async <T, W>(
  result: Result<T, Refusal>,
  wire: (value: T) => W | Promise<W>,
): Promise<Result<W, RequestFailure>> => (isFailure(result) ? { error: refused(result.error) } : ok(await wire(result.ok)));

const hidden: Readonly<Record<number, string>> = {
  401: "The supplied authentication is invalid",
  403: "Authorization Failed",
  500: "An unexpected error occurred.",
};

function failureReply(failure: RequestFailure): RawReply {
  const status = failure.httpStatus ?? categoryFacts(failure.category)?.http;
  assert(status !== undefined, `error ${failure.code} has a known category`);
  if (failure.body === null) return { status };
  if (failure.body !== undefined) return jsonReply(status, failure.body);
  const text = isRedacted(failure) ? (hidden[status] ?? "The request was refused.") : failure.cause;
  return reply(status, text, status === 401 ? { "www-authenticate": `Bearer realm="splice"` } : {});
}

export const spliceErrors: ErrorForm = {
  failure: failureReply,
  frame: ({ cause }) => JSON.stringify({ error: cause }),
  unreadable: (what) => reply(400, `Invalid value for: ${what}`),
  notFound: ({ path }) => reply(404, `There is no operation at ${path}.`),
  methodNotAllowed: (_, allow) => reply(405, "HTTP method not allowed", { allow: allow.join(", ") }),
};
