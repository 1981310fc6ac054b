/** Operations for whoever operates the SV of this node: users whose own party it is and who may act as it, and participant admins. */
import { actAs, authenticated, missingClaim, participantAdmin, type Caller } from "../../auth/index.js";
import { fail } from "../../base/result.js";
import type { RequestFailure } from "../errors.js";
import type { AnyOperation } from "../operation.js";
import { answering } from "../splice/answering.js";
import { forbidden } from "../splice/errors.js";
import { requiring } from "../splice/requiring.js";
import { userOf, walletUserOf } from "./owner.js";
import type { ValidatorServices } from "./services.js";

export const forSv = <O extends Readonly<Record<string, AnyOperation>>>(operations: O): O =>
  answering(requiring(operations, authenticated), (_, handle) => async (services: ValidatorServices, call) => {
    const problem = await svProblem(services, call.caller);
    return problem ? fail(problem) : handle(services, call);
  });

async function svProblem(services: ValidatorServices, caller: Caller): Promise<RequestFailure | undefined> {
  if (!missingClaim(caller, participantAdmin)) return undefined;
  const { voting, users } = services.splice,
    sv = await voting.party();
  const isSv = sv !== undefined && users.partyOf(walletUserOf(services, caller)) === sv && !missingClaim(caller, actAs([sv]));
  return isSv ? undefined : forbidden(userOf(services, caller));
}
