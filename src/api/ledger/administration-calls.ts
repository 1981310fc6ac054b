/** What the handlers of users, identity providers and parties have in common. */
import type { Caller } from "../../auth/index.js";
import type { Requester } from "../../ledger/admin/index.js";
import { jsonError } from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";
import type { FieldMask } from "./types/common.js";

export const requesterOf = ({ userId, rights }: Caller): Requester => ({
  userId,
  participantAdmin: rights.participantAdmin,
  admin: rights.participantAdmin || rights.identityProviderAdminOf !== undefined,
});

/** An absent mask is refused by the ledger, an empty one too, with another code. */
export const pathsOf = (mask: FieldMask | null | undefined): readonly string[] | undefined =>
  mask == null ? undefined : (mask.paths ?? []);

/** The same thing is named by the path and by the body. */
export const mismatch = (inPath: string, what: string, inBody: string | undefined): RequestFailure =>
  jsonError(
    "INVALID_ARGUMENT",
    `The submitted request has invalid arguments: ${inPath} does not match ${what} in body: ${inBody ?? "none"}`,
  );
