/** Subscriptions: the owner accepts a request with its first payment, or declines it, and may end what he pays for. */
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { isOf, type Contract } from "../contracts.js";
import { describeContracts, type DescribedContract } from "../described-contract.js";
import { isOfNetwork } from "../dso-of.js";
import { instantOf } from "../instants.js";
import { templates, type Name } from "../names.js";
import { type Answer, contractIdNotFound, notFound } from "../refusal.js";
import { rowOf } from "../rows.js";
import { commandIdOf } from "./commands.js";
import { asOperation } from "../invalid-transfers.js";
import { payBy } from "./pay.js";
import { submitAs, type Owner, type WalletContext } from "./wallet-context.js";

export interface OfSubscription {
  readonly subscriptionData: { readonly sender: Party };
}
interface SubscriptionState extends OfSubscription {
  readonly subscription: string;
}
interface IdleState extends SubscriptionState {
  readonly nextPaymentDueAt: string;
}

/** `idle`: the next payment is not due; `payment`: one is made and not collected yet. */
export interface SubscriptionWithState {
  readonly subscription: DescribedContract;
  readonly state: { readonly idle: DescribedContract } | { readonly payment: DescribedContract };
}

/** Those that the owner pays for, by the age of their states; without those whose next payment was not made in time. */
export async function subscriptionsOf(context: WalletContext, { party }: Owner): Answer<readonly SubscriptionWithState[]> {
  const { ok: dso } = await context.network.dso();
  const own = async <P extends OfSubscription>(template: Name): Promise<readonly Contract<P>[]> =>
    (await context.contracts.all<P>(template, party)).filter(
      ({ payload }) => payload.subscriptionData.sender === party && isOfNetwork(payload, dso),
    );
  const [subscriptions, idle, paying] = await Promise.all([
    own(templates.subscription),
    own<IdleState>(templates.subscriptionIdleState),
    own<SubscriptionState>(templates.subscriptionPayment),
  ]);
  const now = context.ledger.nowMicros(),
    due = idle.filter(({ payload }) => instantOf(payload.nextPaymentDueAt) >= now),
    known = new Map(subscriptions.map((subscription) => [subscription.contractId, subscription]));
  const states = [...due, ...paying]
    .filter(({ payload }) => known.has(payload.subscription))
    .sort((a, b) => rowOf(a.place) - rowOf(b.place))
    .slice(0, limits.walletListContractsMax);
  const listed = new Set<Contract>([...states.map(({ payload }) => known.get(payload.subscription)!), ...states]),
    described = new Map((await describeContracts(context.types, [...listed])).map((each) => [each.contract_id, each]));
  return ok(
    states.map((state) => {
      const contract = described.get(state.contractId)!;
      return {
        subscription: described.get(state.payload.subscription)!,
        state: isOf(state, templates.subscriptionIdleState) ? { idle: contract } : { payment: contract },
      };
    }),
  );
}

export async function subscriptionRequest(context: WalletContext, owner: Owner, contractId: string): Answer<DescribedContract> {
  const request = await ownContract(context, owner, templates.subscriptionRequest, contractId);
  return request
    ? ok((await describeContracts(context.types, [request]))[0]!)
    : contractIdNotFound(templates.subscriptionRequest, contractId);
}

/** The first payment; asked for again it is the same. */
export async function acceptSubscription(
  context: WalletContext,
  owner: Owner,
  contractId: string,
  validator: Owner | undefined,
): Answer<string> {
  // What was accepted is gone, and asked for again gives what it gave.
  const request = await context.contracts.everCreated<OfSubscription>(contractId);
  const isOwn =
    request !== undefined && isOf(request, templates.subscriptionRequest) && request.payload.subscriptionData.sender === owner.party;
  if (!isOwn) return missing("SubscriptionRequest", contractId);
  const paid = asOperation(
    await payBy(context, owner, validator, {
      template: templates.subscriptionRequest,
      contractId,
      choice: "SubscriptionRequest_AcceptAndMakePayment",
      commandId: commandIdOf("acceptSubscriptionRequest", owner.party, contractId),
    }),
  );
  return isFailure(paid) ? paid : ok((paid.ok.exerciseResult as { readonly subscriptionPayment: string }).subscriptionPayment);
}

export const rejectSubscription = (context: WalletContext, owner: Owner, contractId: string): Answer<undefined> =>
  end(
    context,
    owner,
    { template: templates.subscriptionRequest, name: "SubscriptionRequest", choice: "SubscriptionRequest_Reject" },
    contractId,
  );

/** By its state, while no payment is under way. */
export const cancelSubscription = (context: WalletContext, owner: Owner, contractId: string): Answer<undefined> =>
  end(
    context,
    owner,
    { template: templates.subscriptionIdleState, name: "SubscriptionIdleState", choice: "SubscriptionIdleState_CancelSubscription" },
    contractId,
  );

interface Ending {
  readonly template: Name;
  readonly name: string;
  readonly choice: string;
}

async function end(context: WalletContext, owner: Owner, { template, name, choice }: Ending, contractId: string): Answer<undefined> {
  if (!(await ownContract(context, owner, template, contractId))) return missing(name, contractId);
  const ended = await submitAs(context, owner, { actAs: [owner.party], commands: [exercise(template, contractId, choice, {})] });
  return isFailure(ended) ? ended : ok(undefined);
}

async function ownContract(
  { contracts, network }: WalletContext,
  { party }: Owner,
  template: Name,
  contractId: string,
): Promise<Contract<OfSubscription> | undefined> {
  const contract = await contracts.findOf<OfSubscription>(template, contractId),
    { ok: dso } = await network.dso();
  return contract?.payload.subscriptionData.sender === party && isOfNetwork(contract.payload, dso) ? contract : undefined;
}

const missing = (name: string, contractId: string) => notFound(`${name} ${contractId} not found.`);
