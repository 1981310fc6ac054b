import { protoFile, string } from "./fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "trace_context.proto");
export const traceContextFile = file;

export const TraceContext = message("TraceContext", {
  traceparent: string(1, { isOptional: true }),
  tracestate: string(2, { isOptional: true }),
});
