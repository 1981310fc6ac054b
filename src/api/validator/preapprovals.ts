import { fail } from "../../base/result.js";
import { noBody } from "../body.js";
import { json, nothing } from "../operation.js";
import type { LookupTransferPreapprovalByPartyResponse } from "../scan/index.js";
import { answeredAs } from "../splice/errors.js";
import { operatorProblem } from "./owner.js";
import { claims, declare } from "./services.js";
import type { ListTransferPreapprovalsResponse } from "./wallet-types.js";

/** Preapprovals that the validator provides. */
export const preapprovalOperations = {
  adminPreapprovals: declare({
    route: "GET /v0/admin/transfer-preapprovals",
    summary: "Preapprovals that the validator provides.",
    claims,
    body: noBody(),
    reply: json<ListTransferPreapprovalsResponse>(),
    handle: async (services, { caller }) => {
      const problem = operatorProblem(services, caller);
      return problem ? fail(problem) : answeredAs(await services.splice.wallets.preapprovals(), (contracts) => ({ contracts }));
    },
  }),
  adminPreapproval: declare({
    route: "GET /v0/admin/transfer-preapprovals/by-party/{receiver-party}",
    summary: "The preapproval of a receiver.",
    claims,
    body: noBody(),
    reply: json<LookupTransferPreapprovalByPartyResponse>(),
    handle: async (services, { caller, params }) => {
      const problem = operatorProblem(services, caller);
      if (problem) return fail(problem);
      return answeredAs(await services.splice.wallets.preapproval(params["receiver-party"]), (preapproval) => ({
        transfer_preapproval: preapproval,
      }));
    },
  }),
  adminPreapprovalCancel: declare({
    route: "DELETE /v0/admin/transfer-preapprovals/by-party/{receiver-party}",
    summary: "Ends the preapproval of a receiver.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: async (services, { caller, params }) => {
      const problem = operatorProblem(services, caller);
      return problem
        ? fail(problem)
        : answeredAs(await services.splice.wallets.cancelPreapproval(params["receiver-party"]), () => undefined);
    },
  }),
};
