/**
 * From how the JSON API says no to how gRPC does. The ten keys of an error body tell all that Canton's gRPC tells, in another place;
 * what is answered without them, as text, is told by the code that fits its HTTP status.
 */
import { isObject, type JsonObject } from "../../base/json-object.js";
import type { WholeReply } from "../../http/index.js";
import type { Status } from "../call.js";
import { hiddenStatus, prefixOf, toStatus } from "./told-error.js";
import type { Entry } from "./truncation.js";

/** `google.rpc.Code`, as far as it is told here. */
const cancelledCode = 1,
  unknownCode = 2,
  invalidArgument = 3,
  deadlineExceeded = 4,
  permissionDenied = 7,
  resourceExhausted = 8,
  unimplementedCode = 12,
  internal = 13,
  unavailable = 14,
  unauthenticated = 16;

/** Where a body tells no code. A path without a route is a method that nobody does. */
const codeByHttpStatus: Readonly<Record<number, number>> = {
  400: invalidArgument,
  401: unauthenticated,
  403: permissionDenied,
  404: unimplementedCode,
  405: unimplementedCode,
  408: deadlineExceeded,
  413: resourceExhausted,
  414: invalidArgument,
  415: invalidArgument,
  429: resourceExhausted,
  500: internal,
  501: unimplementedCode,
  503: unavailable,
  504: deadlineExceeded,
};

/** What stands before the fault of a request that cannot be decoded. */
const unreadable = /^Invalid value for: /;

/** `traceId`: the caller's, for answers that name none. */
export function statusOfReply({ status, body }: Pick<WholeReply, "status" | "body">, traceId: string | undefined): Status {
  const text = typeof body === "string" ? body : Buffer.from(body).toString();
  return statusOfError(text) ?? statusOfText(status, text, traceId);
}

/** Of a frame that tells why a stream ended. */
export const statusOfFrame = (frame: string, traceId: string | undefined): Status =>
  statusOfError(frame) ?? hiddenStatus(internal, traceId, traceId);

function statusOfText(httpStatus: number, text: string, traceId: string | undefined): Status {
  const code = codeByHttpStatus[httpStatus] ?? unknownCode;
  if (code === invalidArgument) return undecodable(text.replace(unreadable, ""), traceId);
  if (code === internal || code === unauthenticated || code === permissionDenied) return hiddenStatus(code, traceId, traceId);
  if (code === unimplementedCode) return unimplemented("Method not found");
  return { code, message: text, details: undefined };
}

/** Canton finds it where it reads the message, and calls a field as protobuf does. */
function undecodable(fault: string, traceId: string | undefined): Status {
  const field = missingField.exec(fault)?.[1]?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (field === undefined) return badRequest(fault, traceId);
  const error = ownError({ code: "MISSING_FIELD", category: 8, grpcCode: invalidArgument, isDefinite: false }, traceId);
  return toStatus({
    ...error,
    cause: `The submitted command is missing a mandatory field: ${field}`,
    metadata: [["field_name", field], ...error.metadata],
  });
}

/** Of a path the last name. */
const missingField = /^body \(Missing required field at '(?:[^']*\.)?([A-Za-z]+)'/;

/** A request that says what it must not, or in a way that nobody reads. */
export const badRequest = (reason: string, traceId?: string): Status =>
  toStatus({
    ...ownError({ code: "INVALID_ARGUMENT", category: 8, grpcCode: invalidArgument, isDefinite: false }, traceId),
    cause: `The submitted request has invalid arguments: ${reason}`,
  });

export const unimplemented = (reason: string): Status => ({ code: unimplementedCode, message: reason, details: undefined });

/** Nobody will see it. */
export const cancelled: Status = { code: cancelledCode, message: "The caller left.", details: undefined };

/** Of a call that was not answered in time. */
export const timedOut = (cause: string, traceId: string | undefined): Status =>
  toStatus({
    ...ownError({ code: "REQUEST_TIME_OUT", category: 3, grpcCode: deadlineExceeded, isDefinite: false }, traceId),
    cause,
    retryMs: 1_000,
  });

/** Of a stream that ends with the node. */
export const shutDown = (traceId: string | undefined): Status =>
  toStatus({
    ...ownError({ code: "ABORTED_DUE_TO_SHUTDOWN", category: 1, grpcCode: unavailable }, traceId),
    cause: "request aborted due to shutdown",
    retryMs: 10_000,
  });

