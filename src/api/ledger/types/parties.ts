import type { FieldMask, ObjectMeta } from "./common.js";

export interface PartyDetails {
  readonly party?: string;
  readonly isLocal?: boolean;
  readonly localMetadata?: ObjectMeta | null;
  readonly identityProviderId?: string;
}

export interface AllocatePartyRequest {
  readonly partyIdHint?: string;
  readonly localMetadata?: ObjectMeta | null;
  readonly identityProviderId?: string;
  readonly synchronizerId?: string;
  readonly userId?: string;
}

export interface AllocatePartyResponse {
  readonly partyDetails: PartyDetails;
}

export interface ListKnownPartiesResponse {
  readonly partyDetails: readonly PartyDetails[];
  readonly nextPageToken?: string | null;
}

export interface GetPartiesResponse {
  readonly partyDetails: readonly PartyDetails[];
}

export interface GetParticipantIdResponse {
  readonly participantId: string;
}

export interface UpdatePartyDetailsRequest {
  readonly partyDetails?: PartyDetails | null;
  readonly updateMask?: FieldMask | null;
}

export interface UpdatePartyDetailsResponse {
  readonly partyDetails: PartyDetails;
}
