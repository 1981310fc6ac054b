import { fail, isFailure, ok } from "../../base/result.js";
import { participantAdmin } from "../../auth/index.js";
import type { IdentityProviderRecord } from "../../ledger/admin/index.js";
import { jsonBody, noBody } from "../body.js";
import { json, operation } from "../operation.js";
import { mismatch, pathsOf } from "./administration-calls.js";
import type {
  CreateIdentityProviderConfigRequest,
  CreateIdentityProviderConfigResponse,
  DeleteIdentityProviderConfigResponse,
  GetIdentityProviderConfigResponse,
  IdentityProviderConfig,
  ListIdentityProviderConfigsResponse,
  UpdateIdentityProviderConfigRequest,
  UpdateIdentityProviderConfigResponse,
} from "./types/identity-providers.js";

export const identityProviderOperations = {
  listIdentityProviders: operation({
    route: "GET /v2/idps",
    summary: "The identity providers whose tokens are taken.",
    claims: () => participantAdmin,
    body: noBody(),
    reply: json<ListIdentityProviderConfigsResponse>(),
    handle: ({ administration }) => ok({ identityProviderConfigs: administration.listIdentityProviders().map(configOf) }),
  }),

  createIdentityProvider: operation({
    route: "POST /v2/idps",
    summary: "Adds an identity provider.",
    claims: () => participantAdmin,
    body: jsonBody(typia.createValidate<CreateIdentityProviderConfigRequest>(), typia.createAssert<CreateIdentityProviderConfigRequest>()),
    reply: json<CreateIdentityProviderConfigResponse>(),
    handle: async ({ administration }, { body }) => {
      const created = await administration.createIdentityProvider(recordOf(body.identityProviderConfig));
      return isFailure(created) ? created : ok({ identityProviderConfig: configOf(created.ok) });
    },
  }),

  getIdentityProvider: operation({
    route: "GET /v2/idps/{idp-id}",
    summary: "An identity provider.",
    claims: () => participantAdmin,
    body: noBody(),
    reply: json<GetIdentityProviderConfigResponse>(),
    handle: ({ administration }, { params }) => {
      const config = administration.getIdentityProvider(params["idp-id"]);
      return isFailure(config) ? config : ok({ identityProviderConfig: configOf(config.ok) });
    },
  }),

  deleteIdentityProvider: operation({
    route: "DELETE /v2/idps/{idp-id}",
    summary: "Removes an identity provider.",
    claims: () => participantAdmin,
    body: noBody(),
    reply: json<DeleteIdentityProviderConfigResponse>(),
    handle: async ({ administration }, { params }) => {
      const deleted = await administration.deleteIdentityProvider(params["idp-id"]);
      return isFailure(deleted) ? deleted : ok({});
    },
  }),

  updateIdentityProvider: operation({
    route: "PATCH /v2/idps/{idp-id}",
    summary: "Changes the fields of an identity provider that its mask names.",
    claims: () => participantAdmin,
    body: jsonBody(typia.createValidate<UpdateIdentityProviderConfigRequest>(), typia.createAssert<UpdateIdentityProviderConfigRequest>()),
    reply: json<UpdateIdentityProviderConfigResponse>(),
    handle: async ({ administration }, { params, body }) => {
      const named = body.identityProviderConfig?.identityProviderId;
      if (named !== params["idp-id"]) return fail(mismatch(params["idp-id"], "identity provider", named));
      const updated = await administration.updateIdentityProvider({
        config: recordOf(body.identityProviderConfig),
        mask: pathsOf(body.updateMask),
      });
      return isFailure(updated) ? updated : ok({ identityProviderConfig: configOf(updated.ok) });
    },
  }),
};

const configOf = (record: IdentityProviderRecord): IdentityProviderConfig => ({
  identityProviderId: record.identityProviderId,
  isDeactivated: record.isDeactivated,
  issuer: record.issuer,
  jwksUrl: record.jwksUrl,
  audience: record.audience,
});

const recordOf = (config: IdentityProviderConfig | null | undefined): IdentityProviderRecord | undefined =>
  config == null
    ? undefined
    : {
        identityProviderId: config.identityProviderId ?? "",
        isDeactivated: config.isDeactivated ?? false,
        issuer: config.issuer ?? "",
        jwksUrl: config.jwksUrl ?? "",
        audience: config.audience ?? "",
      };
