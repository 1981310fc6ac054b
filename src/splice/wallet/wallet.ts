/** How users come by their wallets, and what the validator does with its own party. */
import { isFailure, ok, type Result } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import type { ContractWithState } from "../described-contract.js";
import { interfaces } from "../names.js";
import { mayActFor } from "../hosting.js";
import { type Answer, notFound } from "../refusal.js";
import { installWallet, uninstallWallet } from "../wallet-installs.js";
import type { Onboarding, UserProblem } from "../wallet-users.js";
import type { ExternalContext } from "./external-context.js";
import { ExternalPartyHosts } from "./external-parties.js";
import { type Lines, lineIsFull } from "./lines.js";
import { cancelPreapproval, createPreapproval, preapprovalBy, preapprovalsBy } from "./preapprovals.js";
import type { Owner, WalletContext } from "./wallet-context.js";

export interface UserStatus {
  readonly party_id: string;
  readonly user_onboarded: boolean;
  readonly user_wallet_installed: boolean;
  readonly has_featured_app_right: boolean;
}

/** What the functions of this folder work with for a user. */
export interface Wallet {
  readonly context: WalletContext;
  readonly owner: Owner;
  /** Who pays for some of what its users do; undefined where the validator's user has no party. */
  readonly validator: Owner | undefined;
}

/** One of them, as it is called for whoever asks. */
export type WalletAct<T> = (context: WalletContext, owner: Owner, validator: Owner | undefined) => Answer<T>;

/** The owner's approval of all transfers to him, if there is a validator to pay for it. */
export const createOwnPreapproval: WalletAct<string> = (context, owner, validator) =>
  validator ? createPreapproval(context, owner, validator) : Promise.resolve(noValidator(context));

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
    return party === undefined ? undefined : { context: this.#context, owner: { userId, party }, validator: this.#validator() };
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
