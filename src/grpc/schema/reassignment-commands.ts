import { nested, oneOf, protoFile, repeated, string } from "./fields.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "reassignment_commands.proto");
export const reassignmentCommandsFile = file;

export const ReassignmentCommands = message("ReassignmentCommands", {
  workflow_id: string(1),
  user_id: string(2),
  command_id: string(3),
  submitter: string(4),
  submission_id: string(5),
  commands: repeated(nested(6, () => ReassignmentCommand)),
});

const ReassignmentCommand = message("ReassignmentCommand", {
  command: oneOf(
    { unassign_command: nested(1, () => UnassignCommand), assign_command: nested(2, () => AssignCommand) },
    { json: "command", isWrapped: true, none: "Empty" },
  ),
});

const UnassignCommand = message("UnassignCommand", { contract_id: string(1), source: string(2), target: string(3) });

const AssignCommand = message("AssignCommand", { reassignment_id: string(1), source: string(2), target: string(3) });
