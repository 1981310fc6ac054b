import { bytes, enumeration, int32, int64, nested, oneOf, protoFile, repeated, string, uint64 } from "./fields.js";
import { CreatedEvent } from "./event.js";
import { AssignedEvent, UnassignedEvent } from "./reassignment.js";
import { EventFormat } from "./transaction-filter.js";

const { file, message, enumOf } = protoFile("com.daml.ledger.api.v2", "state_service.proto", ["StateService"]);
export const stateServiceFile = file;

export const ParticipantPermission = enumOf("ParticipantPermission", {
  PARTICIPANT_PERMISSION_UNSPECIFIED: 0,
  PARTICIPANT_PERMISSION_SUBMISSION: 1,
  PARTICIPANT_PERMISSION_CONFIRMATION: 2,
  PARTICIPANT_PERMISSION_OBSERVATION: 3,
});

message("GetActiveContractsRequest", {
  active_at_offset: int64(3),
  event_format: nested(4, () => EventFormat),
  stream_continuation_token: bytes(5, { isOptional: true }),
});

message("GetActiveContractsPageRequest", {
  active_at_offset: int64(1, { isOptional: true }),
  event_format: nested(2, () => EventFormat),
  max_page_size: int32(3, { isOptional: true }),
  page_token: bytes(4, { isOptional: true }),
});

const GetActiveContractsResponse = message("GetActiveContractsResponse", {
  workflow_id: string(1),
  contract_entry: oneOf(
    {
      active_contract: nested(2, () => ActiveContract),
      incomplete_unassigned: nested(3, () => IncompleteUnassigned),
      incomplete_assigned: nested(4, () => IncompleteAssigned),
    },
    {
      json: "contractEntry",
      cases: {
        active_contract: "JsActiveContract",
        incomplete_unassigned: "JsIncompleteUnassigned",
        incomplete_assigned: "JsIncompleteAssigned",
      },
      none: "JsEmpty",
    },
  ),
  stream_continuation_token: bytes(5),
});

message("GetActiveContractsPageResponse", {
  active_contracts: repeated(nested(1, () => GetActiveContractsResponse)),
  active_at_offset: int64(2),
  next_page_token: bytes(3, { isOptional: true }),
});

const ActiveContract = message("ActiveContract", {
  created_event: nested(1, () => CreatedEvent),
  synchronizer_id: string(2),
  reassignment_counter: uint64(3),
});

const IncompleteUnassigned = message("IncompleteUnassigned", {
  created_event: nested(1, () => CreatedEvent),
  unassigned_event: nested(2, () => UnassignedEvent),
});

const IncompleteAssigned = message("IncompleteAssigned", { assigned_event: nested(1, () => AssignedEvent) });

message("GetConnectedSynchronizersRequest", { party: string(1), participant_id: string(2), identity_provider_id: string(3) });

message("GetConnectedSynchronizersResponse", { connected_synchronizers: repeated(nested(1, () => ConnectedSynchronizer)) });

const ConnectedSynchronizer = message("GetConnectedSynchronizersResponse.ConnectedSynchronizer", {
  synchronizer_alias: string(1),
  synchronizer_id: string(2),
  permission: enumeration(3, ParticipantPermission),
});

message("GetLedgerEndRequest", {});

message("GetLedgerEndResponse", { offset: int64(1) });

message("GetLatestPrunedOffsetsRequest", {});

message("GetLatestPrunedOffsetsResponse", {
  participant_pruned_up_to_inclusive: int64(1),
  all_divulged_contracts_pruned_up_to_inclusive: int64(2),
});
