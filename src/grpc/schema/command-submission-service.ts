import { nested, protoFile } from "./fields.js";
import { Commands } from "./commands.js";
import { ReassignmentCommands } from "./reassignment-commands.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "command_submission_service.proto", ["CommandSubmissionService"]);
export const commandSubmissionServiceFile = file;

message("SubmitRequest", { commands: nested(1, () => Commands) });

message("SubmitResponse", {});

message("SubmitReassignmentRequest", { reassignment_commands: nested(1, () => ReassignmentCommands) });

message("SubmitReassignmentResponse", {});
