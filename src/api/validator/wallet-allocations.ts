import {
  allocateV1,
  allocateV2,
  allocationRequestsOf,
  type AllocationRequestV1,
  type AllocationRequestV2,
  type AllocationResult,
  allocationsOf,
  rejectAllocationRequest,
  type WithdrawnV1,
  type WithdrawnV2,
  withdrawV1,
  withdrawV2,
} from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { toInt64, toOptionalInt64 } from "../ledger/index.js";
import { json } from "../operation.js";
import { asOwner, asOwnerAs } from "./owner.js";
import { claims, declare } from "./services.js";
import type {
  AllocateAmuletRequest,
  AllocateAmuletV2Request,
  ChoiceExecutionMetadata,
  ListAllocationRequestsResponse,
  ListAllocationsResponse,
} from "./wallet-types.js";

const allocationOf = ({ settlement, transfer_leg_id: transferLegId, transfer_leg: leg }: AllocateAmuletRequest): AllocationRequestV1 => ({
  settlement: {
    executor: settlement.executor,
    reference: { id: settlement.settlement_ref.id, cid: settlement.settlement_ref.cid ?? undefined },
    requestedAt: toInt64(settlement.requested_at),
    allocateBefore: toInt64(settlement.allocate_before),
    settleBefore: toInt64(settlement.settle_before),
    meta: settlement.meta ?? {},
  },
  transferLegId,
  transferLeg: { receiver: leg.receiver, amount: leg.amount, meta: leg.meta ?? {} },
});

const allocationV2Of = ({ settlement, ...body }: AllocateAmuletV2Request): AllocationRequestV2 => ({
  settlement: {
    executors: settlement.executors,
    reference: { id: settlement.settlement_ref.id, cid: settlement.settlement_ref.cid ?? undefined },
    deadline: toOptionalInt64(settlement.settlement_deadline),
    meta: settlement.meta ?? {},
  },
  legSides: body.transfer_leg_sides.map(({ transfer_leg_id: transferLegId, side, otherside, amount, meta }) => ({
    transferLegId,
    side: side === "SENDERSIDE" ? "SenderSide" : "ReceiverSide",
    otherside,
    amount,
    meta: meta ?? {},
  })),
  nextIterationFunding: body.next_iteration_funding ?? undefined,
  committed: body.committed,
  meta: body.meta ?? {},
});

/** Amulet set aside for settlements, and what apps ask for. */
export const walletAllocationOperations = {
  walletAllocate: declare({
    route: "POST /v0/allocations",
    summary: "Sets Amulet aside for a leg of a settlement; once for a leg.",
    claims,
    body: jsonBody(typia.createValidate<AllocateAmuletRequest>(), typia.createAssert<AllocateAmuletRequest>()),
    reply: json<AllocationResult>(),
    handle: (services, { caller, body }) =>
      asOwner(services, caller, "allocateAmulet", (context, owner) => allocateV1(context, owner, allocationOf(body))),
  }),
  walletAllocateV2: declare({
    route: "POST /v2/allocations",
    summary: "Sets Amulet aside for the sides of legs, by the second generation of the standard.",
    claims,
    body: jsonBody(typia.createValidate<AllocateAmuletV2Request>(), typia.createAssert<AllocateAmuletV2Request>()),
    reply: json<AllocationResult>(),
    handle: (services, { caller, body }) =>
      asOwner(services, caller, "allocateAmuletV2", (context, owner) => allocateV2(context, owner, allocationV2Of(body))),
  }),
  walletAllocations: declare({
    route: "GET /v0/allocations",
    summary: "What the caller set aside, of both generations.",
    claims,
    body: noBody(),
    reply: json<ListAllocationsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(services, caller, "listAmuletAllocations", allocationsOf, (contracts) => ({
        allocations: contracts.map((contract) => ({ contract })),
      })),
  }),
  walletAllocationWithdraw: declare({
    route: "POST /v0/allocations/{contract_id}/withdraw",
    summary: "Takes back what was set aside.",
    claims,
    body: noBody(),
    reply: json<WithdrawnV1>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "withdrawAmuletAllocation", (context, owner) => withdrawV1(context, owner, params.contract_id)),
  }),
  walletAllocationV2Withdraw: declare({
    route: "POST /v2/allocations/{contract_id}/withdraw",
    summary: "Takes back what was set aside, of either generation, by the second.",
    claims,
    body: noBody(),
    reply: json<WithdrawnV2>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "withdrawAmuletAllocationV2", (context, owner) => withdrawV2(context, owner, params.contract_id)),
  }),
  walletAllocationRequests: declare({
    route: "GET /v0/wallet/token-standard/allocation-requests",
    summary: "What apps ask the caller to set aside.",
    claims,
    body: noBody(),
    reply: json<ListAllocationRequestsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(services, caller, "listAllocationRequests", allocationRequestsOf, (contracts) => ({
        allocation_requests: contracts.map((contract) => ({ contract })),
      })),
  }),
  walletAllocationRequestReject: declare({
    route: "POST /v0/wallet/token-standard/allocation-requests/{contract_id}/reject",
    summary: "Declines what an app asks for.",
    claims,
    body: noBody(),
    reply: json<ChoiceExecutionMetadata>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "rejectAllocationRequest", (context, owner) =>
        rejectAllocationRequest(context, owner, "v1", params.contract_id),
      ),
  }),
  walletAllocationRequestV2Reject: declare({
    route: "POST /v2/wallet/token-standard/allocation-requests/{contract_id}/reject",
    summary: "Declines what an app asks for, by the second generation of the standard.",
    claims,
    body: noBody(),
    reply: json<ChoiceExecutionMetadata>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "rejectAllocationRequestV2", (context, owner) =>
        rejectAllocationRequest(context, owner, "v2", params.contract_id),
      ),
  }),
};