/** Of a conversation whose socket closed with a code that is no usual end; undefined for one that is. */
export function statusOfClose(code: number | undefined, traceId: string | undefined): Status | undefined {
  switch (code) {
    case 1000:
      return undefined;
    case 1001:
      return shutDown(traceId);
    case 1009:
      return { code: resourceExhausted, message: "The message is too long.", details: undefined };
    case 1013:
      return { code: unavailable, message: "Try again later.", details: undefined };
    case undefined:
      return cancelled;
    default:
      return hiddenStatus(internal, traceId, traceId);
  }
}

interface OwnError {
  readonly code: string;
  readonly category: number;
  readonly grpcCode: number;
  readonly isDefinite?: boolean;
}

const ownError = ({ isDefinite, ...error }: OwnError, traceId: string | undefined) => ({
  ...error,
  requestId: traceId,
  metadata: namingEntries(error.category, isDefinite ?? null, traceId),
  resources: [],
  retryMs: undefined,
});

/** An error in the JSON API's form; undefined where the text is none. */
function statusOfError(text: string): Status | undefined {
  const body = parsed(text),
    code = textOf(body?.["code"]),
    cause = textOf(body?.["cause"]);
  if (body === undefined || code === undefined || cause === undefined) return undefined;
  const grpcCode = numberOf(body["grpcCodeValue"]) ?? unknownCode,
    category = numberOf(body["errorCategory"]) ?? bare,
    traceId = textOf(body["traceId"]),
    requestId = textOf(body["correlationId"]) ?? traceId;
  if (category === bare && code === "NA") return hiddenStatus(grpcCode, requestId, traceId);
  if (category === bare) return { code: grpcCode, message: code === undescribed ? "" : code, details: undefined };
  const prefix = prefixOf({ code, category, requestId }); // of a cause of several lines the body has all of the text
  const shortCause = cause.startsWith(prefix) ? cause.slice(prefix.length) : cause;
  return toStatus({ code, category, grpcCode, requestId, cause: shortCause, ...detailsIn(body, category, traceId) });
}

/** The category of an error that hides what happened, and of a status that never had any details: its code is its text. */
const bare = -1;
const undescribed = "Status description not available";

function detailsIn(body: JsonObject, category: number, traceId: string | undefined) {
  const context = isObject(body["context"]) ? entriesOf(body["context"]) : [],
    // What the JSON layer finds itself is told with a bare context.
    isComplete = context.some(([name]) => name === "category"),
    isDefinite = body["definiteAnswer"];
  return {
    metadata: isComplete ? context : [...context, ...namingEntries(category, isDefinite, traceId)],
    resources: Array.isArray(body["resources"]) ? body["resources"].map(resourceOf) : [],
    retryMs: retryOf(textOf(body["retryInfo"])),
  };
}

const namingEntries = (category: number, isDefinite: unknown, traceId: string | undefined): readonly Entry[] => [
  ...(typeof isDefinite === "boolean" ? [["definite_answer", String(isDefinite)] as const] : []),
  ...(traceId === undefined ? [] : [["tid", traceId] as const]),
  ["category", String(category)],
];

const entriesOf = (object: JsonObject): readonly Entry[] => Object.entries(object).map(([name, value]) => [name, String(value)]);

/** Types of resources that came by way of the ledger are written as Scala prints them. */
function resourceOf(resource: unknown): Entry {
  const [type, name] = resource as readonly [string, string];
  return [/^ErrorResource\((.*)\)$/s.exec(type)?.[1] ?? type, name];
}

const unitMs: Readonly<Record<string, number>> = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** "1 second", "2 minutes". */
function retryOf(text: string | undefined): number | undefined {
  const [, count, unit] = /^(\d+) ([a-z]+?)s?$/.exec(text ?? "") ?? [];
  const ms = unit === undefined ? undefined : unitMs[unit];
  return ms === undefined ? undefined : Number(count) * ms;
}

const textOf = (json: unknown): string | undefined => (typeof json === "string" ? json : undefined);
const numberOf = (json: unknown): number | undefined => (typeof json === "number" ? json : undefined);

function parsed(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
