import { hex, int64, nested, protoFile, repeated, string, timestamp } from "./fields.js";
import { Event } from "./event.js";
import { TraceContext } from "./trace-context.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "transaction.proto");
export const transactionFile = file;

export const Transaction = message("Transaction", {
  update_id: string(1),
  command_id: string(2),
  workflow_id: string(3),
  effective_at: timestamp(4),
  events: repeated(nested(5, () => Event)),
  offset: int64(6),
  synchronizer_id: string(7),
  trace_context: nested(8, () => TraceContext),
  record_time: timestamp(9),
  external_transaction_hash: hex(10, { isOptional: true }),
  paid_traffic_cost: int64(11, { isOptional: true }),
});
