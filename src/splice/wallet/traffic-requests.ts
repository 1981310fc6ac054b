/** Traffic that the owner buys for a validator: a request with a tracking id, which is paid at once or refused with the reason. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { timeOf } from "../amounts.js";
import { create } from "../commands.js";
import type { LedgerEvent } from "../history/transaction.js";
import { isHosted } from "../hosting.js";
import { templates } from "../names.js";
import { type Answer, invalid, notFound, refuse } from "../refusal.js";
import { migrationId } from "../snapshot-query.js";
import { commandIdOf } from "./commands.js";
import { cancelTraffic } from "../invalid-transfers.js";
import { payBy } from "./pay.js";
import { lastTracked, trafficTemplates } from "./tracked.js";
import { submitAs, type Owner, type WalletContext } from "./wallet-context.js";

export interface TrafficRequest {
  readonly validator: Party;
  readonly synchronizerId: string;
  readonly amount: number;
  readonly trackingId: string;
  /** Microseconds since the epoch. */
  readonly expiresAt: number;
}

/** As clients see it. */
export type TrafficRequestStatus =
  | { readonly status: "created" }
  | { readonly status: "completed"; readonly transaction_id: string }
  | { readonly status: "failed"; readonly failure_reason: "expired" | "rejected"; readonly rejection_reason?: string };

/** A tracking id has one; its contract id. */
export async function createTrafficRequest(
  context: WalletContext,
  owner: Owner,
  request: TrafficRequest,
  validator: Owner | undefined,
): Answer<string> {
  const { ledger } = context,
    { validator: receiver, synchronizerId, amount, trackingId } = request;
  if (amount <= 0 || !Number.isSafeInteger(amount)) return invalid("trafficAmount must be positive");
  if (synchronizerId !== ledger.synchronizerId || !isHosted(ledger, receiver))
    return invalid(`Could not find participant hosting ${receiver} on domain ${synchronizerId}`);
  const expiresAt = timeOf(request.expiresAt, "expires_at"),
    dso = await context.network.dso();
  if (isFailure(expiresAt)) return expiresAt;
  if (isFailure(dso)) return dso;
  const taken = refuse("conflict", `Buy traffic request with trackingId ${trackingId} already exists.`);
  const known = await trafficRequestStatus(context, owner, trackingId);
  if (!isFailure(known)) return taken;
  const made = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [
      create(templates.buyTrafficRequest, {
        dso: dso.ok,
        endUserParty: owner.party,
        expiresAt: expiresAt.ok,
        trackingId,
        trafficAmount: String(amount),
        memberId: `PAR::${ledger.participantId}`,
        synchronizerId,
        migrationId: String(migrationId),
      }),
    ],
    commandId: commandIdOf("createBuyTrafficRequest", receiver, owner.party, trackingId),
  });
  if (isFailure(made)) return made;
  const [contract] = made.ok.created;
  if (!contract) return taken;
  const bought = await payBy(context, owner, validator, {
    template: templates.buyTrafficRequest,
    contractId: contract.contractId,
    choice: "BuyTrafficRequest_Complete",
  });
  // One that expired meanwhile cannot be cancelled; automation ends it, and buys what had no turn here.
  if (isFailure(bought) && bought.error.kind !== "busy")
    await submitAs(context, owner, { actAs: [owner.party], commands: [cancelTraffic(contract.contractId, bought.error)] });
  return ok(contract.contractId);
}

/** What last happened to it. */
export async function trafficRequestStatus(context: WalletContext, { party }: Owner, trackingId: string): Answer<TrafficRequestStatus> {
  const last = await lastTracked(context, { party, trackingId, names: trafficTemplates }, statusOf);
  if (isFailure(last)) return last;
  return last.ok === undefined ? notFound(`Couldn't find buy traffic request with tracking id ${trackingId}`) : ok(last.ok);
}

function statusOf({ ExercisedEvent: exercised }: LedgerEvent, updateId: string): TrafficRequestStatus {
  if (!exercised) return { status: "created" };
  if (exercised.choice.endsWith("_Complete")) return { status: "completed", transaction_id: updateId };
  if (exercised.choice.endsWith("_Expire")) return { status: "failed", failure_reason: "expired" };
  const { reason } = exercised.choiceArgument as { readonly reason: string };
  return { status: "failed", failure_reason: "rejected", rejection_reason: reason };
}
