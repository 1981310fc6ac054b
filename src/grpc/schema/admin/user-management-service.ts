import { bool, int32, nested, oneOf, protoFile, repeated, string } from "../fields.js";
import { FieldMask } from "../google.js";
import { ObjectMeta } from "./object-meta.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.admin", "user_management_service.proto", ["UserManagementService"]);
export const userManagementServiceFile = file;

const User = message("User", {
  id: string(1),
  primary_party: string(2),
  is_deactivated: bool(3),
  metadata: nested(4, () => ObjectMeta),
  identity_provider_id: string(5),
  primary_party_authentication: bool(6),
});

const Right = message("Right", {
  kind: oneOf(
    {
      participant_admin: nested(1, () => ParticipantAdmin),
      can_act_as: nested(2, () => CanActAs),
      can_read_as: nested(3, () => CanReadAs),
      identity_provider_admin: nested(4, () => IdentityProviderAdmin),
      can_read_as_any_party: nested(5, () => CanReadAsAnyParty),
      can_execute_as: nested(6, () => CanExecuteAs),
      can_execute_as_any_party: nested(7, () => CanExecuteAsAnyParty),
    },
    { json: "kind", isWrapped: true, none: "Empty" },
  ),
});

const ParticipantAdmin = message("Right.ParticipantAdmin", {});

const CanActAs = message("Right.CanActAs", { party: string(1) });

const CanReadAs = message("Right.CanReadAs", { party: string(1) });

const CanExecuteAs = message("Right.CanExecuteAs", { party: string(1) });

const IdentityProviderAdmin = message("Right.IdentityProviderAdmin", {});

const CanReadAsAnyParty = message("Right.CanReadAsAnyParty", {});

const CanExecuteAsAnyParty = message("Right.CanExecuteAsAnyParty", {});

message("CreateUserRequest", { user: nested(1, () => User), rights: repeated(nested(2, () => Right)) });

message("CreateUserResponse", { user: nested(1, () => User) });

message("GetUserRequest", { user_id: string(1), identity_provider_id: string(2) });

message("GetUserResponse", { user: nested(1, () => User) });

message("UpdateUserRequest", { user: nested(1, () => User), update_mask: nested(2, () => FieldMask) });

message("UpdateUserResponse", { user: nested(1, () => User) });

message("DeleteUserRequest", { user_id: string(1), identity_provider_id: string(2) });

message("DeleteUserResponse", {});

message("ListUsersRequest", { page_token: string(2), page_size: int32(3), identity_provider_id: string(4) });

message("ListUsersResponse", { users: repeated(nested(1, () => User)), next_page_token: string(2) });

message("GrantUserRightsRequest", { user_id: string(1), rights: repeated(nested(2, () => Right)), identity_provider_id: string(3) });

message("GrantUserRightsResponse", { newly_granted_rights: repeated(nested(1, () => Right)) });

message("RevokeUserRightsRequest", { user_id: string(1), rights: repeated(nested(2, () => Right)), identity_provider_id: string(3) });

message("RevokeUserRightsResponse", { newly_revoked_rights: repeated(nested(1, () => Right)) });

message("ListUserRightsRequest", { user_id: string(1), identity_provider_id: string(2) });

message("ListUserRightsResponse", { rights: repeated(nested(1, () => Right)) });

message("UpdateUserIdentityProviderIdRequest", {
  user_id: string(1),
  source_identity_provider_id: string(2),
  target_identity_provider_id: string(3),
});

message("UpdateUserIdentityProviderIdResponse", {});
