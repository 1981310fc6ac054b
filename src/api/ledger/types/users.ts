import type { Empty, EmptyCase, FieldMask, ObjectMeta } from "./common.js";

export interface User {
  readonly id?: string;
  readonly primaryParty?: string;
  readonly isDeactivated?: boolean;
  readonly metadata?: ObjectMeta | null;
  readonly identityProviderId?: string;
  readonly primaryPartyAuthentication?: boolean;
}

export interface Right {
  readonly kind?: RightKind;
}

export interface CanActAsCase {
  readonly CanActAs: CanActAs;
}
export interface CanExecuteAsCase {
  readonly CanExecuteAs: CanExecuteAs;
}
export interface CanExecuteAsAnyPartyCase {
  readonly CanExecuteAsAnyParty: CanExecuteAsAnyParty;
}
export interface CanReadAsCase {
  readonly CanReadAs: CanReadAs;
}
export interface CanReadAsAnyPartyCase {
  readonly CanReadAsAnyParty: CanReadAsAnyParty;
}
export interface IdentityProviderAdminCase {
  readonly IdentityProviderAdmin: IdentityProviderAdmin;
}
export interface ParticipantAdminCase {
  readonly ParticipantAdmin: ParticipantAdmin;
}
export type RightKind =
  | CanActAsCase
  | CanExecuteAsCase
  | CanExecuteAsAnyPartyCase
  | CanReadAsCase
  | CanReadAsAnyPartyCase
  | EmptyCase
  | IdentityProviderAdminCase
  | ParticipantAdminCase;

export interface CanActAs {
  readonly value: CanActAsValue;
}

export interface CanActAsValue {
  readonly party?: string;
}

export interface CanReadAs {
  readonly value: CanReadAsValue;
}

export interface CanReadAsValue {
  readonly party?: string;
}

export interface CanExecuteAs {
  readonly value: CanExecuteAsValue;
}

export interface CanExecuteAsValue {
  readonly party?: string;
}

export interface CanReadAsAnyParty {
  readonly value: CanReadAsAnyPartyValue;
}

export type CanReadAsAnyPartyValue = Empty;

export interface CanExecuteAsAnyParty {
  readonly value: CanExecuteAsAnyPartyValue;
}

export type CanExecuteAsAnyPartyValue = Empty;

export interface ParticipantAdmin {
  readonly value: ParticipantAdminValue;
}

export type ParticipantAdminValue = Empty;

export interface IdentityProviderAdmin {
  readonly value: IdentityProviderAdminValue;
}

export type IdentityProviderAdminValue = Empty;

export interface CreateUserRequest {
  readonly user?: User | null;
  readonly rights?: readonly Right[];
}

export interface CreateUserResponse {
  readonly user: User;
}

export interface GetUserResponse {
  readonly user: User;
}

export interface ListUsersResponse {
  readonly users?: readonly User[];
  readonly nextPageToken?: string | null;
}

export interface UpdateUserRequest {
  readonly user?: User | null;
  readonly updateMask?: FieldMask | null;
}

export interface UpdateUserResponse {
  readonly user: User;
}

export interface ListUserRightsResponse {
  readonly rights?: readonly Right[];
}

export interface GrantUserRightsRequest {
  readonly userId?: string;
  readonly rights?: readonly Right[];
  readonly identityProviderId?: string;
}

export interface GrantUserRightsResponse {
  readonly newlyGrantedRights?: readonly Right[];
}

export interface RevokeUserRightsRequest {
  readonly userId?: string;
  readonly rights?: readonly Right[];
  readonly identityProviderId?: string;
}

export interface RevokeUserRightsResponse {
  readonly newlyRevokedRights?: readonly Right[];
}

export interface UpdateUserIdentityProviderIdRequest {
  readonly userId?: string;
  readonly sourceIdentityProviderId?: string;
  readonly targetIdentityProviderId?: string;
}

export type UpdateUserIdentityProviderIdResponse = Empty;
