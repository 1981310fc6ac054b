import { int64, nested, oneOf, protoFile, repeated, string } from "./fields.js";
import { Duration, Status } from "./google.js";
import { SynchronizerTime } from "./offset-checkpoint.js";
import { TraceContext } from "./trace-context.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "completion.proto");
export const completionFile = file;

export const Completion = message("Completion", {
  command_id: string(1),
  status: nested(2, () => Status),
  update_id: string(3),
  user_id: string(4),
  act_as: repeated(string(5)),
  submission_id: string(6),
  deduplication_period: oneOf(
    { deduplication_offset: int64(7), deduplication_duration: nested(8, () => Duration) },
    { json: "deduplicationPeriod", isWrapped: true, none: "Empty" },
  ),
  trace_context: nested(9, () => TraceContext),
  offset: int64(10),
  synchronizer_time: nested(11, () => SynchronizerTime),
  paid_traffic_cost: int64(12),
});
