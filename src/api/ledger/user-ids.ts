/** User ids in paths: checked before the ledger is asked, and answered as the JSON layer answers. */
import { isUserId, quoted } from "../../ledger/admin/index.js";
import { jsonError } from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";

export const malformedUserId = (userId: string): RequestFailure | undefined =>
  isUserId(userId)
    ? undefined
    : jsonError(
        "INVALID_ARGUMENT",
        `The submitted request has invalid arguments: Malformed user-id: ${quoted(userId)} has a character that user ids do not have, or more than 128 of them`,
      );
