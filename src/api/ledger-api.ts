/** The Ledger JSON API v2: its operations, its errors in Canton's form, callers by their tokens. */
import { type Authentication, credentialsOf } from "../auth/index.js";
import { methodNotAllowed, notFound, unreadable } from "./answers.js";
import type { Api, CallerSource, ErrorForm } from "./api.js";
import { errorBody, errorReply } from "./errors.js";
import { ledgerOperations } from "./ledger/index.js";
import type { Services } from "./services.js";

export interface LedgerApiOptions {
  readonly services: Services;
  readonly authentication: Authentication;
  /** Where the API is found besides, with a slash in front. */
  readonly pathPrefix?: string | undefined;
}

export function ledgerApi({ services, authentication, pathPrefix }: LedgerApiOptions): Api {
  const prefixes = pathPrefix === undefined ? [""] : ["", pathPrefix];
  return {
    label: "",
    prefixes,
    operations: ledgerOperations,
    services,
    errors: ledgerErrors(services),
    credentials: {
      ...callersByToken(authentication),
      unreadable: (headers) => (credentialsOf(headers).token === "" ? "header Authorization" : undefined),
    },
    documents: prefixes.flatMap((prefix) => [
      { path: `${prefix}/docs/openapi`, write: async () => (await import("./ledger-openapi.js")).openApiDocument() },
      { path: `${prefix}/docs/asyncapi`, write: async () => (await import("./asyncapi.js")).asyncApiDocument() },
    ]),
  };
}

/** Canton's: ten keys of a failure, plain text for what cannot be read. */
export function ledgerErrors({ ledger }: Pick<Services, "ledger">): ErrorForm {
  const renderer = { participant: ledger.participantName };
  return {
    failure: (failure, trace) => errorReply(failure, trace, renderer),
    frame: (failure, trace) => JSON.stringify(errorBody(failure, trace, renderer)),
    unreadable,
    notFound,
    methodNotAllowed,
  };
}

export const callersByToken = (authentication: Authentication): CallerSource => ({
  authenticate: (headers) => authentication.authenticate(credentialsOf(headers)),
  watch: (caller, watched) => authentication.watch(caller, watched),
});
