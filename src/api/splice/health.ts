/** Whether a server is there, as each of them tells it. */
import { ok } from "../../base/result.js";
import { spliceRelease } from "../../config.js";
import { noBody } from "../body.js";
import { json, nothing, operationFor, plainText } from "../operation.js";

export interface Version {
  readonly version: string;
  readonly commit_ts: string;
}

/** `uptime`: a duration by ISO 8601. `ports` and `extra`: of other servers of the same program; there are none. */
export interface Status {
  readonly id: string;
  readonly uptime: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly extra?: string;
  readonly active: true;
}

/** While the program starts, or is about to stop, it is not initialized. */
export type NodeStatus = { readonly success: Status } | { readonly not_initialized: { readonly active: false } };

export interface Health {
  /** Of the participant. */
  readonly participantId: string;
  /** False while the node starts or shuts down. */
  readonly ready: () => boolean;
}

const declare = operationFor<Health>();

export const healthOperations = {
  livez: declare({
    route: "GET /livez",
    summary: "Whether the process runs.",
    isApart: true,
    claims: "none",
    body: noBody(),
    reply: nothing(),
    handle: () => ok(undefined),
  }),
  readyz: declare({
    route: "GET /readyz",
    summary: "Whether it takes requests.",
    isApart: true,
    claims: "none",
    body: noBody(),
    reply: plainText(),
    handle: ({ ready }) => ok(ready() ? { status: 200, text: "" } : { status: 503, text: "not ready" }),
  }),
  status: declare({
    route: "GET /status",
    summary: "Since when the program runs, and for which participant.",
    isApart: true,
    claims: "none",
    body: noBody(),
    reply: json<NodeStatus>(),
    handle: ({ ready, participantId }) =>
      ok(
        ready()
          ? { success: { id: participantId, uptime: durationText(process.uptime()), ports: {}, active: true } }
          : { not_initialized: { active: false } },
      ),
  }),
  version: declare({
    route: "GET /version",
    summary: "The release of Splice that this server speaks as.",
    isApart: true,
    claims: "none",
    body: noBody(),
    reply: json<Version>(),
    handle: () => ok({ version: spliceRelease.version, commit_ts: spliceRelease.commitTime }),
  }),
};

/** As ISO 8601 has it, in hours, minutes and seconds. */
const durationText = (seconds: number): string =>
  `PT${Math.floor(seconds / 3_600)}H${Math.floor(seconds / 60) % 60}M${(seconds % 60).toFixed(3)}S`;
