import { fail, isFailure, ok } from "../../base/result.js";
import type { Asked, Json, JsonRequest } from "../method.js";
import { commandsProblem, type WithCommands } from "./command-problems.js";
import { get, post, posting, required } from "./requests.js";
import { serviceOf } from "./service.js";
import { isTransactionVerbose, type TransactionFormat } from "./verbosity.js";

interface Execution extends Json {
  readonly preparedTransaction?: string;
  readonly partySignatures?: Json;
  readonly transactionFormat?: TransactionFormat;
}
interface Preferred {
  readonly parties: readonly string[];
  readonly packageName: string;
  readonly synchronizerId: string;
  readonly vettingValidAt?: string;
}

const executing =
  (path: string) =>
  (request: Execution): Asked<JsonRequest> => {
    const prepared = required(request.preparedTransaction, "prepared_transaction");
    if (isFailure(prepared)) return prepared;
    const signatures = required(request.partySignatures, "parties_signatures"); // the reference calls it so
    return isFailure(signatures) ? signatures : ok(post(path, request));
  };

const { unary } = serviceOf("com.daml.ledger.api.v2.interactive.InteractiveSubmissionService");

export const interactiveMethods = [
  unary<WithCommands>("PrepareSubmission", {
    ask: (request) => {
      const problem = commandsProblem(request);
      return problem === undefined ? ok(post("/v2/interactive-submission/prepare", request)) : fail(problem);
    },
  }),
  unary("ExecuteSubmission", { ask: executing("/v2/interactive-submission/execute") }),
  unary("ExecuteSubmissionAndWait", { ask: executing("/v2/interactive-submission/executeAndWait") }),
  unary<Execution>("ExecuteSubmissionAndWaitForTransaction", {
    ask: executing("/v2/interactive-submission/executeAndWaitForTransaction"),
    isVerbose: isTransactionVerbose,
  }),
  unary<Preferred>("GetPreferredPackageVersion", {
    ask: ({ parties, packageName, synchronizerId, vettingValidAt = "" }) => {
      const named = required(packageName || undefined, "package_name");
      if (isFailure(named)) return named;
      return ok(
        get("/v2/interactive-submission/preferred-package-version", {
          parties,
          "package-name": packageName,
          "synchronizer-id": synchronizerId,
          vetting_valid_at: vettingValidAt,
        }),
      );
    },
  }),
  unary("GetPreferredPackages", { ask: posting("/v2/interactive-submission/preferred-packages") }),
];
