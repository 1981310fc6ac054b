import type { EmptyCase, TraceContext } from "./common.js";
import type { OffsetCheckpointCase } from "./completions.js";
import type { CreatedEvent, Event, ExercisedEvent } from "./events.js";
import type { TransactionFilter, TransactionFormat, UpdateFormat } from "./formats.js";
import type { JsReassignment } from "./reassignments.js";
import type { Base64, Int32Input, Int64, Int64Input } from "./scalars.js";
import type { ParticipantPermission } from "./state.js";

export interface GetUpdatesRequest {
  readonly beginExclusive?: Int64Input;
  readonly endInclusive?: Int64Input | null;
  readonly filter?: TransactionFilter | null;
  readonly verbose?: boolean | null;
  readonly updateFormat?: UpdateFormat | null;
  readonly descendingOrder?: boolean | null;
}

export interface JsGetUpdatesResponse {
  readonly update?: Update;
}

export interface JsGetUpdateTreesResponse {
  readonly update?: TreeUpdate;
}

export interface ReassignmentCase {
  readonly Reassignment: Reassignment;
}
export interface TopologyTransactionCase {
  readonly TopologyTransaction: TopologyTransaction;
}
export interface TransactionCase {
  readonly Transaction: Transaction;
}
export type Update = OffsetCheckpointCase | ReassignmentCase | TopologyTransactionCase | TransactionCase;

export interface TransactionTreeCase {
  readonly TransactionTree: TransactionTree;
}
export type TreeUpdate = OffsetCheckpointCase | ReassignmentCase | TransactionTreeCase;

export interface Transaction {
  readonly value: JsTransaction;
}

export interface JsTransaction {
  readonly updateId: string;
  readonly commandId?: string;
  readonly workflowId?: string;
  readonly effectiveAt: string;
  readonly events: readonly Event[];
  readonly offset: Int64;
  readonly synchronizerId: string;
  readonly traceContext?: TraceContext | null;
  readonly recordTime: string;
  readonly externalTransactionHash?: string | null;
  readonly paidTrafficCost?: Int64 | null;
}

export interface Reassignment {
  readonly value: JsReassignment;
}

export interface TopologyTransaction {
  readonly value: JsTopologyTransaction;
}

export interface JsTopologyTransaction {
  readonly updateId: string;
  readonly offset: Int64;
  readonly synchronizerId: string;
  readonly recordTime: string;
  readonly events: readonly TopologyEvent[];
  readonly traceContext?: TraceContext | null;
}

export interface TopologyEvent {
  readonly event?: TopologyEventEvent;
}

export interface ParticipantAuthorizationAddedCase {
  readonly ParticipantAuthorizationAdded: ParticipantAuthorizationAdded;
}
export interface ParticipantAuthorizationChangedCase {
  readonly ParticipantAuthorizationChanged: ParticipantAuthorizationChanged;
}
export interface ParticipantAuthorizationOnboardingCase {
  readonly ParticipantAuthorizationOnboarding: ParticipantAuthorizationOnboarding;
}
export interface ParticipantAuthorizationRevokedCase {
  readonly ParticipantAuthorizationRevoked: ParticipantAuthorizationRevoked;
}
export type TopologyEventEvent =
  | EmptyCase
  | ParticipantAuthorizationAddedCase
  | ParticipantAuthorizationChangedCase
  | ParticipantAuthorizationOnboardingCase
  | ParticipantAuthorizationRevokedCase;

export interface ParticipantAuthorizationAdded {
  readonly value: ParticipantAuthorizationAddedValue;
}

export interface ParticipantAuthorizationAddedValue {
  readonly partyId: string;
  readonly participantId: string;
  readonly participantPermission: ParticipantPermission;
}

export interface ParticipantAuthorizationChanged {
  readonly value: ParticipantAuthorizationChangedValue;
}

export interface ParticipantAuthorizationChangedValue {
  readonly partyId: string;
  readonly participantId: string;
  readonly participantPermission: ParticipantPermission;
}

export interface ParticipantAuthorizationOnboarding {
  readonly value: ParticipantAuthorizationOnboardingValue;
}

export interface ParticipantAuthorizationOnboardingValue {
  readonly partyId: string;
  readonly participantId: string;
  readonly participantPermission: ParticipantPermission;
}

export interface ParticipantAuthorizationRevoked {
  readonly value: ParticipantAuthorizationRevokedValue;
}

export interface ParticipantAuthorizationRevokedValue {
  readonly partyId: string;
  readonly participantId: string;
}

export interface TransactionTree {
  readonly value: JsTransactionTree;
}

export interface JsTransactionTree {
  readonly updateId: string;
  readonly commandId?: string;
  readonly workflowId?: string;
  readonly effectiveAt: string;
  readonly offset: Int64;
  readonly eventsById: Readonly<Record<string, TreeEvent>>;
  readonly synchronizerId: string;
  readonly traceContext?: TraceContext | null;
  readonly recordTime: string;
}

export interface CreatedTreeEventCase {
  readonly CreatedTreeEvent: CreatedTreeEvent;
}
export interface ExercisedTreeEventCase {
  readonly ExercisedTreeEvent: ExercisedTreeEvent;
}
export type TreeEvent = CreatedTreeEventCase | ExercisedTreeEventCase;

export interface CreatedTreeEvent {
  readonly value: CreatedEvent;
}

export interface ExercisedTreeEvent {
  readonly value: ExercisedEvent;
}

export interface GetTransactionByIdRequest {
  readonly updateId?: string;
  readonly requestingParties?: readonly string[];
  readonly transactionFormat?: TransactionFormat | null;
}

export interface GetTransactionByOffsetRequest {
  readonly offset?: Int64Input;
  readonly requestingParties?: readonly string[];
  readonly transactionFormat?: TransactionFormat | null;
}

export interface JsGetTransactionResponse {
  readonly transaction: JsTransaction;
}

export interface JsGetTransactionTreeResponse {
  readonly transaction: JsTransactionTree;
}

export interface GetUpdateByIdRequest {
  readonly updateId?: string;
  readonly updateFormat?: UpdateFormat | null;
}

export interface GetUpdateByOffsetRequest {
  readonly offset?: Int64Input;
  readonly updateFormat?: UpdateFormat | null;
}

export interface JsGetUpdateResponse {
  readonly update?: Update;
}

export interface GetUpdatesPageRequest {
  readonly beginOffsetExclusive?: Int64Input | null;
  readonly endOffsetInclusive?: Int64Input | null;
  readonly maxPageSize?: Int32Input | null;
  readonly updateFormat?: UpdateFormat | null;
  readonly descendingOrder?: boolean;
  readonly pageToken?: Base64 | null;
}

export interface JsGetUpdatesPageResponse {
  readonly updates?: readonly JsGetUpdateResponse[];
  readonly lowestPageOffsetExclusive: Int64;
  readonly highestPageOffsetInclusive: Int64;
  readonly nextPageToken?: string | null;
}
