/** Users of a validator's wallet: users of the ledger with a party of their own, which they may act as. */
import { isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { LedgerErrorData, Participant, Party } from "../ledger/index.js";
import { notFound, type Refusal } from "./refusal.js";

export interface Onboarding {
  readonly name: string;
  /** Undefined: a party of the user's name is made. */
  readonly party: Party | undefined;
  readonly createPartyIfMissing: boolean;
}

type Ledger = Pick<Participant, "administration" | "allocateParty" | "getParties">;
/** Rules of this room refuse in its form; what the ledger refuses is told in the ledger's. */
export type UserProblem = { readonly refusal: Refusal } | { readonly ledger: LedgerErrorData };

const asAdmin = { userId: undefined, participantAdmin: true, admin: true };

export class WalletUsers {
  readonly #ledger: Ledger;
  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The party of a user; undefined where there is no such user, or it has none. */
  partyOf(userId: string): Party | undefined {
    const user = this.#ledger.administration.getUser({ userId, identityProviderId: "" });
    return isFailure(user) || user.ok.primaryParty === "" ? undefined : user.ok.primaryParty;
  }

  names(): readonly string[] {
    return [...this.#withParties()].map(({ id }) => id);
  }

  /** A user whose own party it is. */
  userOf(party: Party): string | undefined {
    for (const { id, primaryParty } of this.#withParties()) if (primaryParty === party) return id;
    return undefined;
  }

  *#withParties(): Iterable<{ readonly id: string; readonly primaryParty: Party }> {
    for (let pageToken = ""; ;) {
      const page = this.#ledger.administration.listUsers({ pageSize: limits.usersPageElementsMax, pageToken, identityProviderId: "" });
      if (isFailure(page)) return; // no page token of ours is refused
      yield* page.ok.users.filter(({ primaryParty }) => primaryParty !== "");
      if ((pageToken = page.ok.nextPageToken) === "") return;
    }
  }

  /** Doing it again changes nothing. */
  async onboard({ name, party, createPartyIfMissing }: Onboarding): Promise<Result<Party, UserProblem>> {
    const known = this.partyOf(name);
    if (known !== undefined) return ok(known);
    const isMissing = party === undefined || this.#ledger.getParties([party], "").length === 0;
    if (isMissing && party !== undefined && !createPartyIfMissing)
      return { error: { refusal: notFound(`Party ${party} is not hosted here.`).error } };
    const own = isMissing ? await this.#allocate(party?.split("::")[0] ?? name) : ok(party);
    return isFailure(own) ? own : this.#createUser(name, own.ok);
  }

  async #allocate(hint: string): Promise<Result<Party, UserProblem>> {
    const allocated = await this.#ledger.allocateParty({
      hint: partyHintOf(hint),
      annotations: {},
      identityProviderId: "",
      synchronizerId: "",
      userId: "",
    });
    return isFailure(allocated) ? { error: { ledger: allocated.error } } : ok(allocated.ok.party);
  }

  async #createUser(name: string, party: Party): Promise<Result<Party, UserProblem>> {
    const { administration } = this.#ledger,
      actAs = { kind: "CanActAs", party } as const;
    if (!isFailure(administration.getUser({ userId: name, identityProviderId: "" }))) return this.#giveParty(name, party);
    const user = userOf(name, party);
    const created = await administration.createUser({ user, rights: [actAs] }, asAdmin);
    return isFailure(created) ? { error: { ledger: created.error } } : ok(party);
  }

  /** A user that was there without a party. */
  async #giveParty(name: string, party: Party): Promise<Result<Party, UserProblem>> {
    const { administration } = this.#ledger;
    const user = userOf(name, party);
    const updated = await administration.updateUser({ user, mask: ["primary_party"] }, asAdmin);
    if (isFailure(updated)) return { error: { ledger: updated.error } };
    const granted = await administration.grantRights(
      { userId: name, identityProviderId: "", rights: [{ kind: "CanActAs", party }] },
      asAdmin,
    );
    return isFailure(granted) ? { error: { ledger: granted.error } } : ok(party);
  }

  async offboard(name: string): Promise<Result<undefined, UserProblem>> {
    if (this.partyOf(name) === undefined) return { error: { refusal: notFound(`User ${name} is not onboarded.`).error } };
    const deleted = await this.#ledger.administration.deleteUser({ userId: name, identityProviderId: "" }, asAdmin);
    return isFailure(deleted) ? { error: { ledger: deleted.error } } : ok(undefined);
  }
}

/** Its fields in the form that administration takes. */
const userOf = (id: string, primaryParty: Party) => ({
  id,
  identityProviderId: "",
  primaryParty,
  isDeactivated: false,
  primaryPartyAuthentication: false,
  annotations: {},
  resourceVersion: "",
});

/** Characters that a party's hint cannot have stand as underscores. */
const partyHintOf = (name: string): string => name.replace(/[^A-Za-z0-9:\-_ ]/g, "_").slice(0, limits.participantNameCharsMax);
