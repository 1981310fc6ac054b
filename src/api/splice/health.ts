/** Whether a server is there, as each of them tells it. */
import { ok } from "../../base/result.js";
import { noBody } from "../body.js";
import { json, nothing, operationFor, plainText } from "../operation.js";

export interface Version {
  readonly version: string;
  readonly commit_ts: string;
}

interface Health {
  readonly ready: () => boolean;
  readonly version: string;
}

const declare = operationFor<Health>();

export const healthOperations = {
  livez: declare({
    route: "GET /livez",
    summary: "Whether the process runs.",
    claims: "none",
    body: noBody(),
    reply: nothing(),
    handle: () => ok(undefined),
  }),
  readyz: declare({
    route: "GET /readyz",
    summary: "Whether it takes requests.",
    claims: "none",
    body: noBody(),
    reply: plainText(),
    handle: ({ ready }) => ok(ready() ? { status: 200, text: "" } : { status: 503, text: "not ready" }),
  }),
  version: declare({
    route: "GET /version",
    summary: "The version of the program.",
    claims: "none",
    body: noBody(),
    reply: json<Version>(),
    handle: ({ version }) => ok({ version, commit_ts: "1970-01-01T00:00:00Z" }),
  }),
};
