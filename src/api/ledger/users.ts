import { fail, isFailure, ok } from "../../base/result.js";
import { type Claims, identityProviderAdmin, impliedIdentityProvider, participantAdmin } from "../../auth/index.js";
import type { UserFields, UserRecord } from "../../ledger/admin/index.js";
import { jsonBody, noBody } from "../body.js";
import { noAuthenticatedUser } from "../failures.js";
import { json, operation } from "../operation.js";
import { int32, text, unpublished } from "../query.js";
import type { Services } from "../services.js";
import { logged, mismatch, pathsOf, requesterOf, userChange } from "./administration-calls.js";
import { requestedRight, rightOf } from "./rights.js";
import type { Empty } from "./types/common.js";
import type {
  CreateUserRequest,
  CreateUserResponse,
  GetUserResponse,
  GrantUserRightsRequest,
  GrantUserRightsResponse,
  ListUserRightsResponse,
  ListUsersResponse,
  RevokeUserRightsRequest,
  RevokeUserRightsResponse,
  Right,
  UpdateUserIdentityProviderIdRequest,
  UpdateUserIdentityProviderIdResponse,
  UpdateUserRequest,
  UpdateUserResponse,
  User,
} from "./types/users.js";
import { malformedUserId } from "./user-ids.js";

/** Requests of gRPC have it in all of these. */
const ofProvider = { "identity-provider-id": unpublished(text()) };

