import { enumeration, int64, nested, oneOf, protoFile, repeated, string, timestamp } from "./fields.js";
import { ParticipantPermission } from "./state-service.js";
import { TraceContext } from "./trace-context.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "topology_transaction.proto");
export const topologyTransactionFile = file;

export const TopologyTransaction = message("TopologyTransaction", {
  update_id: string(1),
  offset: int64(2),
  synchronizer_id: string(3),
  record_time: timestamp(4),
  events: repeated(nested(5, () => TopologyEvent)),
  trace_context: nested(6, () => TraceContext),
});

const TopologyEvent = message("TopologyEvent", {
  event: oneOf(
    {
      participant_authorization_changed: nested(1, () => ParticipantAuthorizationChanged),
      participant_authorization_revoked: nested(2, () => ParticipantAuthorizationRevoked),
      participant_authorization_added: nested(3, () => ParticipantAuthorizationAdded),
      participant_authorization_onboarding: nested(4, () => ParticipantAuthorizationOnboarding),
    },
    { json: "event", isWrapped: true, none: "Empty" },
  ),
});

const ParticipantAuthorizationAdded = message("ParticipantAuthorizationAdded", {
  party_id: string(1),
  participant_id: string(2),
  participant_permission: enumeration(3, ParticipantPermission),
});

const ParticipantAuthorizationChanged = message("ParticipantAuthorizationChanged", {
  party_id: string(1),
  participant_id: string(2),
  participant_permission: enumeration(3, ParticipantPermission),
});

const ParticipantAuthorizationRevoked = message("ParticipantAuthorizationRevoked", { party_id: string(1), participant_id: string(2) });

const ParticipantAuthorizationOnboarding = message("ParticipantAuthorizationOnboarding", {
  party_id: string(1),
  participant_id: string(2),
  participant_permission: enumeration(3, ParticipantPermission),
});
