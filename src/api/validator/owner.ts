/** The wallet that a caller's user has, and may act with. */
import { actAs, missingClaim, participantAdmin, type Caller } from "../../auth/index.js";
import { fail, type Result } from "../../base/result.js";
import { validatorUserDefault } from "../../config.js";
import type { WalletAct } from "../../splice/index.js";
import type { RequestFailure } from "../errors.js";
import { answered, forbidden, refused } from "../splice/errors.js";
import type { ValidatorServices } from "./services.js";

/** Without tokens there are no users to tell apart: the wallet is the validator's own. */
export const userOf = ({ splice }: Pick<ValidatorServices, "splice">, caller: Caller): string => caller.userId ?? splice.operator;

/** Validators of several sites work by one user of the ledger; at each of them it is whoever operates that one. */
export function walletUserOf({ splice }: Pick<ValidatorServices, "splice">, caller: Caller): string {
  const userId = userOf({ splice }, caller);
  return userId === validatorUserDefault ? splice.operator : userId;
}

/** What the caller's wallet answers; `operation` as errors name it. */
export async function asOwner<T>(
  services: ValidatorServices,
  caller: Caller,
  operation: string,
  act: WalletAct<T>,
): Promise<Result<T, RequestFailure>> {
  const userId = userOf(services, caller),
    wallet = services.splice.wallets.of(walletUserOf(services, caller));
  if (!wallet) return fail(refused({ kind: "notFound", message: `No wallet found for user '${userId}' for operation '${operation}'` }));
  const { context, owner, validator } = wallet;
  if (missingClaim(caller, actAs([owner.party]))) return fail(forbidden(userId));
  return answered(await act(context, owner, validator));
}

/** The same, with the value as clients see it. */
export async function asOwnerAs<T, W>(
  services: ValidatorServices,
  caller: Caller,
  operation: string,
  act: WalletAct<T>,
  wire: (value: T) => W,
): Promise<Result<W, RequestFailure>> {
  const answer = await asOwner(services, caller, operation, act);
  return answer.error === undefined ? { ok: wire(answer.ok) } : answer;
}

/** The same, of what answers with nothing. */
export const asOwnerDone = (
  services: ValidatorServices,
  caller: Caller,
  operation: string,
  act: WalletAct<unknown>,
): Promise<Result<undefined, RequestFailure>> => asOwnerAs(services, caller, operation, act, () => undefined);

/** For participant admins, as who operates the validator is one; to have the validator's wallet is not enough. */
export const operatorProblem = (services: Pick<ValidatorServices, "splice">, caller: Caller): RequestFailure | undefined =>
  missingClaim(caller, participantAdmin) ? forbidden(userOf(services, caller)) : undefined;
