import { isFailure, ok } from "../../base/result.js";
import type { Json } from "../method.js";
import { messageNamed } from "../schema/index.js";
import { posting, required } from "./requests.js";
import { serviceOf } from "./service.js";
import { isUpdateVerbose, type UpdateFormat } from "./verbosity.js";

interface Formatted extends Json {
  readonly updateFormat?: UpdateFormat;
}

const { stream, unary } = serviceOf("com.daml.ledger.api.v2.UpdateService"),
  oneUpdate = { reply: messageNamed("com.daml.ledger.api.v2.GetUpdateResponse"), isVerbose: isUpdateVerbose };

export const updateMethods = [
  stream<Formatted>("GetUpdates", {
    path: "/v2/updates",
    ask: (request) => {
      const format = required(request.updateFormat, "update_format"); // JSON has older fields beside it
      return isFailure(format) ? format : ok(request);
    },
    isVerbose: isUpdateVerbose,
  }),
  unary<Formatted>("GetUpdateByOffset", { ask: posting("/v2/updates/update-by-offset"), ...oneUpdate }),
  unary<Formatted>("GetUpdateById", { ask: posting("/v2/updates/update-by-id"), ...oneUpdate }),
  unary<Formatted>("GetUpdatesPage", { ask: posting("/v2/updates/get-updates-page"), isVerbose: isUpdateVerbose }),
];
