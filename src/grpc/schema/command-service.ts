import { int64, nested, protoFile, string } from "./fields.js";
import { Commands } from "./commands.js";
import { ReassignmentCommands } from "./reassignment-commands.js";
import { Reassignment } from "./reassignment.js";
import { EventFormat, TransactionFormat } from "./transaction-filter.js";
import { Transaction } from "./transaction.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "command_service.proto", ["CommandService"]);
export const commandServiceFile = file;

message("SubmitAndWaitRequest", { commands: nested(1, () => Commands) });

message("SubmitAndWaitForTransactionRequest", {
  commands: nested(1, () => Commands),
  transaction_format: nested(2, () => TransactionFormat),
});

message("SubmitAndWaitResponse", { update_id: string(1), completion_offset: int64(2) });

message("SubmitAndWaitForTransactionResponse", { transaction: nested(1, () => Transaction) });

message("SubmitAndWaitForReassignmentRequest", {
  reassignment_commands: nested(1, () => ReassignmentCommands),
  event_format: nested(2, () => EventFormat),
});

message("SubmitAndWaitForReassignmentResponse", { reassignment: nested(1, () => Reassignment) });
