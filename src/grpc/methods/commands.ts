import { fail, isFailure, ok } from "../../base/result.js";
import type { Asked, Json, JsonRequest } from "../method.js";
import { messageNamed } from "../schema/index.js";
import { commandsProblem, type WithCommands } from "./command-problems.js";
import { post, posting, required } from "./requests.js";
import { serviceOf } from "./service.js";
import { areEventsVerbose, type EventFormat, isTransactionVerbose, type TransactionFormat } from "./verbosity.js";

interface Submission extends Json {
  readonly commands?: WithCommands;
}
interface WithFormat extends Submission {
  readonly transactionFormat?: TransactionFormat;
}
interface Reassigning extends Json {
  readonly reassignmentCommands?: Json;
  readonly eventFormat?: EventFormat;
}

function wholeCommands(request: Submission): Asked<WithCommands> {
  const commands = required(request.commands, "commands");
  if (isFailure(commands)) return commands;
  const problem = commandsProblem(commands.ok);
  return problem === undefined ? commands : fail(problem);
}

/** The body is the commands themselves. */
const submitting =
  (path: string) =>
  (request: Submission): Asked<JsonRequest> => {
    const commands = wholeCommands(request);
    return isFailure(commands) ? commands : ok(post(path, commands.ok));
  };

const reassigning =
  (path: string) =>
  (request: Reassigning): Asked<JsonRequest> => {
    const commands = required(request.reassignmentCommands, "reassignment_commands");
    return isFailure(commands) ? commands : ok(post(path, request));
  };

const command = serviceOf("com.daml.ledger.api.v2.CommandService"),
  submission = serviceOf("com.daml.ledger.api.v2.CommandSubmissionService"),
  completion = serviceOf("com.daml.ledger.api.v2.CommandCompletionService"),
  completions = messageNamed("com.daml.ledger.api.v2.CompletionStreamResponse");

export const commandMethods = [
  command.unary("SubmitAndWait", { ask: submitting("/v2/commands/submit-and-wait") }),
  command.unary<WithFormat>("SubmitAndWaitForTransaction", {
    ask: (request) => {
      const commands = wholeCommands(request);
      return isFailure(commands) ? commands : posting("/v2/commands/submit-and-wait-for-transaction")(request);
    },
    isVerbose: isTransactionVerbose,
  }),
  command.unary<Reassigning>("SubmitAndWaitForReassignment", {
    ask: reassigning("/v2/commands/submit-and-wait-for-reassignment"),
    isVerbose: areEventsVerbose,
  }),

  submission.unary("Submit", { ask: submitting("/v2/commands/async/submit") }),
  submission.unary("SubmitReassignment", { ask: reassigning("/v2/commands/async/submit-reassignment") }),

  completion.stream<Json>("CompletionStream", { path: "/v2/commands/completions", ask: ok }),
  completion.stream<Json>("GetCompletions", { path: "/v2/commands/command-completions", ask: ok, reply: completions }),
];
