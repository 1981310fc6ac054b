/** Users of a validator's wallet: users of the ledger with a party of their own, which they may act as. */
import { isFailure, ok, type Result } from "../base/result.js";
import { limits, validatorUserDefault } from "../config.js";
import type { LedgerErrorData, Participant, Party } from "../ledger/index.js";
import { isHosted } from "./hosting.js";
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
  /** The validator's own participant, where that is another than the one that runs the network. */
  readonly #home: Ledger | undefined;

  constructor(ledger: Ledger, warn: (message: string) => void, home?: Ledger) {
    this.#ledger = ledger;
    this.#warn = warn;
    this.#home = home;
  }

  /** The same users; whom the validator there onboards, with his party, is also at home at its participant. */
  at(home: Ledger | undefined): WalletUsers {
    return home === undefined ? this : new WalletUsers(this.#ledger, this.#warn, home);
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

  /** By whom software works for a party: the validator's user, if he may act as it, else one whose own party it is. */
  workingFor(party: Party): string | undefined {
    const rights = this.#ledger.administration.listRights({ userId: validatorUserDefault, identityProviderId: "" });
    const isValidators = !isFailure(rights) && rights.ok.some((right) => right.kind === "CanActAs" && right.party === party);
    return isValidators ? validatorUserDefault : this.userOf(party);
  }

  *#withParties(): Iterable<{ readonly id: string; readonly primaryParty: Party }> {
    for (let pageToken = ""; ;) {
      const page = this.#ledger.administration.listUsers({ pageSize: limits.usersPageElementsMax, pageToken, identityProviderId: "" });
      if (isFailure(page)) return; // no page token of ours is refused
      yield* page.ok.users.filter(({ primaryParty }) => primaryParty !== "");
      if ((pageToken = page.ok.nextPageToken) === "") return;
    }
  }

  /** Doing it again changes nothing, but for what is missing. */
  async onboard(onboarding: Onboarding): Promise<Result<Party, UserProblem>> {
    const party = await this.#partyFor(onboarding);
    if (isFailure(party)) return party;
    for (const { administration } of this.#ledgersOf(party.ok)) {
      const problem = await giveParty(administration, onboarding.name, party.ok);
      if (problem) return { error: { ledger: problem } };
    }
    return party;
  }

  async #partyFor({ name, party, createPartyIfMissing = party === undefined, byAdmin }: Onboarding): Promise<Result<Party, UserProblem>> {
    const malformed = party === undefined ? undefined : identifierProblem(party);
    if (malformed) return refused(malformed);
    const known = this.partyOf(name);
    if (known !== undefined) return ok(known);
    if (party === undefined && !createPartyIfMissing) return refused(missingParty(name));
    if (party !== undefined && this.#isKnown(party)) return ok(party);
    if (party !== undefined && !createPartyIfMissing) return refused(notFound(`Party ${party} is not hosted here.`));
    return this.#allocate(name, { hint: party?.split("::")[0] ?? partyHintOf(name), byAdmin });
  }

  /** Where its user is: at the validator's own participant too, if the party is at home there. */
  #ledgersOf(party: Party): readonly Ledger[] {
    return this.#home !== undefined && isHosted(this.#home, party) ? [this.#ledger, this.#home] : [this.#ledger];
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
      alsoHostedBy: this.#home === undefined ? [] : [this.#home.participantId],
    });
    return isFailure(allocated) ? { error: { ledger: allocated.error } } : ok(allocated.ok.party);
  }

  /**
   * The validator's user may act as a party that was onboarded: software that holds its token counts on that. Nothing is to do
   * where there is no such user. Where it has as many rights as a user may have the log tells of it, and the wallet works without.
   */
  async letValidatorActAs(party: Party): Promise<Result<undefined, LedgerErrorData>> {
    const user = { userId: validatorUserDefault, identityProviderId: "" };
    for (const { administration } of this.#ledgersOf(party)) {
      if (isFailure(administration.getUser(user))) continue;
      const granted = await administration.grantRights({ ...user, rights: [{ kind: "CanActAs", party }] }, asAdmin);
      if (!isFailure(granted)) continue;
      if (granted.error.code !== "TOO_MANY_USER_RIGHTS") return granted;
      this.#warn(`user ${user.userId} may not act as ${party}, which was onboarded: it has as many rights as a user may have`);
    }
    return ok(undefined);
  }

  /**
   * Its party stays, with all it has, but the validator's user may not act as it any more where it is nobody else's.
   * Nobody of that name: nothing is to do. `validators`: users that a validator works by.
   */
  async offboard(name: string, validators: readonly string[]): Promise<Result<undefined, UserProblem>> {
    const party = this.partyOf(name);
    if (party === undefined) return ok(undefined);
    if (validators.includes(name)) return refused(invalid(`Tried to offboard the validator's user: ${name}`));
    const isOthers = [...this.#withParties()].some(({ id, primaryParty }) => id !== name && primaryParty === party);
    // The network's own last: by it is known whether there is something left to do.
    for (const { administration } of [...this.#ledgersOf(party)].reverse()) {
      const kept = isOthers ? undefined : await keepValidatorFrom(administration, party);
      if (kept) return { error: { ledger: kept } };
      const deleted = await administration.deleteUser({ userId: name, identityProviderId: "" }, asAdmin);
      if (isFailure(deleted) && deleted.error.code !== "USER_NOT_FOUND") return { error: { ledger: deleted.error } };
    }
    return ok(undefined);
  }
}

async function keepValidatorFrom(administration: Ledger["administration"], party: Party): Promise<LedgerErrorData | undefined> {
  const rights = [{ kind: "CanActAs", party } as const, { kind: "CanReadAs", party } as const],
    revoked = await administration.revokeRights({ userId: validatorUserDefault, identityProviderId: "", rights }, asAdmin);
  return isFailure(revoked) && revoked.error.code !== "USER_NOT_FOUND" ? revoked.error : undefined;
}

/** The user is made, or given the party where it has none of its own. */
async function giveParty(administration: Ledger["administration"], name: string, party: Party): Promise<LedgerErrorData | undefined> {
  const rights = [{ kind: "CanActAs", party } as const],
    user = userOf(name, party),
    known = administration.getUser({ userId: name, identityProviderId: "" });
  if (isFailure(known)) return (await administration.createUser({ user, rights }, asAdmin)).error;
  if (known.ok.primaryParty !== "") return undefined;
  const updated = await administration.updateUser({ user, mask: ["primary_party"] }, asAdmin);
  if (isFailure(updated)) return updated.error;
  return (await administration.grantRights({ userId: name, identityProviderId: "", rights }, asAdmin)).error;
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
