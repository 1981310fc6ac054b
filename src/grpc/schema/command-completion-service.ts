import { int64, nested, oneOf, protoFile, repeated, string } from "./fields.js";
import { Completion } from "./completion.js";
import { OffsetCheckpoint } from "./offset-checkpoint.js";

const { file, message } = protoFile("com.daml.ledger.api.v2", "command_completion_service.proto", ["CommandCompletionService"]);
export const commandCompletionServiceFile = file;

message("CompletionStreamRequest", { user_id: string(1), parties: repeated(string(2)), begin_exclusive: int64(3) });

message("GetCompletionsRequest", { parties: repeated(string(1)), begin_exclusive: int64(2) });

message("CompletionStreamResponse", {
  completion_response: oneOf(
    { completion: nested(1, () => Completion), offset_checkpoint: nested(2, () => OffsetCheckpoint) },
    { json: "completionResponse", isWrapped: true, none: "Empty" },
  ),
});
