import { createTrafficRequest, type TrafficRequestStatus, trafficRequestStatus } from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { toInt64 } from "../ledger/index.js";
import { json } from "../operation.js";
import { asOwner, asOwnerAs } from "./owner.js";
import { claims, declare } from "./services.js";
import type { CreateBuyTrafficRequest, CreateBuyTrafficRequestResponse } from "./wallet-types.js";

/** Traffic that the caller buys for a validator. */
export const walletTrafficOperations = {
  walletBuyTraffic: declare({
    route: "POST /v0/wallet/buy-traffic-requests",
    summary: "Buys traffic for a validator; once for a tracking id.",
    claims,
    body: jsonBody(typia.createValidate<CreateBuyTrafficRequest>(), typia.createAssert<CreateBuyTrafficRequest>()),
    reply: json<CreateBuyTrafficRequestResponse>(),
    handle: (services, { caller, body }) =>
      asOwnerAs(
        services,
        caller,
        "createBuyTrafficRequest",
        (context, owner, validator) =>
          createTrafficRequest(
            context,
            owner,
            {
              validator: body.receiving_validator_party_id,
              synchronizerId: body.domain_id,
              amount: toInt64(body.traffic_amount),
              trackingId: body.tracking_id,
              expiresAt: toInt64(body.expires_at),
            },
            validator,
          ),
        (contract) => ({ request_contract_id: contract }),
      ),
  }),
  walletBuyTrafficStatus: declare({
    route: "POST /v0/wallet/buy-traffic-requests/{tracking_id}/status",
    summary: "What became of it.",
    claims,
    body: noBody(),
    reply: json<TrafficRequestStatus>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "getBuyTrafficRequestStatus", (context, owner) => trafficRequestStatus(context, owner, params.tracking_id)),
  }),
};
