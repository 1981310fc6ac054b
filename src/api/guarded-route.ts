import { createHash, timingSafeEqual } from "node:crypto";
import { type Authentication, type Caller, credentialsOf, missingClaim, participantAdmin } from "../auth/index.js";
import type { Head, HeadDecision, Route } from "../http/index.js";
import type { ErrorForm } from "./api.js";
import type { RequestFailure } from "./errors.js";
import { authenticationFailed, claimMissing } from "./failures.js";
import type { HiddenFailures } from "./hidden-failures.js";
import { traceOf } from "./trace.js";

export interface OperatorAccess {
  readonly authentication: Authentication;
  /** Opens the route without being anybody's. */
  readonly token: string | undefined;
}

interface Refusals {
  readonly errors: ErrorForm;
  readonly hiddenFailures: HiddenFailures;
}

const notItsToken = authenticationFailed({ reason: "unauthenticated", detail: "not the token of this route" });

/**
 * A route of the node's operator: where tokens are asked for it is for participant admins, and for the holder of a token of its
 * own, if there is one. With neither it is open.
 */
export function guardedRoute(route: Route, { authentication, token }: OperatorAccess, { errors, hiddenFailures }: Refusals): Route {
  if (token === undefined && !authentication.enabled) return route;
  const refused = (failure: RequestFailure, head: Head): HeadDecision => {
    const trace = traceOf(head.headers);
    hiddenFailures.tell(route.path, failure, trace);
    return { reply: errors.failure(failure, trace) };
  };
  return {
    ...route,
    async admit(head) {
      const credentials = credentialsOf(head.headers);
      if (token !== undefined && credentials.token !== undefined && sameText(credentials.token, token)) return { context: undefined };
      if (!authentication.enabled) return refused(notItsToken, head);
      const caller = await authentication.authenticate(credentials);
      const failure = caller.error === undefined ? missingAdmin(caller.ok) : authenticationFailed(caller.error);
      return failure === undefined ? { context: undefined } : refused(failure, head);
    },
  };
}

function missingAdmin(caller: Caller): RequestFailure | undefined {
  const missing = missingClaim(caller, participantAdmin);
  return missing === undefined ? undefined : claimMissing(caller, missing);
}

/** In a time that does not tell how much of it is right. */
const sameText = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
