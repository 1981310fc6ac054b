/** The wallet of one user, and how to come by it. */
import { isFailure, ok, type Result } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { describeContracts, withState, type ContractWithState, type DescribedContract } from "../described-contract.js";
import { interfaces } from "../names.js";
import { mayActFor } from "../hosting.js";
import { notFound } from "../refusal.js";
import { installWallet, uninstallWallet } from "../wallet-installs.js";
import type { Onboarding, UserProblem } from "../wallet-users.js";
import { type Lines, lineIsFull } from "./lines.js";
import { allocationRequestsOf, rejectAllocationRequest } from "./allocation-requests.js";
import { allocateV1, allocateV2, allocationsOf, withdrawV1, withdrawV2 } from "./allocations.js";
import { balanceOf, positionsOf } from "./amulets.js";
import { acceptPaymentRequest, paymentRequest, rejectPaymentRequest } from "./app-payments.js";
import { activeCoupons, allocateCoupon, withdrawCoupon } from "./development-fund.js";
import { couponHistory } from "./development-fund-history.js";
import type { ExternalContext } from "./external-context.js";
import { ExternalPartyHosts } from "./external-parties.js";
import { acceptDelegation, type DelegationKind, delegationsOf, type PageOf, rejectDelegation } from "./minting-delegations.js";
import { ownEntries, requestEntry } from "./name-entries.js";
import { featureOwner, sendPreapproved, tap, unfeatureOwner } from "./payments.js";
import { ownContracts, validatorRewards, type Listed } from "./own-contracts.js";
import { cancelPreapproval, createPreapproval, preapprovalBy, preapprovalsBy } from "./preapprovals.js";
import { acceptSubscription, cancelSubscription, rejectSubscription, subscriptionRequest, subscriptionsOf } from "./subscriptions.js";
import { createTransfer, endTransfer } from "./token-transfers.js";
import { createTrafficRequest, trafficRequestStatus, type TrafficRequest } from "./traffic-requests.js";
import { transactionsOf } from "./transactions.js";
import { acceptOffer, createOffer, endOffer, offerStatus } from "./transfer-offers.js";
import type { Answer, Owner, WalletContext } from "./wallet-context.js";

type Rest<F> = F extends (context: WalletContext, owner: Owner, ...rest: infer R) => unknown ? R : never;

export interface UserStatus {
  readonly party_id: string;
  readonly user_onboarded: boolean;
  readonly user_wallet_installed: boolean;
  readonly has_featured_app_right: boolean;
}

export class Wallet {
  constructor(
    private readonly context: WalletContext,
    readonly owner: Owner,
    private readonly validator: Owner | undefined,
  ) {}

  tap(...rest: Rest<typeof tap>) {
    return tap(this.context, this.owner, ...rest);
  }
  balance() {
    return balanceOf(this.context, this.owner);
  }
  amulets() {
    return positionsOf(this.context, this.owner);
  }
  transactions(...rest: Rest<typeof transactionsOf>) {
    return transactionsOf(this.context, this.owner, ...rest);
  }
  feature() {
    return featureOwner(this.context, this.owner);
  }
  unfeature() {
    return unfeatureOwner(this.context, this.owner);
  }

  createPreapproval(): Answer<string> {
    return this.validator ? createPreapproval(this.context, this.owner, this.validator) : Promise.resolve(noValidator(this.context));
  }
  sendPreapproved(...rest: Rest<typeof sendPreapproved>) {
    return sendPreapproved(this.context, this.owner, ...rest);
  }

  createTransfer(...rest: Rest<typeof createTransfer>) {
    return createTransfer(this.context, this.owner, ...rest);
  }
  endTransfer(...rest: Rest<typeof endTransfer>) {
    return endTransfer(this.context, this.owner, ...rest);
  }

  createOffer(...rest: Rest<typeof createOffer>) {
    return createOffer(this.context, this.owner, ...rest);
  }
  acceptOffer(contractId: string) {
    return acceptOffer(this.context, this.owner, contractId, this.validator);
  }
  endOffer(...rest: Rest<typeof endOffer>) {
    return endOffer(this.context, this.owner, ...rest);
  }
  offerStatus(...rest: Rest<typeof offerStatus>) {
    return offerStatus(this.context, this.owner, ...rest);
  }

