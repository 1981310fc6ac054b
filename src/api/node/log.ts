import { participantAdmin } from "../../auth/index.js";
import { fail, ok } from "../../base/result.js";
import { noBody } from "../body.js";
import { invalidArgument } from "../failures.js";
import { json, operation } from "../operation.js";
import { int64 } from "../query.js";
import type { Services } from "../services.js";
import type { GetLogResponse } from "./types/log.js";

export const logOperations = {
  getLog: operation({
    route: "GET /log",
    summary: "The last lines of the log, behind a number if one is given.",
    query: { after: int64() },
    claims: () => participantAdmin,
    body: noBody(),
    reply: json<GetLogResponse>(),
    handle: ({ logTail }: Services, { query }) =>
      logTail === undefined
        ? fail(invalidArgument("the log of this process is told at its first participant"))
        : ok({ lines: logTail.linesAfter(query.after ?? 0), written: logTail.linesWritten }),
  }),
};
