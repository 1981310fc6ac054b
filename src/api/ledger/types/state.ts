import type { Empty } from "./common.js";
import type { CreatedEvent } from "./events.js";
import type { EventFormat, TransactionFilter } from "./formats.js";
import type { UnassignedEvent } from "./reassignments.js";
import type { Base64, Int32Input, Int64, Int64Input } from "./scalars.js";

export type ParticipantPermission =
  | "PARTICIPANT_PERMISSION_UNSPECIFIED"
  | "PARTICIPANT_PERMISSION_SUBMISSION"
  | "PARTICIPANT_PERMISSION_CONFIRMATION"
  | "PARTICIPANT_PERMISSION_OBSERVATION";

export interface GetActiveContractsRequest {
  readonly filter?: TransactionFilter | null;
  readonly verbose?: boolean | null;
  readonly activeAtOffset?: Int64Input;
  readonly eventFormat?: EventFormat | null;
  readonly streamContinuationToken?: Base64 | null;
}

export interface JsGetActiveContractsResponse {
  readonly workflowId?: string;
  readonly contractEntry?: JsContractEntry;
  readonly streamContinuationToken?: string;
}

export interface JsActiveContractCase {
  readonly JsActiveContract: JsActiveContract;
}
export interface JsEmptyCase {
  readonly JsEmpty: JsEmpty;
}
export interface JsIncompleteAssignedCase {
  readonly JsIncompleteAssigned: JsIncompleteAssigned;
}
export interface JsIncompleteUnassignedCase {
  readonly JsIncompleteUnassigned: JsIncompleteUnassigned;
}
export type JsContractEntry = JsActiveContractCase | JsEmptyCase | JsIncompleteAssignedCase | JsIncompleteUnassignedCase;

export interface JsActiveContract {
  readonly createdEvent: CreatedEvent;
  readonly synchronizerId: string;
  readonly reassignmentCounter: Int64;
}

export type JsEmpty = Empty;

export interface JsIncompleteAssigned {
  readonly assignedEvent: JsAssignedEvent;
}

export interface JsAssignedEvent {
  readonly source: string;
  readonly target: string;
  readonly reassignmentId: string;
  readonly submitter?: string | null;
  readonly reassignmentCounter: Int64;
  readonly createdEvent: CreatedEvent;
}

export interface JsIncompleteUnassigned {
  readonly createdEvent: CreatedEvent;
  readonly unassignedEvent: UnassignedEvent;
}

export interface GetActiveContractsPageRequest {
  readonly activeAtOffset?: Int64Input | null;
  readonly eventFormat?: EventFormat | null;
  readonly maxPageSize?: Int32Input | null;
  readonly pageToken?: Base64 | null;
}

export interface JsGetActiveContractsPageResponse {
  readonly activeContracts: readonly JsGetActiveContractsResponse[];
  readonly activeAtOffset: Int64;
  readonly nextPageToken?: string | null;
}

export interface GetConnectedSynchronizersResponse {
  readonly connectedSynchronizers?: readonly ConnectedSynchronizer[];
}

export interface ConnectedSynchronizer {
  readonly synchronizerAlias: string;
  readonly synchronizerId: string;
  readonly permission?: ParticipantPermission;
}

export interface GetLedgerEndResponse {
  readonly offset?: Int64;
}

export interface GetLatestPrunedOffsetsResponse {
  readonly participantPrunedUpToInclusive?: Int64;
  readonly allDivulgedContractsPrunedUpToInclusive?: Int64;
}
