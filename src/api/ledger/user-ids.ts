/** User ids in paths: checked before the ledger is asked, and answered as the JSON layer answers. */
import { jsonError, userIdProblem } from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";

export function malformedUserId(userId: string): RequestFailure | undefined {
  const problem = userIdProblem(userId);
  return problem === undefined
    ? undefined
    : jsonError("INVALID_ARGUMENT", `The submitted request has invalid arguments: Malformed user-id: ${problem}`);
}
