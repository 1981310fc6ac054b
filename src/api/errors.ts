/**
 * How failures look to clients: the ten keys of an error body, its HTTP status, and what is hidden (Canton's `JsCantonError` and
 * `ErrorCategory`).
 */
import { assert } from "../base/assert.js";
import type { RawReply } from "../http/index.js";
import { type ErrorCode, errorCodes, type LedgerErrorData, logText, statusMessage } from "../ledger/index.js";
import type { Trace } from "./trace.js";

export interface RequestFailure extends LedgerErrorData {
  /** The submission id, where a submission failed. */
  readonly correlationId?: string;
  /** Where it is not the category's. */
  readonly httpStatus?: number;
  /** Part of the context that is shown even where the rest is redacted. */
  readonly shownContext?: Readonly<Record<string, string>>;
  /** Of a stream that was under way: it names no trace. */
  readonly isUntraced?: true;
  /** What is answered instead of an API's usual form; null: nothing. */
  readonly body?: Readonly<Record<string, string>> | null;
}

export interface Category {
  readonly grpc: number;
  readonly http: number;
  readonly retry?: true;
  readonly redacted?: true;
}

/** By number, after Canton's `ErrorCategory`; the HTTP status follows from the gRPC code. */
const categories: Readonly<Record<number, Category>> = {
  1: { grpc: 14, http: 503, retry: true },
  2: { grpc: 10, http: 409, retry: true },
  3: { grpc: 4, http: 504, retry: true },
  4: { grpc: 13, http: 500, redacted: true },
  5: { grpc: 3, http: 400, redacted: true },
  6: { grpc: 16, http: 401, redacted: true },
  7: { grpc: 7, http: 403, redacted: true },
  8: { grpc: 3, http: 400 },
  9: { grpc: 9, http: 400 },
  10: { grpc: 6, http: 409 },
  11: { grpc: 5, http: 404 },
  12: { grpc: 11, http: 400, retry: true },
  14: { grpc: 12, http: 501, redacted: true },
};

/** What clients get by the category of an error alone. */
export const categoryFacts = (category: number): Category | undefined => categories[category];

export interface ErrorBody {
  readonly code: string;
  readonly cause: string;
  readonly correlationId: string | null;
  readonly traceId: string | null;
  readonly context: Readonly<Record<string, string>>;
  readonly resources: readonly (readonly [string, string])[];
  readonly errorCategory: number;
  readonly grpcCodeValue: number | null;
  readonly retryInfo: string | null;
  readonly definiteAnswer: boolean | null;
}

export interface ErrorRenderer {
  /** The participant's short name, for `context.participant`. */
  readonly participant: string;
}

export function errorReply(failure: RequestFailure, trace: Trace, renderer: ErrorRenderer): RawReply {
  return {
    status: failure.httpStatus ?? categoryOf(failure).http,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(errorBody(failure, trace, renderer)),
  };
}

export function errorBody(failure: RequestFailure, trace: Trace, renderer: ErrorRenderer): ErrorBody {
  const category = categoryOf(failure);
  if (failure.origin === "json") return jsonLayerBody(failure, category, trace);
  if (failure.origin === "status") return statusBody(failure, category);
  if (isRedacted(failure)) return redactedBody(failure, category, trace);
  if (failure.origin === "untraced") return namelessBody(failure, category, { participant: renderer.participant });
  return failure.origin === "elsewhere" ? namelessBody(failure, category) : ledgerBody(failure, category, trace, renderer);
}

/** Whether clients get the fixed sentence instead of the cause. */
export const isRedacted = (failure: RequestFailure): boolean =>
  failure.origin !== "json" && failure.origin !== "status" && categoryOf(failure).redacted === true && !isShown(failure.code);

const isShown = (code: string): boolean => code in errorCodes && (errorCodes as Readonly<Record<string, ErrorCode>>)[code]!.shown === true;

const categoryOf = (failure: RequestFailure): Category => {
  const category = categories[failure.category];
  assert(category !== undefined, `error ${failure.code} has the unknown category ${failure.category}`);
  return category;
};

/** Of an error that the JSON layer itself found: bare context and resources, never redacted. */
function jsonLayerBody(failure: RequestFailure, category: Category, trace: Trace): ErrorBody {
  return {
    code: failure.code,
    cause: failure.cause,
    correlationId: failure.correlationId ?? trace.traceId,
    traceId: trace.traceId,
    context: failure.context,
    resources: failure.resources,
    errorCategory: failure.category,
    grpcCodeValue: category.grpc,
    retryInfo: category.retry ? "1 second" : null,
    definiteAnswer: failure.definiteAnswer ?? false,
  };
}

/** What Java's `.` does not match. */
const lineEnd = /[\n\r\u0085\u2028\u2029]/;

/** The reference finds the cause in the text of a status only where that is one line; all of the text is the cause otherwise. */
function causeIn(failure: RequestFailure, trace: Trace): string {
  return lineEnd.test(failure.cause) ? statusMessage(failure, failure.correlationId ?? trace.traceId) : failure.cause;
}

/** The answer of a gRPC service, as the reference decodes it. */
function ledgerBody(failure: RequestFailure, category: Category, trace: Trace, renderer: ErrorRenderer): ErrorBody {
  const participant = failure.requestLog === undefined ? renderer.participant : logText(renderer.participant),
    isTraced = failure.isUntraced !== true;
  return {
    ...namelessBody(failure, category),
    cause: causeIn(failure, trace),
    correlationId: failure.correlationId ?? null,
    traceId: isTraced ? trace.traceId : null,
    // A model may name its entries as it likes: those of the node win.
    context: {
      ...failure.context,
      ...failure.requestLog,
      participant,
      category: String(failure.category),
      ...(isTraced ? { tid: trace.traceId } : {}),
      ...definiteEntry(failure),
      ...failure.shownContext,
    },
  };
}

const definiteEntry = ({ definiteAnswer }: RequestFailure): Readonly<Record<string, string>> =>
  definiteAnswer === undefined ? {} : { definite_answer: String(definiteAnswer) };

/** The same of an error that does not name its request, and the node only in `names`. */
const namelessBody = (failure: RequestFailure, category: Category, names: Readonly<Record<string, string>> = {}): ErrorBody => ({
  code: failure.code,
  cause: failure.cause,
  correlationId: null,
  traceId: null,
  context: { ...failure.context, ...names, category: String(failure.category), ...definiteEntry(failure) },
  resources: failure.resources.map(([kind, id]) => [`ErrorResource(${kind})`, id] as const),
  errorCategory: failure.category,
  grpcCodeValue: category.grpc,
  retryInfo: category.retry ? "1 second" : null,
  definiteAnswer: null,
});

/** A status without error details. */
function statusBody(failure: RequestFailure, category: Category): ErrorBody {
  return {
    code: failure.code,
    cause: failure.cause,
    correlationId: null,
    traceId: null,
    context: {},
    resources: [],
    errorCategory: -1,
    grpcCodeValue: category.grpc,
    retryInfo: null,
    definiteAnswer: null,
  };
}

/** Security-sensitive: the log has the details under this trace id, the client gets the fixed sentence. */
function redactedBody(failure: RequestFailure, category: Category, trace: Trace): ErrorBody {
  return {
    code: "NA",
    cause: "A security-sensitive error has been received",
    correlationId: trace.traceId,
    traceId: trace.traceId,
    context: failure.shownContext ?? {},
    resources: [],
    errorCategory: -1,
    grpcCodeValue: category.grpc,
    retryInfo: null,
    definiteAnswer: null,
  };
}
