import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { validatorUserDefault } from "../../config.js";
import type { UserProblem } from "../../splice/index.js";
import { jsonBody, noBody, optionalBody } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { noAuthenticatedUser } from "../failures.js";
import { json, nothing } from "../operation.js";
import { required, text } from "../query.js";
import { refused } from "../splice/errors.js";
import { operatorProblem, walletUserOf } from "./owner.js";
import { claims, declare } from "./services.js";
import type {
  GetValidatorUserInfoResponse,
  ListUsersResponse,
  OnboardUserRequest,
  OnboardUserResponse,
  RegistrationRequest,
} from "./types.js";

const answeredUser = <T, W>(result: Result<T, UserProblem>, wire: (value: T) => W): Result<W, RequestFailure> => {
  if (!isFailure(result)) return ok(wire(result.ok));
  return fail("ledger" in result.error ? result.error.ledger : refused(result.error.refusal));
};

export const validatorUserOperations = {
  validatorUser: declare({
    route: "GET /v0/validator-user",
    summary: "The party that operates the validator.",
    claims: "none",
    body: noBody(),
    reply: json<GetValidatorUserInfoResponse>(),
    handle: async ({ splice }) => {
      const { operator } = splice,
        party = splice.users.partyOf(operator);
      if (party === undefined)
        return fail(refused({ kind: "notFound", message: `The ledger has no user ${operator} with a primary party.` }));
      const rights = await splice.network.featuredApps(party);
      // Not who operates it: the user by which it works at the ledger, of the same name at all sites.
      return ok({ party_id: party, user_name: validatorUserDefault, featured: !isFailure(rights) && rights.ok.length > 0 });
    },
  }),
  register: declare({
    route: "POST /v0/register",
    summary: "Gives the caller a party of his own.",
    claims,
    body: optionalBody(jsonBody(typia.createValidate<RegistrationRequest>(), typia.createAssert<RegistrationRequest>())),
    reply: json<OnboardUserResponse>(),
    handle: async ({ splice }, { caller }) => {
      if (caller.userId === undefined) return fail(noAuthenticatedUser());
      const user = { name: walletUserOf({ splice }, caller), party: undefined, createPartyIfMissing: undefined, byAdmin: false };
      return answeredUser(await splice.wallets.onboard(user), (party) => ({ party_id: party }));
    },
  }),
  listUsers: declare({
    route: "GET /v0/admin/users",
    summary: "Users with a party.",
    claims,
    body: noBody(),
    reply: json<ListUsersResponse>(),
    handle: (services, { caller }) => {
      const problem = operatorProblem(services, caller);
      return problem ? fail(problem) : ok({ usernames: services.splice.users.names() });
    },
  }),
  onboardUser: declare({
    route: "POST /v0/admin/users",
    summary: "Makes a user with a party, or gives the one that it has.",
    claims,
    body: jsonBody(typia.createValidate<OnboardUserRequest>(), typia.createAssert<OnboardUserRequest>()),
    reply: json<OnboardUserResponse>(),
    handle: async (services, { caller, body }) => {
      const problem = operatorProblem(services, caller);
      if (problem) return fail(problem);
      const user = {
        name: body.name,
        party: body.party_id ?? undefined,
        createPartyIfMissing: body.createPartyIfMissing ?? undefined,
        byAdmin: true,
      };
      return answeredUser(await services.splice.wallets.onboard(user), (party) => ({ party_id: party }));
    },
  }),
  offboardUser: declare({
    route: "POST /v0/admin/users/offboard",
    summary: "Removes a user, but for the validator's own; its party stays.",
    claims,
    query: { username: required(text()) },
    body: noBody(),
    reply: nothing(),
    handle: async (services, { caller, query }) => {
      const problem = operatorProblem(services, caller),
        { wallets, operator } = services.splice;
      return problem
        ? fail(problem)
        : answeredUser(await wallets.offboard(query.username, [operator, validatorUserDefault]), () => undefined);
    },
  }),
};
