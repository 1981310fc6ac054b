/** Offers to transfer Amulet, older than the token standard: the receiver accepts, then the sender's wallet pays. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { create, exercise } from "../commands.js";
import { isOfNetwork } from "../dso-of.js";
import type { Created, Exercised } from "../history/transaction.js";
import { entityOf, templates } from "../names.js";
import { type Answer, identifierProblem, notFound, refuse } from "../refusal.js";
import { amountOf, timeOf } from "../amounts.js";
import { amuletInputs, inputsOf, paymentContext, paymentContracts } from "./amulets.js";
import { commandIdOf } from "./commands.js";
import { backOut } from "../invalid-transfers.js";
import { providerOf } from "../wallet-installs.js";
import type { TransferRequest } from "./token-transfers.js";
import { lastTracked, offerTemplates } from "./tracked.js";
import { spendAs } from "./spending.js";
import { disclosedFrom, submitAs, type Owner, type WalletContext } from "./wallet-context.js";

interface Offer {
  readonly sender: Party;
  readonly receiver: Party;
  readonly trackingId: string;
}

/** A tracking id has one offer, whatever became of it. */
export async function createOffer(context: WalletContext, owner: Owner, request: TransferRequest): Answer<string> {
  const { receiver, description, trackingId } = request;
  const known = await offerStatus(context, owner, trackingId);
  if (!isFailure(known)) return alreadyThere;
  if (known.error.kind !== "notFound") return known;
  const malformed = identifierProblem(receiver);
  if (malformed) return malformed;
  const amount = amountOf(request.amount),
    expiresAt = timeOf(request.expiresAt, "expires_at");
  if (isFailure(amount)) return amount;
  if (isFailure(expiresAt)) return expiresAt;
  const dso = await context.network.dso();
  if (isFailure(dso)) return dso;
  const offered = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [
      create(templates.transferOffer, {
        sender: owner.party,
        receiver,
        dso: dso.ok,
        amount: { amount: request.amount, unit: "AmuletUnit" },
        description,
        expiresAt: expiresAt.ok,
        trackingId,
      }),
    ],
    commandId: commandIdOf("createTransferOffer", owner.party, receiver, trackingId),
  });
  if (isFailure(offered)) return offered;
  const [offer] = offered.ok.created;
  return offer ? ok(offer.contractId) : alreadyThere;
}

const alreadyThere = refuse("conflict", "CreateTransferOffer duplicate command");

/** As the receiver. What was accepted is then paid, if its sender's wallet is here. */
export async function acceptOffer(context: WalletContext, owner: Owner, contractId: string, validator: Owner | undefined): Answer<string> {
  const offer = await ownOffer(context, owner, contractId);
  if (isFailure(offer)) return offer;
  const accepted = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(templates.transferOffer, contractId, "TransferOffer_Accept", {})],
  });
  if (isFailure(accepted)) return accepted;
  const { acceptedTransferOffer } = accepted.ok.exerciseResult as { readonly acceptedTransferOffer: string };
  if (context.users.userOf(offer.ok.sender) !== undefined) await payOffer(context, acceptedTransferOffer, offer.ok, validator);
  return ok(acceptedTransferOffer);
}

/**
 * By the sender's wallet, whose provider it is told of. Without the means to pay the sender backs out; where it cannot be paid now for
 * another reason, whoever keeps the network alive pays it later.
 */
