import { isFailure, ok } from "../../base/result.js";
import type { Asked, Json, JsonRequest } from "../method.js";
import { get, patch, posting, remove, required, requiredId } from "./requests.js";
import { serviceOf } from "./service.js";

interface OfProvider {
  readonly identityProviderId: string;
}
interface Change extends Json {
  readonly identityProviderConfig?: OfProvider;
}

function ofProvider({ identityProviderId }: OfProvider, request: (path: string) => JsonRequest): Asked<JsonRequest> {
  const id = requiredId(identityProviderId, "identity_provider_id");
  return isFailure(id) ? id : ok(request(`/v2/idps/${id.ok}`));
}

const { unary } = serviceOf("com.daml.ledger.api.v2.admin.IdentityProviderConfigService");

export const identityProviderMethods = [
  unary("CreateIdentityProviderConfig", { ask: posting("/v2/idps") }),
  unary<OfProvider>("GetIdentityProviderConfig", { ask: (request) => ofProvider(request, get) }),
  unary<Change>("UpdateIdentityProviderConfig", {
    ask: (request) => {
      const config = required(request.identityProviderConfig, "identity_provider_config");
      return isFailure(config) ? config : ofProvider(config.ok, (path) => patch(path, request));
    },
  }),
  unary("ListIdentityProviderConfigs", { ask: () => ok(get("/v2/idps")) }),
  unary<OfProvider>("DeleteIdentityProviderConfig", { ask: (request) => ofProvider(request, remove) }),
];