  paymentRequest(contractId: string) {
    return paymentRequest(this.context, this.owner, contractId);
  }
  acceptPaymentRequest(contractId: string) {
    return acceptPaymentRequest(this.context, this.owner, contractId, this.validator);
  }
  rejectPaymentRequest(contractId: string) {
    return rejectPaymentRequest(this.context, this.owner, contractId);
  }

  subscriptions() {
    return subscriptionsOf(this.context, this.owner);
  }
  subscriptionRequest(contractId: string) {
    return subscriptionRequest(this.context, this.owner, contractId);
  }
  acceptSubscription(contractId: string) {
    return acceptSubscription(this.context, this.owner, contractId, this.validator);
  }
  rejectSubscription(contractId: string) {
    return rejectSubscription(this.context, this.owner, contractId);
  }
  cancelSubscription(contractId: string) {
    return cancelSubscription(this.context, this.owner, contractId);
  }

  createTrafficRequest(request: TrafficRequest) {
    return createTrafficRequest(this.context, this.owner, request, this.validator);
  }
  trafficRequestStatus(trackingId: string) {
    return trafficRequestStatus(this.context, this.owner, trackingId);
  }

  delegations(kind: DelegationKind, page: PageOf) {
    return delegationsOf(this.context, this.owner, kind, page, this.validator);
  }
  acceptDelegation(contractId: string) {
    return acceptDelegation(this.context, this.owner, contractId);
  }
  rejectDelegation(...rest: Rest<typeof rejectDelegation>) {
    return rejectDelegation(this.context, this.owner, ...rest);
  }

  allocateCoupon(...rest: Rest<typeof allocateCoupon>) {
    return allocateCoupon(this.context, this.owner, ...rest);
  }
  withdrawCoupon(...rest: Rest<typeof withdrawCoupon>) {
    return withdrawCoupon(this.context, this.owner, ...rest);
  }
  activeCoupons() {
    return activeCoupons(this.context, this.owner);
  }
  couponHistory(...rest: Rest<typeof couponHistory>) {
    return couponHistory(this.context, this.owner, ...rest);
  }

  requestEntry(...rest: Rest<typeof requestEntry>) {
    return requestEntry(this.context, this.owner, ...rest);
  }
  entries() {
    return ownEntries(this.context, this.owner);
  }

  allocateV1(...rest: Rest<typeof allocateV1>) {
    return allocateV1(this.context, this.owner, ...rest);
  }
  allocateV2(...rest: Rest<typeof allocateV2>) {
    return allocateV2(this.context, this.owner, ...rest);
  }
  withdrawV1(...rest: Rest<typeof withdrawV1>) {
    return withdrawV1(this.context, this.owner, ...rest);
  }
  withdrawV2(...rest: Rest<typeof withdrawV2>) {
    return withdrawV2(this.context, this.owner, ...rest);
  }
  allocations() {
    return allocationsOf(this.context, this.owner);
  }
  allocationRequests() {
    return allocationRequestsOf(this.context, this.owner);
  }
  rejectAllocationRequest(...rest: Rest<typeof rejectAllocationRequest>) {
    return rejectAllocationRequest(this.context, this.owner, ...rest);
  }

  /** Contracts of a template that stand in the wallet. */
  async contracts(template: Listed): Answer<readonly DescribedContract[]> {
    return ok(await describeContracts(this.context.types, await ownContracts(this.context, this.owner.party, template)));
  }

  async validatorRewards(): Answer<readonly DescribedContract[]> {
    return ok(await describeContracts(this.context.types, await validatorRewards(this.context, this.owner.party)));
  }

  async contractsWithState(template: Listed): Answer<readonly ContractWithState[]> {
    const contracts = await this.contracts(template);
    return contracts.error === undefined ? ok(contracts.ok.map((contract) => withState(contract, this.context.ledger))) : contracts;
  }
}

const noValidator = ({ operator }: WalletContext) => notFound(`The ledger has no user ${operator} with a primary party.`);

export interface WalletsContext extends ExternalContext {
  /** By user. */
  readonly onboardings: Lines;
}

