import type { Empty, FieldMask } from "./common.js";

export interface IdentityProviderConfig {
  readonly identityProviderId?: string;
  readonly isDeactivated?: boolean;
  readonly issuer?: string;
  readonly jwksUrl?: string;
  readonly audience?: string;
}

export interface CreateIdentityProviderConfigRequest {
  readonly identityProviderConfig?: IdentityProviderConfig | null;
}

export interface CreateIdentityProviderConfigResponse {
  readonly identityProviderConfig: IdentityProviderConfig;
}

export interface GetIdentityProviderConfigResponse {
  readonly identityProviderConfig: IdentityProviderConfig;
}

export interface ListIdentityProviderConfigsResponse {
  readonly identityProviderConfigs: readonly IdentityProviderConfig[];
}

export interface UpdateIdentityProviderConfigRequest {
  readonly identityProviderConfig?: IdentityProviderConfig | null;
  readonly updateMask?: FieldMask | null;
}

export interface UpdateIdentityProviderConfigResponse {
  readonly identityProviderConfig: IdentityProviderConfig;
}

export type DeleteIdentityProviderConfigResponse = Empty;