async function payOffer(context: WalletContext, contractId: string, { sender }: Offer, validator: Owner | undefined): Promise<void> {
  const provider = (await providerOf(context, sender)) ?? validator?.party ?? sender,
    payer = { userId: context.users.userOf(sender)!, party: sender };
  const paid = await spendAs(context, payer, { payer: sender, subject: contractId }, async () => {
    const contracts = await paymentContracts(context);
    if (isFailure(contracts)) return contracts;
    const { rules, round } = contracts.ok;
    const [featured] = await context.network.featuredAppRights(rules.payload.dso, provider);
    return ok({
      actAs: [...new Set([sender, provider])],
      commands: [
        exercise(templates.acceptedTransferOffer, contractId, "AcceptedTransferOffer_Complete", {
          inputs: amuletInputs(await inputsOf(context, sender, rules.payload)),
          transferContext: paymentContext(contracts.ok, featured?.contractId),
          walletProvider: provider,
        }),
      ],
      disclosed: disclosedFrom(context, [rules, round, ...(featured ? [featured] : [])]),
    });
  });
  const instead = isFailure(paid) ? backOut(contractId, paid.error) : undefined;
  if (instead) await submitAs(context, payer, { actAs: [sender], commands: [instead] });
}

/** As the receiver, or the sender. */
export async function endOffer(context: WalletContext, owner: Owner, contractId: string, how: "reject" | "withdraw"): Answer<undefined> {
  const offer = await ownOffer(context, owner, contractId);
  if (isFailure(offer)) return offer;
  const [choice, argument] =
    how === "reject" ? ["TransferOffer_Reject", {}] : ["TransferOffer_Withdraw", { reason: "Withdrawn by sender" }];
  const ended = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(templates.transferOffer, contractId, choice as string, argument as object)],
  });
  return isFailure(ended) ? ended : ok(undefined);
}

async function ownOffer({ contracts, network }: WalletContext, { party }: Owner, contractId: string): Answer<Offer> {
  const offer = await contracts.findOf<Offer>(templates.transferOffer, contractId),
    { ok: dso } = await network.dso();
  const isOwn = offer !== undefined && [offer.payload.sender, offer.payload.receiver].includes(party) && isOfNetwork(offer.payload, dso);
  return isOwn ? ok(offer.payload) : notFound(`TransferOffer '${contractId}' not found.`);
}

/** As clients see it. */
export type OfferStatus =
  | { readonly status: "created" | "accepted" | "completed"; readonly transaction_id: string; readonly contract_id: string }
  | { readonly status: "failed"; readonly failure_kind: "expired" | "rejected" | "withdrawn"; readonly withdrawn_reason?: string };

/** What last happened to the offer of a tracking id. */
export async function offerStatus(context: WalletContext, { party }: Owner, trackingId: string): Answer<OfferStatus> {
  const last = await lastTracked(context, { party, trackingId, names: offerTemplates }, ({ CreatedEvent, ExercisedEvent }, updateId) =>
    CreatedEvent ? ofCreate(CreatedEvent, updateId, party) : ofExercise(ExercisedEvent, updateId),
  );
  if (isFailure(last)) return last;
  return last.ok === undefined ? notFound(`Couldn't find transfer offer with tracking id ${trackingId}`) : ok(last.ok);
}

/** An offer that nobody answered goes by its sender's tracking id alone: its receiver may have another of that id. */
function ofCreate({ templateId, contractId, createArgument }: Created, updateId: string, party: Party): OfferStatus | undefined {
  const isOffer = entityOf(templateId) === templates.transferOffer.entity;
  if (isOffer && (createArgument as Offer).sender !== party) return undefined;
  return { status: isOffer ? "created" : "accepted", transaction_id: updateId, contract_id: contractId };
}

function ofExercise({ choice, choiceArgument, exerciseResult }: Exercised, updateId: string): OfferStatus {
  const { transferResult } = exerciseResult as {
    readonly transferResult?: { readonly createdAmulets: readonly { readonly value: string }[] };
  };
  if (transferResult) return { status: "completed", transaction_id: updateId, contract_id: transferResult.createdAmulets[0]?.value ?? "" };
  if (choice.endsWith("_Reject")) return { status: "failed", failure_kind: "rejected" };
  if (choice.endsWith("_Expire")) return { status: "failed", failure_kind: "expired" };
  return { status: "failed", failure_kind: "withdrawn", withdrawn_reason: (choiceArgument as { readonly reason: string }).reason };
}
