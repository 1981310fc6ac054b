/** What the handlers of users, identity providers and parties have in common. */
import { randomUUID } from "node:crypto";
import { fail, isFailure, type Result } from "../../base/result.js";
import type { Caller } from "../../auth/index.js";
import type { Requester } from "../../ledger/admin/index.js";
import { jsonError, type LedgerErrorData, whileLogging } from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";
import type { FieldMask } from "./types/common.js";

export const requesterOf = ({ userId, rights }: Caller): Requester => ({
  userId,
  participantAdmin: rights.participantAdmin,
  admin: rights.participantAdmin || rights.identityProviderAdminOf !== undefined,
});

/** As the reference tells it, which logs what users and parties are asked for. */
export const logged = <T>(
  result: Result<T, LedgerErrorData>,
  entries: Readonly<Record<string, string>> = {},
): Result<T, LedgerErrorData> => (isFailure(result) ? fail(whileLogging(result.error, entries)) : result);
/** Every change of users has an id in that log, made for it. */
export const userChange = <T>(changed: Result<T, LedgerErrorData>): Result<T, LedgerErrorData> =>
  logged(changed, { submissionId: randomUUID() });

/** What is wrong about the request is told by who logs its parties; what else stands against it is found elsewhere. */
export const whileNaming = <E extends LedgerErrorData>(parties: readonly string[], error: E): E =>
  error.code === "INVALID_ARGUMENT" || error.code === "INVALID_FIELD" ? whileLogging(error, { parties }) : error;

/** An absent mask is refused by the ledger, an empty one too, with another code. */
export const pathsOf = (mask: FieldMask | null | undefined): readonly string[] | undefined =>
  mask == null ? undefined : (mask.paths ?? []);

/** The same thing is named by the path and by the body. */
export const mismatch = (inPath: string, what: string, inBody: string | undefined): RequestFailure =>
  jsonError(
    "INVALID_ARGUMENT",
    `The submitted request has invalid arguments: ${inPath} does not match ${what} in body: ${inBody ?? "none"}`,
  );
