/** The Ledger JSON API v2: its operations, its errors in Canton's form, callers by their tokens. */
import { type Authentication, credentialsOf } from "../auth/index.js";
import { methodNotAllowed, notFound, unreadable } from "./answers.js";
import type { Api, CallerSource, ErrorForm } from "./api.js";
import { errorBody, errorReply } from "./errors.js";
import { type AnyOperation, pathOf } from "./operation.js";
import { operations } from "./operations.js";
import type { Services } from "./services.js";

export interface LedgerApiOptions {
  readonly services: Services;
  readonly authentication: Authentication;
}

export const ledgerApi = ({ services, authentication }: LedgerApiOptions): Api => ({
  label: "",
  prefixes: [""],
  operations,
  services,
  errors: ledgerErrors(services),
  credentials: {
    ...callersByToken(authentication),
    unreadable: (headers) => (authentication.enabled && credentialsOf(headers).token === "" ? "header Authorization" : undefined),
  },
  documents: [
    { path: "/docs/openapi", write: async () => (await import("./ledger-openapi.js")).openApiDocument() },
    { path: "/docs/asyncapi", write: async () => (await import("./asyncapi.js")).asyncApiDocument() },
  ],
});

/** Canton's: ten keys of a failure, plain text for what cannot be read. */
export function ledgerErrors({ ledger }: Pick<Services, "ledger">): ErrorForm {
  const renderer = { participant: ledger.participantName };
  return {
    failure: (failure, trace) => errorReply(failure, trace, renderer),
    frame: (failure, trace) => JSON.stringify(errorBody(failure, trace, renderer)),
    unreadable,
    notFound,
    methodNotAllowed: methodNotAllowed(streamPaths),
  };
}

const streamPaths: ReadonlySet<string> = new Set(
  Object.values<AnyOperation>(operations).flatMap((operation) => (operation.kind === "stream" ? [pathOf(operation.route)] : [])),
);

export const callersByToken = (authentication: Authentication): CallerSource => ({
  authenticate: (headers) => authentication.authenticate(credentialsOf(headers)),
  watch: (caller) => authentication.watch(caller),
});
