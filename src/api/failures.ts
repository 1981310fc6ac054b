/** The failures that the API itself finds in a request; all others come from the ledger. */
import { unreachable } from "../base/assert.js";
import { type AuthenticationFailure, type Caller, malformedProvider, type RequiredClaim, type StreamEnd } from "../auth/index.js";
import { limits } from "../config.js";
import {
  type ErrorCode,
  errorCodes,
  instantText,
  invalidJsonArgument,
  jsonError,
  ledgerError,
  ledgerStringProblem,
  shortened,
  userIdProblem,
} from "../ledger/index.js";
import type { RequestFailure } from "./errors.js";

export { invalidArgument, invalidField, missingField, missingUserId, ofSubmission, whileUntraced } from "../ledger/index.js";

/** Without authentication nobody is anybody. Clients know by Canton's words that tokens are not asked for, so ours come after them. */
export const noAuthenticatedUser = (): RequestFailure =>
  ledgerError(
    "INVALID_TOKEN",
    "The submitted request is missing a user-id: requests with an empty user-id are only supported if there is an authenticated user. "
      + "No tokens are asked for here. Users are found by their names at /v2/users/{user-id}.",
  );

const statusOf = ({ http }: ErrorCode): Pick<RequestFailure, "httpStatus"> => (http === undefined ? {} : { httpStatus: http });

/** Causes of security-sensitive failures are for our log; clients do not see them. */
export function claimMissing(caller: Caller, claim: RequiredClaim): RequestFailure {
  const malformed = malformedProvider(caller, claim);
  if (malformed !== undefined) return noProviderId(malformed);
  return ledgerError(
    "PERMISSION_DENIED",
    `${caller.userId === undefined ? "The caller" : `User ${caller.userId}`} lacks the claim ${claim.kind}.`,
  );
}

/** Canton finds it where it looks for rights, and speaks of the token. */
const noProviderId = (text: string): RequestFailure =>
  ledgerError(
    "INVALID_TOKEN",
    `The submitted token has a field with invalid value: Invalid field identity_provider_id: ${ledgerStringProblem(text)!}`,
  );

const unauthenticated = (detail: string): RequestFailure => ({
  code: "UNAUTHENTICATED",
  cause: detail,
  category: 6,
  context: {},
  resources: [],
  definiteAnswer: undefined,
});

const noUserId = (subject: string): string => `The submitted request is missing a user-id: token ${userIdProblem(subject)!}`;

/** Clients see this key when a good token did not lead to a caller. */
const userLookupFailed = { ledger_api_error: "invalid token" };

export function authenticationFailed({ reason, detail, subject }: AuthenticationFailure): RequestFailure {
  switch (reason) {
    case "unauthenticated":
      return unauthenticated(detail);
    case "unknownUser":
      return { ...ledgerError("PERMISSION_DENIED", detail), shownContext: userLookupFailed };
    case "otherParticipant":
      return ledgerError("PERMISSION_DENIED", detail);
    case "malformedUser":
      return { ...ledgerError("INVALID_TOKEN", subject === undefined ? detail : noUserId(subject)), shownContext: userLookupFailed };
    default:
      return unreachable(reason);
  }
}

/** Whether a good token did not lead to a caller. */
export const isFailedLookup = ({ shownContext }: RequestFailure): boolean => shownContext === userLookupFailed;

export const noIdleTime = (ms: number): RequestFailure =>
  invalidJsonArgument(`a list ends when nothing came for stream_idle_timeout_ms, which cannot be ${ms}`);

/** A running stream lost what let it in. */
export const streamEnded = (end: StreamEnd): RequestFailure => ({ ...endOfStream(end), isUntraced: true });

function endOfStream(end: StreamEnd): RequestFailure {
  if (end.reason === "rightsChanged") return ledgerError("STALE_STREAM_AUTHORIZATION", "Stale stream authorization. Retry quickly.");
  const until = instantText(BigInt(end.expiresAtSeconds) * 1_000_000n),
    now = instantText(BigInt(end.nowMs) * 1_000n);
  return ledgerError("ACCESS_TOKEN_EXPIRED", `Claims were valid until ${until}, current time is ${now}`);
}

/** A bug of ours: the log has it under the trace id, the client gets the redacted body. */
export const internalError = (): RequestFailure => ledgerError("LEDGER_API_INTERNAL_ERROR", "");

/** A message that is no request: in the words of the plain 400 that the list answers. */
export const undecodableMessage = (unreadable: string): RequestFailure => jsonError("INVALID_ARGUMENT", `Invalid value for: ${unreadable}`);

const refusedAtTheDoor = (code: "HOST_NOT_ALLOWED" | "ORIGIN_NOT_ALLOWED" | "CONTENT_TYPE_NOT_ALLOWED", cause: string): RequestFailure => ({
  ...jsonError(code, cause),
  ...statusOf(errorCodes[code]),
});

const quoted = (text: string): string => JSON.stringify(shortened(text, limits.errorDetailCharsMax));

export const hostNotAllowed = (host: string): RequestFailure =>
  refusedAtTheDoor(
    "HOST_NOT_ALLOWED",
    `The Host header ${quoted(host)} does not name this machine. If it is a name of this node, start it with --allow-host and the name.`,
  );
export const originNotAllowed = (origin: string): RequestFailure =>
  refusedAtTheDoor(
    "ORIGIN_NOT_ALLOWED",
    `The Origin header ${quoted(origin)} is not one that may use this node. If it may, start the node with --allow-origin and this origin.`,
  );
export const embeddedElsewhere = (): RequestFailure =>
  refusedAtTheDoor(
    "ORIGIN_NOT_ALLOWED",
    "The Sec-Fetch-Site header says that a page of another site embeds this, and there is no Origin header to tell which.",
  );
export const contentTypeNotAllowed = (): RequestFailure =>
  refusedAtTheDoor(
    "CONTENT_TYPE_NOT_ALLOWED",
    "The Content-Type header of a body that comes with an Origin header must be application/json, or application/octet-stream for a DAR.",
  );

export function noRoomForBody(): RequestFailure {
  const cause = `The bodies of all requests together are at their limit of ${limits.bodiesBytesMax} bytes.`;
  return { ...ledgerError("HEAP_MEMORY_OVER_LIMIT", cause), ...statusOf(errorCodes.HEAP_MEMORY_OVER_LIMIT) };
}

export function noRoomForReply(): RequestFailure {
  const cause = `The lists of all requests together are at their limit of ${limits.repliesBytesMax} bytes.`;
  return { ...ledgerError("HEAP_MEMORY_OVER_LIMIT", cause), ...statusOf(errorCodes.HEAP_MEMORY_OVER_LIMIT) };
}

export const listTooLong = (elements: number, limit: number): RequestFailure =>
  listRefused(`The number of matching elements (${elements}) is greater than the node limit (${limit}).`);

/** Pages, streams and a lower limit have a way to them. */
export const listTooLarge = (elements: number, bytesMax: number): RequestFailure =>
  listRefused(`The first ${elements} of the matching elements take more bytes than the node limit (${bytesMax}).`);

const listRefused = (cause: string): RequestFailure => ({
  code: "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
  cause,
  category: 2,
  context: {},
  resources: [],
  definiteAnswer: false,
  origin: "json",
  httpStatus: 413,
});
