import { bool, nested, protoFile, repeated, string } from "../fields.js";
import { FieldMask } from "../google.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.admin", "identity_provider_config_service.proto", [
  "IdentityProviderConfigService",
]);
export const identityProviderConfigServiceFile = file;

const IdentityProviderConfig = message("IdentityProviderConfig", {
  identity_provider_id: string(1),
  is_deactivated: bool(2),
  issuer: string(3),
  jwks_url: string(4),
  audience: string(5),
});

message("CreateIdentityProviderConfigRequest", { identity_provider_config: nested(1, () => IdentityProviderConfig) });

message("CreateIdentityProviderConfigResponse", { identity_provider_config: nested(1, () => IdentityProviderConfig) });

message("GetIdentityProviderConfigRequest", { identity_provider_id: string(1) });

message("GetIdentityProviderConfigResponse", { identity_provider_config: nested(1, () => IdentityProviderConfig) });

message("ListIdentityProviderConfigsRequest", {});

message("ListIdentityProviderConfigsResponse", { identity_provider_configs: repeated(nested(1, () => IdentityProviderConfig)) });

message("UpdateIdentityProviderConfigRequest", {
  identity_provider_config: nested(1, () => IdentityProviderConfig),
  update_mask: nested(2, () => FieldMask),
});

message("UpdateIdentityProviderConfigResponse", { identity_provider_config: nested(1, () => IdentityProviderConfig) });

message("DeleteIdentityProviderConfigRequest", { identity_provider_id: string(1) });

message("DeleteIdentityProviderConfigResponse", {});
