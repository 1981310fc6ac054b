/** What a wallet does with Amulet alone: tap, be featured, send to those who approved of it before. */
import { randomUUID } from "node:crypto";
import { assert } from "../../base/assert.js";
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { templates } from "../names.js";
import { type Answer, identifierProblem, invalid } from "../refusal.js";
import type { Submission, Submitted } from "../submitter.js";
import { amountOf, inAmulet } from "../amounts.js";
import { amuletInputs, inputsOf, paymentContext, paymentContracts } from "./amulets.js";
import { commandIdOf } from "./commands.js";
import { asOperation } from "../invalid-transfers.js";
import { spendAs } from "./spending.js";
import { disclosedFrom, submitAs, type Owner, type WalletContext } from "./wallet-context.js";

export interface TapRequest {
  /** In dollars. */
  readonly amount: string;
  readonly commandId: string | undefined;
}

/** New Amulet from nowhere, as development networks allow; its contract id. */
export async function tap(context: WalletContext, owner: Owner, { amount, commandId = randomUUID() }: TapRequest): Answer<string> {
  const dollars = amountOf(amount);
  if (isFailure(dollars)) return dollars;
  const contracts = await paymentContracts(context);
  if (isFailure(contracts)) return contracts;
  const { rules, round } = contracts.ok;
  const argument = { receiver: owner.party, amount: inAmulet(dollars.ok, round.payload.amuletPrice), openRound: round.contractId };
  const tapped = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(templates.amuletRules, rules.contractId, "AmuletRules_DevNet_Tap", argument)],
    disclosed: disclosedFrom(context, [rules, round]),
    commandId: commandIdOf("tap", owner.party, commandId),
  });
  return isFailure(tapped) ? tapped : ok(amuletOf(tapped.ok));
}

function amuletOf({ exerciseResult }: Submitted): string {
  const { amuletSum } = exerciseResult as { readonly amuletSum?: { readonly amulet: string } };
  assert(amuletSum, "a tap tells what it made");
  return amuletSum.amulet;
}

/** The right to be featured, as development networks give it to whoever asks; its contract id. */
export async function featureOwner(context: WalletContext, owner: Owner): Answer<string> {
  const rules = await context.network.amuletRules();
  if (isFailure(rules)) return rules;
  const granted = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(templates.amuletRules, rules.ok.contractId, "AmuletRules_DevNet_FeatureApp", { provider: owner.party })],
    disclosed: disclosedFrom(context, [rules.ok]),
  });
  return isFailure(granted) ? granted : ok((granted.ok.exerciseResult as { readonly featuredAppRightCid: string }).featuredAppRightCid);
}

/** Gives up every right to be featured; without one there is nothing to do. */
export async function unfeatureOwner(context: WalletContext, owner: Owner): Answer<undefined> {
  const dso = await context.network.dso();
  if (isFailure(dso)) return dso;
  const rights = await context.network.featuredAppRights(dso.ok, owner.party);
  if (rights.length === 0) return ok(undefined);
  const commands = rights.map(({ contractId }) => exercise(templates.featuredAppRight, contractId, "FeaturedAppRight_Cancel", {}));
  const cancelled = await submitAs(context, owner, { actAs: [owner.party], commands });
  return isFailure(cancelled) ? cancelled : ok(undefined);
}

export interface PreapprovedPayment {
  readonly receiver: Party;
  readonly amount: string;
  readonly deduplicationId: string;
  readonly description: string | undefined;
}

/** A transfer that completes at once, as its receiver approved of it. */
export async function sendPreapproved(context: WalletContext, owner: Owner, payment: PreapprovedPayment): Answer<undefined> {
  const malformed = identifierProblem(payment.receiver);
  if (malformed) return malformed;
  const amount = amountOf(payment.amount);
  if (isFailure(amount)) return amount;
  const sent = asOperation(await spendAs(context, owner, { payer: owner.party }, () => prepareSending(context, owner, payment)));
  return isFailure(sent) ? sent : ok(undefined);
}

async function prepareSending(context: WalletContext, owner: Owner, payment: PreapprovedPayment): Answer<Omit<Submission, "userId">> {
  const contracts = await paymentContracts(context);
  if (isFailure(contracts)) return contracts;
  const { rules, round } = contracts.ok,
    { dso } = rules.payload;
  const preapproval = await context.network.transferPreapproval(dso, payment.receiver);
  if (!preapproval) return invalid(`Receiver ${payment.receiver} does not have a TransferPreapproval`);
  const [featured] = await context.network.featuredAppRights(dso, preapproval.payload.provider);
  const argument = {
    context: paymentContext(contracts.ok, featured?.contractId),
    inputs: amuletInputs(await inputsOf(context, owner.party, rules.payload)),
    amount: payment.amount,
    sender: owner.party,
    description: payment.description ?? null,
  };
  return ok({
    actAs: [owner.party],
    commands: [exercise(templates.transferPreapproval, preapproval.contractId, "TransferPreapproval_Send", argument)],
    disclosed: disclosedFrom(context, [rules, round, preapproval, ...(featured ? [featured] : [])]),
    commandId: commandIdOf("transferPreapprovalSend", owner.party, payment.deduplicationId),
  });
}
