import { enumeration, identifier, nested, protoFile, repeated, string, timestamp, uint32, value } from "../fields.js";
import { Command } from "../commands.js";
import { Completion } from "../completion.js";

const { file, message, enumOf } = protoFile("com.daml.ledger.api.v2.admin", "command_inspection_service.proto", [
  "CommandInspectionService",
]);
export const commandInspectionServiceFile = file;

const CommandState = enumOf("CommandState", {
  COMMAND_STATE_UNSPECIFIED: 0,
  COMMAND_STATE_PENDING: 1,
  COMMAND_STATE_SUCCEEDED: 2,
  COMMAND_STATE_FAILED: 3,
});

message("GetCommandStatusRequest", { command_id_prefix: string(1), state: enumeration(2, CommandState), limit: uint32(3) });

message("GetCommandStatusResponse", { command_status: repeated(nested(1, () => CommandStatus)) });

const Timing = message("Timing", { description: string(1), duration_ms: uint32(2) });

const CommandStatus = message("CommandStatus", {
  started: timestamp(1),
  completed: timestamp(2),
  completion: nested(3, () => Completion),
  state: enumeration(4, CommandState),
  commands: repeated(nested(5, () => Command)),
  request_statistics: nested(6, () => RequestStatistics),
  updates: nested(7, () => CommandUpdates),
  synchronizer_id: string(8),
  timings: repeated(nested(9, () => Timing)),
});

const RequestStatistics = message("RequestStatistics", { envelopes: uint32(1), request_size: uint32(2), recipients: uint32(3) });

const CommandUpdates = message("CommandUpdates", {
  created: repeated(nested(1, () => Contract)),
  archived: repeated(nested(2, () => Contract)),
  exercised: uint32(3),
  fetched: uint32(4),
  looked_up_by_key: uint32(5),
});

const Contract = message("Contract", { template_id: identifier(1), contract_id: string(2), contract_key: value(3, undefined) });
