/**
 * Which contracts stand in a wallet: those in which its owner has the part that the wallet is about, as who pays, gets or may mint. He may
 * have a stake in more, as the app that asks for a payment, or as who settles what others set aside.
 */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import type { Contract, Contracts } from "../contracts.js";
import { isOfNetwork } from "../dso-of.js";
import { templates } from "../names.js";
import type { Network } from "../network.js";
import type { ValidatorRight } from "../wallet-installs.js";

interface Sent {
  readonly sender: Party;
}
interface SentTo extends Sent {
  readonly receiver: Party;
}
interface Subscribed {
  readonly subscriptionData: Sent;
}
interface Validating {
  readonly validator: Party;
}

/** What is read of the contracts of each template. */
interface Payloads {
  readonly transferOffer: SentTo;
  readonly acceptedTransferOffer: SentTo;
  readonly amuletTransferInstruction: { readonly transfer: SentTo };
  readonly amuletAllocation: { readonly allocation: { readonly transferLeg: Sent } };
  readonly amuletAllocationV2: { readonly allocation: { readonly authorizer: { readonly owner?: Party | null } } };
  readonly appPaymentRequest: Sent;
  readonly acceptedAppPayment: Sent;
  readonly subscriptionRequest: Subscribed;
  readonly subscriptionInitialPayment: Subscribed;
  readonly appRewardCoupon: { readonly provider: Party; readonly beneficiary?: Party | null };
  readonly svRewardCoupon: { readonly beneficiary: Party };
  readonly validatorFaucetCoupon: Validating;
  readonly validatorLivenessActivityRecord: Validating;
}
export type Listed = keyof Payloads;

const bothOf = ({ sender, receiver }: SentTo): readonly Party[] => [sender, receiver],
  senderOf = ({ sender }: Sent): readonly Party[] => [sender],
  subscriberOf = ({ subscriptionData }: Subscribed): readonly Party[] => senderOf(subscriptionData),
  validatorOf = ({ validator }: Validating): readonly Party[] => [validator];

const ownersOf: { readonly [K in Listed]: (payload: Payloads[K]) => readonly (Party | null | undefined)[] } = {
  transferOffer: bothOf,
  acceptedTransferOffer: bothOf,
  amuletTransferInstruction: ({ transfer }) => bothOf(transfer),
  amuletAllocation: ({ allocation }) => senderOf(allocation.transferLeg),
  amuletAllocationV2: ({ allocation }) => [allocation.authorizer.owner],
  appPaymentRequest: senderOf,
  acceptedAppPayment: senderOf,
  subscriptionRequest: subscriberOf,
  subscriptionInitialPayment: subscriberOf,
  appRewardCoupon: ({ provider, beneficiary }) => [beneficiary ?? provider],
  svRewardCoupon: ({ beneficiary }) => [beneficiary],
  validatorFaucetCoupon: validatorOf,
  validatorLivenessActivityRecord: validatorOf,
};

/** The oldest first; with more than a list has room for those alone, as in Splice's lists. */
export async function ownContracts<K extends Listed>(
  { contracts, network }: OwnContractsContext,
  party: Party,
  template: K,
): Promise<readonly Contract<Payloads[K]>[]> {
  const { ok: dso } = await network.dso();
  return contracts.first<Payloads[K]>(
    templates[template],
    { stakeholder: party, max: limits.walletListContractsMax },
    ({ payload }) => ownersOf[template](payload).includes(party) && isOfNetwork(payload, dso),
  );
}

interface OwnContractsContext {
  readonly contracts: Contracts;
  readonly network: Network;
}

/** The same, of users who gave the party a right to what their payments bring their validator. */
export async function validatorRewards(
  { contracts, network }: OwnContractsContext,
  party: Party,
): Promise<readonly Contract<{ readonly user: Party }>[]> {
  const { ok: dso } = await network.dso(),
    rights = await contracts.passed<ValidatorRight>(templates.validatorRight, party),
    users = new Set(rights.filter(({ payload }) => payload.validator === party).map(({ payload }) => payload.user));
  if (users.size === 0) return [];
  return contracts.first<{ readonly user: Party }>(
    templates.validatorRewardCoupon,
    { max: limits.walletListContractsMax },
    ({ payload }) => users.has(payload.user) && isOfNetwork(payload, dso),
  );
}
