import { fail, isFailure, ok } from "../../base/result.js";
import { invalidField, userIdProblem } from "../../ledger/index.js";
import type { Asked, Json, JsonRequest } from "../method.js";
import { get, patch, post, posting, remove, required, requiredId } from "./requests.js";
import { serviceOf } from "./service.js";

interface OfUser extends Json {
  readonly userId: string;
}
interface OfProvider extends OfUser {
  readonly identityProviderId: string;
}
interface Listing {
  readonly pageToken: string;
  readonly pageSize: number;
  readonly identityProviderId: string;
}
interface Change extends Json {
  readonly user?: { readonly id: string };
}

function ofUser(userId: string, field: string, request: (path: string) => JsonRequest): Asked<JsonRequest> {
  const id = requiredId(userId, field);
  if (isFailure(id)) return id;
  const problem = userIdProblem(userId);
  return problem === undefined ? ok(request(`/v2/users/${id.ok}`)) : fail(invalidField(field, problem));
}

const provider = ({ identityProviderId }: { readonly identityProviderId: string }) => ({ "identity-provider-id": identityProviderId });

const { unary } = serviceOf("com.daml.ledger.api.v2.admin.UserManagementService");

export const userMethods = [
  unary("CreateUser", { ask: posting("/v2/users") }),
  unary<OfProvider>("GetUser", {
    ask: (request) =>
      request.userId === ""
        ? ok(get("/v2/authenticated-user", provider(request)))
        : ofUser(request.userId, "user_id", (path) => get(path, provider(request))),
  }),
  unary<Change>("UpdateUser", {
    ask: (request) => {
      const user = required(request.user, "user");
      return isFailure(user) ? user : ofUser(user.ok.id, "user.id", (path) => patch(path, request));
    },
  }),
  unary<OfProvider>("DeleteUser", { ask: (request) => ofUser(request.userId, "user_id", (path) => remove(path, provider(request))) }),
  unary<Listing>("ListUsers", {
    ask: (request) => ok(get("/v2/users", { ...provider(request), pageSize: request.pageSize, pageToken: request.pageToken })),
  }),
  unary<OfUser>("GrantUserRights", { ask: (request) => ofUser(request.userId, "user_id", (path) => post(`${path}/rights`, request)) }),
  unary<OfUser>("RevokeUserRights", { ask: (request) => ofUser(request.userId, "user_id", (path) => patch(`${path}/rights`, request)) }),
  unary<OfProvider>("ListUserRights", {
    ask: (request) =>
      request.userId === ""
        ? ok(get("/admin/authenticated-user/rights", provider(request)))
        : ofUser(request.userId, "user_id", (path) => get(`${path}/rights`, provider(request))),
  }),
  unary<OfUser>("UpdateUserIdentityProviderId", {
    ask: (request) => ofUser(request.userId, "user_id", (path) => patch(`${path}/identity-provider-id`, request)),
  }),
];
