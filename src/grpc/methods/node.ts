/** Services of the node itself. Those that the JSON API does not have are done by this node's own operations, where it has them. */
import { isFailure, ok } from "../../base/result.js";
import type { Json } from "../method.js";
import { messageNamed } from "../schema/index.js";
import { get, nothing, post, required } from "./requests.js";
import { serviceOf } from "./service.js";

interface Times extends Json {
  readonly currentTime?: string;
  readonly newTime?: string;
}
interface Pruning {
  readonly pruneUpTo: number | string;
}

/** Of ledgers whose time stands still until it is set. */
export const timeService = "com.daml.ledger.api.v2.testing.TimeService";

/** Anybody's. */
export const versionService = "com.daml.ledger.api.v2.VersionService";

const version = serviceOf(versionService),
  time = serviceOf(timeService),
  pruning = serviceOf("com.daml.ledger.api.v2.admin.ParticipantPruningService"),
  inspection = serviceOf("com.daml.ledger.api.v2.admin.CommandInspectionService");

/** The JSON API says of it what a Canton node does, and has none of its methods; here one would call them. */
function withoutInspection(told: unknown): Json {
  const { features, ...rest } = told as { readonly features: { readonly experimental: Json } },
    experimental = { ...features.experimental, commandInspectionService: { supported: false } };
  return { ...rest, features: { ...features, experimental } };
}

export const nodeMethods = [
  version.unary("GetLedgerApiVersion", { ask: () => ok(get("/v2/version")), answer: withoutInspection }),

  time.unary("GetTime", { ask: () => ok(get("/admin/time")) }),
  time.unary<Times>("SetTime", {
    ask: (request) => {
      const current = required(request.currentTime, "current_time");
      if (isFailure(current)) return current;
      const next = required(request.newTime, "new_time");
      return isFailure(next) ? next : ok(post("/admin/time", request));
    },
    answer: nothing,
    reply: messageNamed("google.protobuf.Empty"),
  }),

  pruning.unary<Pruning>("Prune", { ask: ({ pruneUpTo }) => ok(post("/admin/prune", { pruneUpTo })), answer: nothing }),

  inspection.missing("GetCommandStatus", "commands are not kept once they are done: CommandCompletionService tells their outcome"),
];
