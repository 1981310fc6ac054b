/**
 * An error as a `google.rpc.Status` in JSON, as completions and interface views carry it: the details are protobuf
 * messages in base64 beside their decoded form (google/rpc/error_details.proto).
 */
import type { CompletionStatus, LedgerErrorData } from "./model.js";

/** gRPC code by error category (Canton's `ErrorCategory`). */
const grpcCodes: Readonly<Record<number, number>> = {
  1: 14,
  2: 10,
  3: 4,
  4: 13,
  5: 3,
  6: 16,
  7: 7,
  8: 3,
  9: 9,
  10: 6,
  11: 5,
  12: 11,
  14: 12,
};
const grpcCodeOf = (category: number): number => grpcCodes[category] ?? 2;
const isRetryable = (category: number): boolean => category === 1 || category === 2 || category === 3 || category === 12;

const unknownFields = { fields: {} };

/** A length-delimited protobuf field. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const head: number[] = [(number << 3) | 2];
  let length = bytes.length;
  while (length >= 0x80) {
    head.push((length & 0x7f) | 0x80);
    length >>>= 7;
  }
  head.push(length);
  return Buffer.concat([Buffer.from(head), bytes]);
}

interface Detail {
  readonly typeUrl: string;
  readonly value: string;
  readonly valueDecoded: unknown;
  readonly unknownFields: unknown;
}

const detail = (name: string, bytes: Buffer, decoded: object): Detail => ({
  typeUrl: `type.googleapis.com/google.rpc.${name}`,
  value: bytes.toString("base64"),
  valueDecoded: { ...decoded, unknownFields },
  unknownFields,
});

/** Duration {seconds: 1} inside RetryInfo.retry_delay. */
const oneSecond = field(1, Buffer.from([0x08, 0x01]));

function detailsOf(error: LedgerErrorData, metadata: Readonly<Record<string, string>>, traceId: string | undefined): Detail[] {
  const entries = Object.entries(metadata);
  const errorInfo = Buffer.concat([
    field(1, error.code),
    ...entries.map(([key, value]) => field(3, Buffer.concat([field(1, key), field(2, value)]))),
  ]);
  const details = [detail("ErrorInfo", errorInfo, { reason: error.code, domain: "", metadata })];
  if (isRetryable(error.category)) details.push(detail("RetryInfo", oneSecond, { retryDelay: { seconds: 1, nanos: 0, unknownFields } }));
  const requestId = error.correlationId ?? traceId;
  if (requestId) details.push(detail("RequestInfo", field(1, requestId), { requestId, servingData: "" }));
  for (const [resourceType, resourceName] of error.resources) {
    details.push(
      detail("ResourceInfo", Buffer.concat([field(1, resourceType), field(2, resourceName)]), {
        resourceType,
        resourceName,
        owner: "",
        description: "",
      }),
    );
  }
  return details;
}

/** Of what was accepted, as a completion has it and as it is printed. */
export const acceptedStatus: CompletionStatus = { code: 0, message: "" };
export const okStatus = `{"code":0,"message":"","details":[]}`;

/** With the first of the trace's or the submission's id, or 0 where there is none. */
export const statusMessage = ({ code, category, cause }: LedgerErrorData, traceId?: string): string =>
  `${code}(${category},${(traceId ?? "0").slice(0, 8)}): ${cause}`;

/** `participant`: the name of the node, where the status tells it. */
export function statusJson(error: LedgerErrorData, traceId: string | undefined, participant?: string): string {
  return error.origin === "elsewhere" ? statusOf(error) : statusOf(error, traceId, participant);
}

function statusOf(error: LedgerErrorData, traceId?: string, participant?: string): string {
  const metadata: Record<string, string> = {
    ...error.context,
    ...(participant === undefined ? {} : { participant }),
    category: String(error.category),
  };
  if (error.definiteAnswer !== undefined) metadata["definite_answer"] = String(error.definiteAnswer);
  if (traceId) metadata["tid"] = traceId;
  const details = detailsOf(error, metadata, traceId);
  return JSON.stringify({ code: grpcCodeOf(error.category), message: statusMessage(error, traceId), details });
}

/** The trace id inside a W3C traceparent (`00-<trace id>-<span id>-<flags>`). */
export const traceIdOf = (traceparent: string | null): string | undefined => traceparent?.split("-")[1];
