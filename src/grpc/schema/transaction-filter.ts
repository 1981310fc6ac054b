import { bool, enumeration, identifier, map, nested, oneOf, protoFile, repeated, string } from "./fields.js";

const { file, message, enumOf } = protoFile("com.daml.ledger.api.v2", "transaction_filter.proto");
export const transactionFilterFile = file;

const TransactionShape = enumOf("TransactionShape", {
  TRANSACTION_SHAPE_UNSPECIFIED: 0,
  TRANSACTION_SHAPE_ACS_DELTA: 1,
  TRANSACTION_SHAPE_LEDGER_EFFECTS: 2,
});

const Filters = message("Filters", { cumulative: repeated(nested(1, () => CumulativeFilter)) });

const CumulativeFilter = message("CumulativeFilter", {
  identifier_filter: oneOf(
    {
      wildcard_filter: nested(1, () => WildcardFilter),
      interface_filter: nested(2, () => InterfaceFilter),
      template_filter: nested(3, () => TemplateFilter),
    },
    { json: "identifierFilter", isWrapped: true, none: "Empty" },
  ),
});

const WildcardFilter = message("WildcardFilter", { include_created_event_blob: bool(1) });

const InterfaceFilter = message("InterfaceFilter", {
  interface_id: identifier(1),
  include_interface_view: bool(2),
  include_created_event_blob: bool(3),
});

const TemplateFilter = message("TemplateFilter", { template_id: identifier(1), include_created_event_blob: bool(2) });

export const EventFormat = message("EventFormat", {
  filters_by_party: map(
    1,
    nested(2, () => Filters),
  ),
  filters_for_any_party: nested(2, () => Filters),
  verbose: bool(3),
});

export const TransactionFormat = message("TransactionFormat", {
  event_format: nested(1, () => EventFormat),
  transaction_shape: enumeration(2, TransactionShape),
});

const TopologyFormat = message("TopologyFormat", {
  include_participant_authorization_events: nested(1, () => ParticipantAuthorizationTopologyFormat),
});

const ParticipantAuthorizationTopologyFormat = message("ParticipantAuthorizationTopologyFormat", { parties: repeated(string(1)) });

export const UpdateFormat = message("UpdateFormat", {
  include_transactions: nested(1, () => TransactionFormat),
  include_reassignments: nested(2, () => EventFormat),
  include_topology_events: nested(3, () => TopologyFormat),
});
