/** An error with all that gRPC tells of it, and its two forms: a line of text, and `google.rpc.Status` with details. */
import { limits } from "../../config.js";
import { ProtoWriter } from "../../lf/wire/index.js";
import type { Status } from "../call.js";
import { anyOverheadBytes, type Entry, overheadBytes, shortened, truncated, typeUrl } from "./truncation.js";

export interface ToldError {
  readonly code: string;
  readonly category: number;
  readonly grpcCode: number;
  readonly cause: string;
  /** Names the request in the text and in the details: of a submission or of the trace; undefined: nobody knows. */
  readonly requestId: string | undefined;
  /** With `category`, and what else names the error, in their order. */
  readonly metadata: readonly Entry[];
  /** Type and name of each. */
  readonly resources: readonly Entry[];
  /** Undefined: trying again will not help. */
  readonly retryMs: number | undefined;
}

/** What a status never leaves out. */
const mandatory: ReadonlySet<string> = new Set(["category", "definite_answer", "tid"]);

export const toStatus = (error: ToldError): Status => {
  const told = {
    ...error,
    cause: shortened(error.cause, limits.grpcCauseCharsMax),
    requestId: error.requestId?.slice(0, limits.grpcIdCharsMax),
  };
  const message = `${prefixOf(told)}${told.cause}`,
    details = statusBytes(error.grpcCode, message, detailsOf(told));
  return { code: error.grpcCode, message, details: details.length <= limits.grpcStatusBytesMax ? details : boundedDetails(told, message) };
};

/** What stands before the cause. */
export const prefixOf = ({ code, category, requestId }: Pick<ToldError, "code" | "category" | "requestId">): string =>
  `${code}(${category},${(requestId ?? "0").slice(0, 8)}): `;

/** Of a security-sensitive error, which only the log knows. */
export function hiddenStatus(grpcCode: number, requestId: string | undefined, traceId: string | undefined): Status {
  const message =
    "An error occurred. Please contact the operator and inquire about the request "
    + `${requestId ?? "<no-correlation-id>"} with tid ${traceId ?? "<no-tid>"}`;
  return { code: grpcCode, message, details: statusBytes(grpcCode, message, requestInfo(requestId ?? traceId)) };
}

/** With as much of context and resources as there is room for. */
function boundedDetails(error: ToldError, message: string): Uint8Array {
  const fixed = error.metadata.filter(([name]) => mandatory.has(name)),
    more = error.metadata.filter(([name]) => !mandatory.has(name));
  const { entries, resources } = truncated(more, error.resources, limits.grpcStatusBytesMax - fixedBytes(error, message, fixed));
  return statusBytes(error.grpcCode, message, detailsOf({ ...error, metadata: [...entries, ...fixed], resources }));
}

/** What is told in any case takes no more than that: the code, texts, and all details but the resources. */
function fixedBytes(error: ToldError, message: string, fixed: readonly Entry[]): number {
  const texts = [message, error.code, ...fixed.flat()];
  const whole = [...(error.retryMs === undefined ? [] : [retryInfo(error.retryMs)]), ...requestInfo(error.requestId)].map(anyBytes);
  return (
    1
    + overheadBytes
    + texts.reduce((sum, text) => sum + Buffer.byteLength(text) + overheadBytes, 0)
    + whole.reduce((sum, { length }) => sum + length + overheadBytes, 0)
    + anyOverheadBytes("ErrorInfo")
  );
}

/** The name of a type of google/rpc/error_details.proto, and what writes the message. */
type Detail = readonly [type: string, write: (out: ProtoWriter) => void];

/** Clients tell resources apart by their order. */
const detailsOf = (error: ToldError): readonly Detail[] => [
  ["ErrorInfo", (out) => writeErrorInfo(out, error)],
  ...(error.retryMs === undefined ? [] : [retryInfo(error.retryMs)]),
  ...requestInfo(error.requestId),
  ...error.resources.map(([type, name]): Detail => ["ResourceInfo", (out) => writePair(out, type, name)]),
];

const requestInfo = (id: string | undefined): readonly Detail[] =>
  id === undefined ? [] : [["RequestInfo", (out) => out.textField(1, id)]];

const retryInfo = (ms: number): Detail => [
  "RetryInfo",
  (out) => {
    const mark = out.length,
      nanos = (ms % 1_000) * 1_000_000,
      seconds = Math.floor(ms / 1_000);
    if (nanos > 0) writeNumber(out, 2, nanos);
    if (seconds > 0) writeNumber(out, 1, seconds);
    out.closeMessage(1, mark);
  },
];

function writeErrorInfo(out: ProtoWriter, { code, metadata }: ToldError): void {
  for (const [name, value] of metadata.toReversed()) {
    const mark = out.length;
    writePair(out, name, value);
    out.closeMessage(3, mark);
  }
  out.textField(1, code);
}

/** The first two fields of a message. */
function writePair(out: ProtoWriter, first: string, second: string): void {
  out.textField(2, second);
  out.textField(1, first);
}

function writeNumber(out: ProtoWriter, field: number, value: number): void {
  out.varint(value);
  out.tag(field, 0);
}

const writer = new ProtoWriter();

/** The detail as `google.protobuf.Any`. */
function anyBytes([type, write]: Detail): Uint8Array {
  write(writer);
  writer.closeMessage(2, 0);
  writer.textField(1, typeUrl(type));
  return writer.finish();
}

/** `google.rpc.Status`. */
function statusBytes(code: number, message: string, details: readonly Detail[]): Uint8Array {
  for (const any of details.map(anyBytes).toReversed()) writer.bytesField(3, any);
  writer.textField(2, message);
  writeNumber(writer, 1, code);
  return writer.finish();
}