export const userOperations = {
  listUsers: operation({
    route: "GET /v2/users",
    summary: "The users, in pages.",
    query: { pageSize: int32(), pageToken: text(), ...ofProvider },
    claims: ({ query }) => identityProviderAdmin(query["identity-provider-id"] ?? ""),
    body: noBody(),
    reply: json<ListUsersResponse>(),
    handle: ({ administration, shownUser }, { query, caller }) => {
      const page = logged(
        administration.listUsers({
          pageSize: query.pageSize ?? 0,
          pageToken: query.pageToken ?? "",
          identityProviderId: impliedIdentityProvider(caller, query["identity-provider-id"] ?? ""),
        }),
      );
      return isFailure(page)
        ? page
        : ok({ users: page.ok.users.map((user) => userOf(user, shownUser)), nextPageToken: page.ok.nextPageToken });
    },
  }),

  createUser: operation({
    route: "POST /v2/users",
    summary: "Creates a user with rights.",
    claims: ({ body }) => rightsAdmin(body.rights ?? [], body.user?.identityProviderId ?? ""),
    body: jsonBody(typia.createValidate<CreateUserRequest>(), typia.createAssert<CreateUserRequest>()),
    reply: json<CreateUserResponse>(),
    handle: async ({ administration, shownUser }, { body, caller }) => {
      const user = fieldsOf(body.user, (id) => impliedIdentityProvider(caller, id));
      const created = userChange(
        await administration.createUser({ user, rights: (body.rights ?? []).map(requestedRight) }, requesterOf(caller)),
      );
      return isFailure(created) ? created : ok({ user: userOf(created.ok, shownUser) });
    },
  }),

  getUser: operation({
    route: "GET /v2/users/{user-id}",
    summary: "A user.",
    query: { "identity-provider-id": text() },
    claims: ({ params, query }) => [
      { kind: "selfOrAdmin", userId: params["user-id"], identityProviderId: query["identity-provider-id"] ?? "" },
    ],
    body: noBody(),
    reply: json<GetUserResponse>(),
    handle: ({ administration, shownUser }, { params, query, caller }) => {
      const malformed = malformedUserId(params["user-id"]);
      if (malformed !== undefined) return fail(malformed);
      const user = logged(
        administration.getUser({
          userId: params["user-id"],
          identityProviderId: impliedIdentityProvider(caller, query["identity-provider-id"] ?? ""),
        }),
      );
      return isFailure(user) ? user : ok({ user: userOf(user.ok, shownUser) });
    },
  }),

  deleteUser: operation({
    route: "DELETE /v2/users/{user-id}",
    summary: "Removes a user and its rights.",
    query: ofProvider,
    claims: ({ query }) => identityProviderAdmin(query["identity-provider-id"] ?? ""),
    body: noBody(),
    reply: json<Empty>(),
    handle: async ({ administration }, { params, query, caller }) => {
      const malformed = malformedUserId(params["user-id"]);
      if (malformed !== undefined) return fail(malformed);
      const deleted = userChange(
        await administration.deleteUser(
          {
            userId: params["user-id"],
            identityProviderId: impliedIdentityProvider(caller, query["identity-provider-id"] ?? ""),
          },
          requesterOf(caller),
        ),
      );
      return isFailure(deleted) ? deleted : ok({});
    },
  }),

  updateUser: operation({
    route: "PATCH /v2/users/{user-id}",
    summary: "Changes the fields of a user that its mask names.",
    claims: ({ body }) => identityProviderAdmin(body.user?.identityProviderId ?? ""),
    body: jsonBody(typia.createValidate<UpdateUserRequest>(), typia.createAssert<UpdateUserRequest>()),
    reply: json<UpdateUserResponse>(),
    handle: async ({ administration, shownUser, givenUser }, { params, body, caller }) => {
      if (body.user?.id !== params["user-id"]) return fail(mismatch(params["user-id"], "user", body.user?.id));
      const given = fieldsOf(body.user, (id) => impliedIdentityProvider(caller, id)),
        user = (given && givenUser?.(given)) ?? given;
      const updated = userChange(await administration.updateUser({ user, mask: pathsOf(body.updateMask) }, requesterOf(caller)));
      return isFailure(updated) ? updated : ok({ user: userOf(updated.ok, shownUser) });
    },
  }),

  authenticatedUser: operation({
    route: "GET /v2/authenticated-user",
    summary: "The user of the token.",
    query: { "identity-provider-id": text() },
    claims: ({ query }) => [{ kind: "selfOrAdmin", userId: "", identityProviderId: query["identity-provider-id"] ?? "" }],
    body: noBody(),
    reply: json<GetUserResponse>(),
    handle: ({ administration, shownUser }, { query, caller }) => {
      if (caller.userId === undefined) return fail(noAuthenticatedUser());
      const user = logged(
        administration.getUser({
          userId: caller.userId,
          identityProviderId: impliedIdentityProvider(caller, query["identity-provider-id"] ?? ""),
        }),
      );
      return isFailure(user) ? user : ok({ user: userOf(user.ok, shownUser) });
    },
  }),

  listUserRights: operation({
    route: "GET /v2/users/{user-id}/rights",
    summary: "The rights of a user.",
    query: ofProvider,
    claims: ({ params, query }) => [
      { kind: "selfOrAdmin", userId: params["user-id"], identityProviderId: query["identity-provider-id"] ?? "" },
    ],
    body: noBody(),
    reply: json<ListUserRightsResponse>(),
    handle: ({ administration }, { params, query, caller }) => {
      const malformed = malformedUserId(params["user-id"]);
      if (malformed !== undefined) return fail(malformed);
      const rights = logged(
        administration.listRights({
          userId: params["user-id"],
          identityProviderId: impliedIdentityProvider(caller, query["identity-provider-id"] ?? ""),
        }),
      );
      return isFailure(rights) ? rights : ok({ rights: rights.ok.map(rightOf) });
    },
  }),

  grantUserRights: operation({
    route: "POST /v2/users/{user-id}/rights",
    summary: "Grants rights to a user.",
    claims: ({ body }) => rightsAdmin(body.rights ?? [], body.identityProviderId ?? ""),
    body: jsonBody(typia.createValidate<GrantUserRightsRequest>(), typia.createAssert<GrantUserRightsRequest>()),
    reply: json<GrantUserRightsResponse>(),
    handle: async ({ administration }, { params, body, caller }) => {
      if ((body.userId ?? "") !== params["user-id"]) return fail(mismatch(params["user-id"], "user", body.userId));
      const granted = userChange(
        await administration.grantRights(
          {
            userId: params["user-id"],
            identityProviderId: impliedIdentityProvider(caller, body.identityProviderId ?? ""),
            rights: (body.rights ?? []).map(requestedRight),
          },
          requesterOf(caller),
        ),
      );
      return isFailure(granted) ? granted : ok({ newlyGrantedRights: granted.ok.map(rightOf) });
    },
  }),

  revokeUserRights: operation({
    route: "PATCH /v2/users/{user-id}/rights",
    summary: "Revokes rights of a user.",
    claims: ({ body }) => rightsAdmin(body.rights ?? [], body.identityProviderId ?? ""),
    body: jsonBody(typia.createValidate<RevokeUserRightsRequest>(), typia.createAssert<RevokeUserRightsRequest>()),
    reply: json<RevokeUserRightsResponse>(),
    handle: async ({ administration }, { params, body, caller }) => {
      if ((body.userId ?? "") !== params["user-id"]) return fail(mismatch(params["user-id"], "user", body.userId));
      const revoked = userChange(
        await administration.revokeRights(
          {
            userId: params["user-id"],
            identityProviderId: impliedIdentityProvider(caller, body.identityProviderId ?? ""),
            rights: (body.rights ?? []).map(requestedRight),
          },
          requesterOf(caller),
        ),
      );
      return isFailure(revoked) ? revoked : ok({ newlyRevokedRights: revoked.ok.map(rightOf) });
    },
  }),

  updateUserIdentityProvider: operation({
    route: "PATCH /v2/users/{user-id}/identity-provider-id",
    summary: "Moves a user to another identity provider.",
    claims: () => participantAdmin,
    body: jsonBody(typia.createValidate<UpdateUserIdentityProviderIdRequest>(), typia.createAssert<UpdateUserIdentityProviderIdRequest>()),
    reply: json<UpdateUserIdentityProviderIdResponse>(),
    handle: async ({ administration }, { params, body }) => {
      if ((body.userId ?? "") !== params["user-id"]) return fail(mismatch(params["user-id"], "user", body.userId));
      const moved = logged(
        await administration.moveUser({
          userId: params["user-id"],
          source: body.sourceIdentityProviderId ?? "",
          target: body.targetIdentityProviderId ?? "",
        }),
      );
      return isFailure(moved) ? moved : ok({});
    },
  }),
};

