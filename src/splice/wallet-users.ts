/** Users of a validator's wallet: users of the ledger with a party of their own, which they may act as. */
import { isFailure, ok, type Result } from "../base/result.js";
import { limits, validatorUserDefault } from "../config.js";
import type { LedgerErrorData, Participant, Party } from "../ledger/index.js";
import { invalid, notFound, identifierProblem, type Refusal } from "./refusal.js";

export interface Onboarding {
  readonly name: string;
  /** Undefined: a party of the user's name, made where it is missing. */
  readonly party: Party | undefined;
  /** Undefined: as its absence means, which is no where a party is given, and yes where none is. */
  readonly createPartyIfMissing: boolean | undefined;
  /** An admin's word: a party of that name that is there already is the user's, whoever made it. */
  readonly byAdmin: boolean;
}

type Ledger = Pick<Participant, "administration" | "allocateParty" | "getParties" | "participantId" | "synchronizerId">;
/** Rules of this room refuse in its form; what the ledger refuses is told in the ledger's. */
export type UserProblem = { readonly refusal: Refusal } | { readonly ledger: LedgerErrorData };

/** Of a party: the user that it was made for. Who was removed and comes back has it again. */
const madeFor = "ledgerline/wallet-user";

const asAdmin = { userId: undefined, participantAdmin: true, admin: true };

export class WalletUsers {
  readonly #ledger: Ledger;
  readonly #warn: (message: string) => void;

  constructor(ledger: Ledger, warn: (message: string) => void) {
    this.#ledger = ledger;
    this.#warn = warn;
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
  async onboard({ name, party, createPartyIfMissing = party === undefined, byAdmin }: Onboarding): Promise<Result<Party, UserProblem>> {
    const malformed = party === undefined ? undefined : identifierProblem(party);
    if (malformed) return refused(malformed);
    const known = this.partyOf(name);
    if (known !== undefined) return ok(known);
    if (party === undefined && !createPartyIfMissing) return refused(missingParty(name));
    if (party !== undefined && this.#isKnown(party)) return this.#createUser(name, party);
    if (party !== undefined && !createPartyIfMissing) return refused(notFound(`Party ${party} is not hosted here.`));
    const own = await this.#allocate(name, { hint: party?.split("::")[0] ?? partyHintOf(name), byAdmin });
    return isFailure(own) ? own : this.#createUser(name, own.ok);
  }

  #isKnown(party: Party): boolean {
    return this.#ledger.getParties([party], "").length > 0;
  }

  async #allocate(
    name: string,
    { hint, byAdmin }: { readonly hint: string; readonly byAdmin: boolean },
  ): Promise<Result<Party, UserProblem>> {
    const { participantId } = this.#ledger,
      [there] = this.#ledger.getParties([`${hint}${participantId.slice(participantId.indexOf("::"))}`], "");
    if (there?.isLocal && (byAdmin || there.annotations[madeFor] === name)) return ok(there.party);
    const allocated = await this.#ledger.allocateParty({
      hint,
      annotations: { [madeFor]: name },
      identityProviderId: "",
      synchronizerId: this.#ledger.synchronizerId,
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

  /**
   * The validator's user may act as a party that was onboarded: software that holds its token counts on that. Nothing is to do
   * where there is no such user. Where it has as many rights as a user may have the log tells of it, and the wallet works without.
   */
  async letValidatorActAs(party: Party): Promise<Result<undefined, LedgerErrorData>> {
    const { administration } = this.#ledger,
      user = { userId: validatorUserDefault, identityProviderId: "" };
    if (isFailure(administration.getUser(user))) return ok(undefined);
    const granted = await administration.grantRights({ ...user, rights: [{ kind: "CanActAs", party }] }, asAdmin);
    if (!isFailure(granted)) return ok(undefined);
    if (granted.error.code !== "TOO_MANY_USER_RIGHTS") return granted;
    this.#warn(`user ${user.userId} may not act as ${party}, which was onboarded: it has as many rights as a user may have`);
    return ok(undefined);
  }

  /** Its party stays, with all it has. Nobody of that name: nothing is to do. `validators`: users that a validator works by. */
  async offboard(name: string, validators: readonly string[]): Promise<Result<undefined, UserProblem>> {
    if (this.partyOf(name) === undefined) return ok(undefined);
    if (validators.includes(name)) return refused(invalid(`Tried to offboard the validator's user: ${name}`));
    const deleted = await this.#ledger.administration.deleteUser({ userId: name, identityProviderId: "" }, asAdmin);
    return isFailure(deleted) ? { error: { ledger: deleted.error } } : ok(undefined);
  }
}

const refused = ({ error }: { readonly error: Refusal }): { readonly error: UserProblem } => ({ error: { refusal: error } });
const missingParty = (name: string): { readonly error: Refusal } =>
  invalid(`party_id must be provided when createPartyIfMissing is false and no existing party for user ${name} is found.`);

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

/** What a party's hint cannot have stands as its code, so that no two names have the same. */
const partyHintOf = (name: string): string =>
  name.replace(/[^A-Za-z0-9:\- ]/g, (char) => (char === "_" ? "__" : `_${char.charCodeAt(0).toString(16).padStart(4, "0")}`));
