import { bool, bytes, identifier, int32, int64, nested, oneOf, protoFile, record, repeated, string, timestamp, value } from "./fields.js";
import { Status } from "./google.js";
import { choiceArgument, contractKey, createArgument, exerciseResult, interfaceView } from "./positions.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "event.proto");
export const eventFile = file;

export const Event = message("Event", {
  event: oneOf(
    { created: nested(1, () => CreatedEvent), archived: nested(2, () => ArchivedEvent), exercised: nested(3, () => ExercisedEvent) },
    { json: "", cases: { created: "CreatedEvent", archived: "ArchivedEvent", exercised: "ExercisedEvent" } },
  ),
});

export const CreatedEvent = message("CreatedEvent", {
  offset: int64(1),
  node_id: int32(2),
  contract_id: string(3),
  template_id: identifier(4),
  contract_key: value(5, contractKey),
  contract_key_hash: bytes(16),
  create_arguments: record(6, createArgument, { json: "createArgument" }),
  created_event_blob: bytes(7),
  interface_views: repeated(nested(8, () => InterfaceView)),
  witness_parties: repeated(string(9)),
  signatories: repeated(string(10)),
  observers: repeated(string(11)),
  created_at: timestamp(12),
  package_name: string(13),
  acs_delta: bool(14),
  representative_package_id: string(15),
});

const InterfaceView = message("InterfaceView", {
  interface_id: identifier(1),
  view_status: nested(2, () => Status),
  view_value: record(3, interfaceView),
  implementation_package_id: string(4),
});

export const ArchivedEvent = message("ArchivedEvent", {
  offset: int64(1),
  node_id: int32(2),
  contract_id: string(3),
  template_id: identifier(4),
  witness_parties: repeated(string(5)),
  package_name: string(6),
  implemented_interfaces: repeated(identifier(7)),
});

const ExercisedEvent = message("ExercisedEvent", {
  offset: int64(1),
  node_id: int32(2),
  contract_id: string(3),
  template_id: identifier(4),
  interface_id: identifier(5),
  choice: string(6),
  choice_argument: value(7, choiceArgument),
  acting_parties: repeated(string(8)),
  consuming: bool(9),
  witness_parties: repeated(string(10)),
  last_descendant_node_id: int32(11),
  exercise_result: value(12, exerciseResult),
  package_name: string(13),
  implemented_interfaces: repeated(identifier(14)),
  acs_delta: bool(15),
});
