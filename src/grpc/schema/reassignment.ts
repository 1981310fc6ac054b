import { identifier, int32, int64, nested, oneOf, protoFile, repeated, string, timestamp, uint64 } from "./fields.js";
import { CreatedEvent } from "./event.js";
import { TraceContext } from "./trace-context.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "reassignment.proto");
export const reassignmentFile = file;

export const Reassignment = message("Reassignment", {
  update_id: string(1),
  command_id: string(2),
  workflow_id: string(3),
  offset: int64(4),
  events: repeated(nested(5, () => ReassignmentEvent)),
  trace_context: nested(6, () => TraceContext),
  record_time: timestamp(7),
  synchronizer_id: string(8),
  paid_traffic_cost: int64(9, { isOptional: true }),
});

/** Of its JSON only the one of two cases has a `value`. */
const ReassignmentEvent = message("ReassignmentEvent", {
  event: oneOf(
    { unassigned: nested(1, () => UnassignedEvent), assigned: nested(2, () => AssignedEvent) },
    { json: "", isWrapped: true, unwrapped: ["assigned"], cases: { unassigned: "JsUnassignedEvent", assigned: "JsAssignmentEvent" } },
  ),
});

export const UnassignedEvent = message("UnassignedEvent", {
  reassignment_id: string(1),
  contract_id: string(2),
  template_id: identifier(3),
  source: string(4),
  target: string(5),
  submitter: string(6),
  reassignment_counter: uint64(7),
  assignment_exclusivity: timestamp(8),
  witness_parties: repeated(string(9)),
  package_name: string(10),
  offset: int64(11),
  node_id: int32(12),
});

export const AssignedEvent = message("AssignedEvent", {
  source: string(1),
  target: string(2),
  reassignment_id: string(3),
  submitter: string(4),
  reassignment_counter: uint64(5),
  created_event: nested(6, () => CreatedEvent),
});
