/** Who calls a validator: users of the ledger, and those whose good token names a user that it does not have yet. */
import { credentialsOf, type Authentication } from "../../auth/index.js";
import { ok } from "../../base/result.js";
import type { CallerSource } from "../api.js";

/** Where tokens of Splice may name their user. */
const userClaim = ["https://canton-network", "daml_user"] as const;

export const validatorCallers = (authentication: Authentication): CallerSource => ({
  authenticate: async (headers) => {
    const authenticated = await authentication.authenticate({ ...credentialsOf(headers), userClaim });
    return authenticated.error?.newcomer ? ok(authenticated.error.newcomer) : authenticated;
  },
  watch: (caller, watched) => authentication.watch(caller, watched),
});
