/** The failures that the API itself finds in a request; all others come from the ledger. */
import { unreachable } from "../base/assert.js";
import type { AuthenticationFailure, Caller, RequiredClaim, StreamEnd } from "../auth/index.js";
import { ledgerError } from "../ledger/errors.js";
import { undecodedFrameEntry } from "../ledger/request-log.js";
import type { Unreadable } from "./dispatch.js";
import type { RequestFailure } from "./errors.js";

export { invalidArgument, invalidField, missingField, missingUserId, ofSubmission } from "../ledger/errors.js";

/** Without authentication nobody is anybody. */
export const noAuthenticatedUser = (): RequestFailure =>
  ledgerError("INVALID_TOKEN", "There is no authenticated user, as there is no token that names one. Users are found by their names at /v2/users/{user-id}.");

/** Causes of security-sensitive failures are for our log; clients do not see them. */
export const claimMissing = (caller: Caller, claim: RequiredClaim): RequestFailure =>
  ledgerError("PERMISSION_DENIED", `${caller.userId === undefined ? "The caller" : `User ${caller.userId}`} lacks the claim ${claim.kind}.`);

const unauthenticated = (detail: string): RequestFailure => ({ code: "UNAUTHENTICATED", cause: detail, category: 6, context: {}, resources: [], definiteAnswer: undefined });

/** Clients see this key when a good token did not lead to a caller. */
const userLookupFailed = { ledger_api_error: "invalid token" };

export function authenticationFailed({ reason, detail }: AuthenticationFailure): RequestFailure {
  switch (reason) {
    case "unauthenticated":
      return unauthenticated(detail);
    case "unknownUser":
      return { ...ledgerError("PERMISSION_DENIED", detail), shownContext: userLookupFailed };
    case "otherParticipant":
      return ledgerError("PERMISSION_DENIED", detail);
    case "malformedUser":
      return { ...ledgerError("INVALID_TOKEN", detail), shownContext: userLookupFailed };
    default:
      return unreachable(reason);
  }
}

/** A running stream lost what let it in. */
export function streamEnded(end: StreamEnd): RequestFailure {
  if (end.reason === "rightsChanged") return ledgerError("STALE_STREAM_AUTHORIZATION", "The rights of the user changed since the stream began.");
  const [until, now] = [end.expiresAtSeconds * 1_000, end.nowMs].map(ms => new Date(ms).toISOString());
  return ledgerError("ACCESS_TOKEN_EXPIRED", `Claims were valid until ${until}, current time is ${now}`);
}

/** A bug of ours: the log has it under the trace id, the client gets the redacted body. */
export const internalError = (): RequestFailure => ledgerError("LEDGER_API_INTERNAL_ERROR", "");

/** A frame that is no request. The reference says it unredacted, so that clients can see what was wrong. */
export const undecodableFrame = (frame: Uint8Array, { unreadable, fault = unreadable }: Unreadable): RequestFailure =>
  ({ ...ledgerError("LEDGER_API_INTERNAL_ERROR", `Cannot decode frame: ${unreadable}`, { context: undecodedFrameEntry(frame, fault) }), origin: "json" });

export const listTooLong = (elements: number, limit: number): RequestFailure => ({
  code: "JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED",
  cause: `The number of matching elements (${elements}) is greater than the node limit (${limit}).`,
  category: 2,
  context: {},
  resources: [],
  definiteAnswer: false,
  origin: "json",
  httpStatus: 413,
});