/** Rights that reach beyond an identity provider are for participant admins to change. */
const participantWide = ["ParticipantAdmin", "CanReadAsAnyParty", "CanExecuteAsAnyParty"] as const;

function rightsAdmin(rights: readonly Right[], identityProviderId: string): Claims {
  const wide = rights.some(({ kind }) => kind != null && participantWide.some((name) => name in kind));
  return wide
    ? [{ kind: "participantAdmin" }, { kind: "identityProvider", identityProviderId }]
    : identityProviderAdmin(identityProviderId);
}

function userOf(stored: UserRecord, shown: Services["shownUser"]): User {
  const user = shown?.(stored) ?? stored;
  return {
    id: user.id,
    primaryParty: user.primaryParty,
    isDeactivated: user.isDeactivated,
    metadata: { resourceVersion: String(user.resourceVersion), annotations: user.annotations },
    identityProviderId: user.identityProviderId,
    primaryPartyAuthentication: user.primaryPartyAuthentication,
  };
}

function fieldsOf(user: User | null | undefined, implied: (identityProviderId: string) => string): UserFields | undefined {
  if (user == null) return undefined;
  return {
    id: user.id ?? "",
    identityProviderId: implied(user.identityProviderId ?? ""),
    primaryParty: user.primaryParty ?? "",
    isDeactivated: user.isDeactivated ?? false,
    primaryPartyAuthentication: user.primaryPartyAuthentication ?? false,
    annotations: user.metadata?.annotations ?? {},
    resourceVersion: user.metadata?.resourceVersion ?? "",
  };
}
