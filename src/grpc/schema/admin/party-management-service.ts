import { bool, bytes, int32, nested, protoFile, repeated, string, uint32 } from "../fields.js";
import { Signature, SigningPublicKey } from "../crypto.js";
import { FieldMask } from "../google.js";
import { ObjectMeta } from "./object-meta.js";

const { file, message } = protoFile("com.daml.ledger.api.v2.admin", "party_management_service.proto", ["PartyManagementService"]);
export const partyManagementServiceFile = file;

message("GetParticipantIdRequest", {});

message("GetParticipantIdResponse", { participant_id: string(1) });

message("GetPartiesRequest", { parties: repeated(string(1)), identity_provider_id: string(2) });

message("GetPartiesResponse", { party_details: repeated(nested(1, () => PartyDetails)) });

message("ListKnownPartiesRequest", {
  page_token: string(2),
  page_size: int32(3),
  identity_provider_id: string(1),
  filter_party: string(4),
});

message("ListKnownPartiesResponse", { party_details: repeated(nested(1, () => PartyDetails)), next_page_token: string(2) });

message("AllocatePartyRequest", {
  party_id_hint: string(1),
  local_metadata: nested(3, () => ObjectMeta),
  identity_provider_id: string(4),
  synchronizer_id: string(5),
  user_id: string(6),
});

message("AllocatePartyResponse", { party_details: nested(1, () => PartyDetails) });

message("AllocateExternalPartyRequest", {
  synchronizer: string(1),
  onboarding_transactions: repeated(nested(2, () => SignedTransaction)),
  multi_hash_signatures: repeated(nested(3, () => Signature)),
  identity_provider_id: string(4),
  wait_for_allocation: bool(5, { isOptional: true }),
  user_id: string(6),
});

const SignedTransaction = message("AllocateExternalPartyRequest.SignedTransaction", {
  transaction: bytes(1),
  signatures: repeated(nested(2, () => Signature)),
});

message("AllocateExternalPartyResponse", { party_id: string(1) });

message("UpdatePartyDetailsRequest", { party_details: nested(1, () => PartyDetails), update_mask: nested(2, () => FieldMask) });

message("UpdatePartyDetailsResponse", { party_details: nested(1, () => PartyDetails) });

const PartyDetails = message("PartyDetails", {
  party: string(1),
  is_local: bool(3),
  local_metadata: nested(4, () => ObjectMeta),
  identity_provider_id: string(5),
});

message("UpdatePartyIdentityProviderIdRequest", {
  party: string(1),
  source_identity_provider_id: string(2),
  target_identity_provider_id: string(3),
});

message("UpdatePartyIdentityProviderIdResponse", {});

message("GenerateExternalPartyTopologyRequest", {
  synchronizer: string(1),
  party_hint: string(2),
  public_key: nested(3, () => SigningPublicKey),
  local_participant_observation_only: bool(4),
  other_confirming_participant_uids: repeated(string(5)),
  confirmation_threshold: uint32(6),
  observing_participant_uids: repeated(string(7)),
});

message("GenerateExternalPartyTopologyResponse", {
  party_id: string(1),
  public_key_fingerprint: string(2),
  topology_transactions: repeated(bytes(3)),
  multi_hash: bytes(4),
});