export class Wallets {
  readonly #context: WalletsContext;
  readonly externalParties: ExternalPartyHosts;
  constructor(context: WalletsContext) {
    this.#context = context;
    this.externalParties = new ExternalPartyHosts(context);
  }

  /** Undefined: the user has no party. */
  of(userId: string): Wallet | undefined {
    const party = this.#context.users.partyOf(userId);
    return party === undefined ? undefined : new Wallet(this.#context, { userId, party }, this.#validator());
  }

  /** A user with a party, and with a wallet of this validator's; doing it again adds what is missing. */
  onboard(onboarding: Onboarding): Promise<Result<Party, UserProblem>> {
    return this.#inTurn(onboarding.name, () => this.#onboard(onboarding));
  }

  /** Who is asked for twice at once is not made twice, nor removed halfway. */
  #inTurn<T>(userName: string, change: () => Promise<Result<T, UserProblem>>): Promise<Result<T, UserProblem>> {
    const done = this.#context.onboardings.inTurn(userName, change);
    return done ?? Promise.resolve({ error: { refusal: lineIsFull(userName).error } });
  }

  async #onboard(onboarding: Onboarding): Promise<Result<Party, UserProblem>> {
    const { users, network, ledger } = this.#context,
      party = await users.onboard(onboarding);
    if (isFailure(party)) return party;
    const permitted = await users.letValidatorActAs(party.ok);
    if (isFailure(permitted)) return { error: { ledger: permitted.error } };
    const dso = await network.dso(),
      validator = this.#validator();
    if (isFailure(dso) || !validator || ![validator.party, party.ok].every((each) => mayActFor(ledger, each))) return party;
    const wallet = { validator: validator.party, userName: onboarding.name, party: party.ok, dso: dso.ok },
      installed = await installWallet(this.#context, wallet);
    return isFailure(installed) ? { error: { ledger: installed.error } } : party;
  }

  /** `validators`: users that a validator works by. */
  offboard(userName: string, validators: readonly string[]): Promise<Result<undefined, UserProblem>> {
    return this.#inTurn(userName, () => this.#offboard(userName, validators));
  }

  async #offboard(userName: string, validators: readonly string[]): Promise<Result<undefined, UserProblem>> {
    const { users } = this.#context,
      party = users.partyOf(userName),
      gone = await users.offboard(userName, validators),
      validator = this.#validator();
    if (isFailure(gone) || !validator || party === undefined) return gone;
    const uninstalled = await uninstallWallet(this.#context, { validator: validator.party, userName, party });
    return isFailure(uninstalled) ? { error: { ledger: uninstalled.error } } : ok(undefined);
  }

  async status(userId: string): Promise<UserStatus> {
    const party = this.#context.users.partyOf(userId);
    if (party === undefined) return { party_id: "", user_onboarded: false, user_wallet_installed: false, has_featured_app_right: false };
    const dso = await this.#context.network.dso();
    const rights = dso.error === undefined ? await this.#context.network.featuredAppRights(dso.ok, party) : [];
    return { party_id: party, user_onboarded: true, user_wallet_installed: true, has_featured_app_right: rights.length > 0 };
  }

  /** Whether the ledger knows the token standard's transfers. */
  get knowsTokenStandard(): boolean {
    return this.#context.contracts.interfaceIds(interfaces.v1.transferFactory).length > 0;
  }

  preapprovals(): Answer<readonly ContractWithState[]> {
    return this.asValidator((validator) => preapprovalsBy(this.#context, validator));
  }
  preapproval(receiver: Party): Answer<ContractWithState> {
    return this.asValidator((validator) => preapprovalBy(this.#context, receiver, validator));
  }
  cancelPreapproval(receiver: Party): Answer<undefined> {
    return this.asValidator((validator) => cancelPreapproval(this.#context, receiver, validator));
  }

  /** What the validator does with its own party. */
  asValidator<T>(act: (validator: Owner) => Answer<T>): Answer<T> {
    const validator = this.#validator();
    return validator ? act(validator) : Promise.resolve(noValidator(this.#context));
  }

  #validator(): Owner | undefined {
    const { users, operator } = this.#context,
      party = users.partyOf(operator);
    return party === undefined ? undefined : { userId: operator, party };
  }
}
