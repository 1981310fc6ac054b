/** The face of administration: users, rights, identity providers and what is local about parties. */
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import {
  type Answer,
  invalidArgument,
  invalidField,
  type LedgerErrorData,
  type Outcome,
  partyHintProblem,
  partyProblem,
  type TokenKey,
  type TraceContext,
  uniqueIdentifierProblem,
} from "../model/index.js";
import {
  applyPartyMove,
  applyPartyUpdate,
  checkPartyMove,
  checkPartyUpdate,
  type KnownParty,
  type PartyDetails,
  type PartyDetailsFields,
  type PartyMove,
} from "./party-details.js";
import { type Annotations, checkAnnotations } from "./annotations.js";
import { ChangeQueue } from "./change-queue.js";
import * as errors from "./errors.js";
import { isUserId, optionalIdentityProviderId, requireUserId } from "./field-rules.js";
import * as providers from "./identity-providers.js";
import type { Requester } from "./requester.js";
import { isPartyRight, type RequestedRight, type Right, type RightsSummary, summarise } from "./rights.js";
import type { AdministrationTables, Change, IdentityProviderRecord, UserRecord } from "./tables.js";
import { UnderWay } from "./under-way.js";
import * as users from "./users.js";
import type { RightsChange, UserFields, UserOfProvider, UserPage } from "./users.js";

/** What the ledger is asked about a new party of the node. */
export interface PartyAllocation {
  readonly hint: string;
  /** Checked by who asks. */
  readonly annotations: Annotations;
  readonly identityProviderId: string;
  readonly synchronizerId: string;
  /** Is granted the right to act as the party; "" = nobody. */
  readonly userId: string;
  readonly trace?: TraceContext;
  /** Ids of other participants of the process that may submit for it, too: it has them from the beginning. */
  readonly alsoHostedBy?: readonly string[];
  /** Whether a party that is known on another synchronizer may be had on this one, too: who may act for it on one may do so on all. */
  readonly mayJoin?: (party: string) => boolean;
}

/** The same, as a client asks for it. */
export interface PartyAllocationRequest extends Omit<PartyAllocation, "alsoHostedBy" | "mayJoin"> {
  readonly resourceVersion: string;
}

type PartyHolder = Pick<PartyAllocation, "identityProviderId" | "userId">;

/** A party whose keys are held elsewhere: the ledger checks its signatures. */
export interface ExternalPartyAllocation extends PartyHolder {
  /** `isSigned`: by all whose signatures the party needs. */
  readonly allocate: () => Answer<{ readonly party: string; readonly isSigned: boolean }>;
}

/** The ledger's parties, as administration sees them. */
export interface Parties {
  get(party: string): KnownParty | undefined;
  hasPartyOf(identityProviderId: string): boolean;
  allocate(request: PartyAllocation): Answer<PartyDetails>;
  /** Changes a party by what it is at the moment of the change; resolves when durable. */
  update(party: string, change: (known: KnownParty | undefined) => Outcome<KnownParty>): Answer<KnownParty>;
}

/** A user as authentication asks for it. */
export interface KnownUser {
  readonly identityProviderId: string;
  readonly isDeactivated: boolean;
  readonly rights: RightsSummary;
}

export interface AdministrationOptions {
  readonly tables: AdministrationTables;
  readonly parties: Parties;
  readonly tokenKey: TokenKey;
  /** Parties that a user without admin rights may allocate for himself. */
  readonly selfAllocatedPartiesMax?: number;
}

/** Of a new ledger, which is of no use without it. */
export class FirstUserRefused extends Error {
  override readonly name = "FirstUserRefused";

  constructor({ cause }: LedgerErrorData) {
    super(`The ledger's first user could not be stored: ${cause} There may be no room for it on the disk, or within a quota or ulimit -f.`);
  }
}

export class Administration {
  readonly #tables: AdministrationTables;
  readonly #parties: Parties;
  readonly #tokenKey: TokenKey;
  readonly #queue: ChangeQueue;
  readonly #selfAllocatedPartiesMax: number;
  readonly #knownUsers = new Map<string, KnownUser>();
  #byIssuer: ReadonlyMap<string, IdentityProviderRecord> | undefined;
  #activeProviders: ReadonlySet<string> | undefined;
  /** Allocations under way by user, so that a quota cannot be passed by asking often at once. */
  readonly #allocating = new UnderWay();
  /** Parties that are being given to identity providers, by those, so that none is deleted that has a party a moment later. */
  readonly #givingTo = new UnderWay();

  constructor({ tables, parties, tokenKey, selfAllocatedPartiesMax = limits.selfAllocatedPartiesMax }: AdministrationOptions) {
    this.#tables = tables;
    this.#parties = parties;
    this.#tokenKey = tokenKey;
    this.#selfAllocatedPartiesMax = selfAllocatedPartiesMax;
    this.#queue = new ChangeQueue(tables, (changes) => this.#forget(changes));
  }

  async start(): Promise<void> {
    const created = await this.#queue.run(users.createDefaultAdmin);
    if (isFailure(created)) throw new FirstUserRefused(created.error);
  }

  createUser(
    request: { readonly user: UserFields | undefined; readonly rights: readonly RequestedRight[] },
    requester: Requester,
  ): Answer<UserRecord> {
    return this.#queue.run((draft) => users.createUser(draft, request, requester, this.#partyInProvider));
  }

  getUser(request: UserOfProvider): Outcome<UserRecord> {
    return users.getUser(this.#tables, request);
  }

  updateUser(
    request: { readonly user: UserFields | undefined; readonly mask: readonly string[] | undefined },
    requester: Requester,
  ): Answer<UserRecord> {
    return this.#queue.run((draft) => users.updateUser(draft, request, requester));
  }

  deleteUser(request: UserOfProvider, requester: Requester): Answer<undefined> {
    return this.#queue.run((draft) => users.deleteUser(draft, request, requester));
  }

  listUsers(request: { readonly pageSize: number; readonly pageToken: string; readonly identityProviderId: string }): Outcome<UserPage> {
    return users.listUsers(this.#tables, request, this.#tokenKey);
  }

  listRights(request: UserOfProvider): Outcome<readonly Right[]> {
    return users.listRights(this.#tables, request);
  }

  grantRights(request: RightsChange, requester: Requester): Answer<readonly Right[]> {
    return this.#queue.run((draft) => users.grantRights(draft, request, requester, this.#partyInProvider));
  }

  revokeRights(request: RightsChange, requester: Requester): Answer<readonly Right[]> {
    return this.#queue.run((draft) => users.revokeRights(draft, request, requester, this.#partyInProvider));
  }

  moveUser(request: { readonly userId: string; readonly source: string; readonly target: string }): Answer<undefined> {
    return this.#queue.run((draft) => users.moveUser(draft, request));
  }

  createIdentityProvider(config: IdentityProviderRecord | undefined): Answer<IdentityProviderRecord> {
    return this.#queue.run((draft) => providers.createIdentityProvider(draft, config));
  }

  getIdentityProvider(id: string): Outcome<IdentityProviderRecord> {
    return providers.getIdentityProvider(this.#tables, id);
  }

  listIdentityProviders(): readonly IdentityProviderRecord[] {
    return providers.allIdentityProviders(this.#tables);
  }

  updateIdentityProvider(request: {
    readonly config: IdentityProviderRecord | undefined;
    readonly mask: readonly string[] | undefined;
  }): Answer<IdentityProviderRecord> {
    return this.#queue.run((draft) => providers.updateIdentityProvider(draft, request));
  }

  deleteIdentityProvider(id: string): Answer<undefined> {
    const hasParties = (provider: string): boolean => this.#givingTo.count(provider) > 0 || this.#parties.hasPartyOf(provider);
    return this.#queue.run((draft) => providers.deleteIdentityProvider(draft, id, hasParties));
  }

  async allocateParty(request: PartyAllocationRequest, requester: Requester): Answer<PartyDetails> {
    const problem = allocationProblem(request);
    if (problem) return fail(problem);
    const { userId } = request,
      mayJoin = (party: string): boolean => userId === "" || requester.admin || this.findUser(userId)?.rights.actAs.has(party) === true;
    return this.#giveTo(request.identityProviderId, () =>
      this.#allocateFor(
        request,
        requester,
        () => this.#parties.allocate({ ...request, userId: "", mayJoin }),
        ({ party }) => party,
      ),
    );
  }

  /** Its user gets the right to act as it where the party's own signatures say so, or the requester might grant it anyway. */
  async allocateExternalParty(request: ExternalPartyAllocation, requester: Requester): Answer<string> {
    const { identityProviderId } = request;
    const isGranted = ({ party, isSigned }: { readonly party: string; readonly isSigned: boolean }): boolean =>
      isSigned || requester.participantAdmin || (requester.admin && this.#partyInProvider(party, identityProviderId));
    const allocated = await this.#giveTo(identityProviderId, () =>
      this.#allocateFor(request, requester, request.allocate, (onboarded) => (isGranted(onboarded) ? onboarded.party : undefined)),
    );
    return isFailure(allocated) ? allocated : ok(allocated.ok.party);
  }

  /** To a provider that is there, and stays so meanwhile: its deletion stands in the same queue. */
  async #giveTo<T>(provider: string, give: () => Answer<T>): Answer<T> {
    if (provider === "") return give();
    let isUnderWay = false;
    try {
      const known = await this.#queue.run((draft) => {
        const found = providers.requireKnownProvider(draft, provider);
        if (isFailure(found)) return found;
        this.#givingTo.begin(provider);
        isUnderWay = true;
        return found;
      });
      return isFailure(known) ? known : await give();
    } finally {
      if (isUnderWay) this.#givingTo.end(provider);
    }
  }

  async #allocateFor<T>(
    { userId, identityProviderId }: PartyHolder,
    requester: Requester,
    allocate: () => Answer<T>,
    grantedOn: (allocated: T) => string | undefined,
  ): Answer<T> {
    if (userId === "") return allocate();
    const holder = { userId, identityProviderId };
    const held = users.listRights(this.#tables, holder, "checking user's existence");
    if (isFailure(held)) return held;
    if (!requester.admin && partiesOf(held.ok).size + this.#allocating.count(userId) >= this.#selfAllocatedPartiesMax)
      return fail(errors.permissionDenied("The user may not allocate further parties for himself."));
    this.#allocating.begin(userId);
    try {
      const allocated = await allocate();
      if (isFailure(allocated)) return allocated;
      const party = grantedOn(allocated.ok);
      if (party === undefined) return allocated;
      const granted = await this.#grantOwnParty(holder, party);
      return isFailure(granted) ? granted : allocated;
    } finally {
      this.#allocating.end(userId);
    }
  }

  async #grantOwnParty(holder: UserOfProvider, party: string): Answer<readonly Right[]> {
    const node: Requester = { userId: undefined, participantAdmin: true, admin: true };
    const granted = await this.grantRights({ ...holder, rights: [{ kind: "CanActAs", party }] }, node);
    return isFailure(granted) && granted.error.code === "USER_NOT_FOUND" ? fail(errors.userDeletedMeanwhile(holder.userId)) : granted;
  }

  async updateParty(details: PartyDetailsFields | undefined, mask: readonly string[] | undefined): Answer<KnownParty> {
    const update = checkPartyUpdate(details, mask, (id) => providers.requireKnownProvider(this.#tables, id));
    if (isFailure(update)) return update;
    const { party, identityProviderId } = update.ok.details;
    return this.#giveTo(identityProviderId, () => this.#parties.update(party, (known) => applyPartyUpdate(update.ok, known)));
  }

  async moveParty(move: PartyMove): Answer<KnownParty> {
    const checked = checkPartyMove(move);
    if (isFailure(checked)) return checked;
    const source = providers.requireKnownProvider(this.#tables, move.source);
    if (isFailure(source)) return source;
    return this.#giveTo(move.target, () => this.#parties.update(move.party, (known) => applyPartyMove(move, known)));
  }

  /** For authentication: from memory where possible, never older than the last answered change. */
  findUser(userId: string): KnownUser | undefined {
    const known = this.#knownUsers.get(userId);
    if (known !== undefined) return known;
    const user = isUserId(userId) ? this.#tables.get("users", userId) : undefined;
    if (user === undefined) return undefined;
    const { identityProviderId, isDeactivated } = user;
    const read: KnownUser = {
      identityProviderId,
      isDeactivated,
      rights: summarise(this.#tables.get("rights", userId) ?? [], identityProviderId),
    };
    if (this.#knownUsers.size >= limits.callersMax) this.#knownUsers.clear();
    this.#knownUsers.set(userId, read);
    return read;
  }

  /** The same. */
  findIdentityProviderByIssuer(issuer: string): IdentityProviderRecord | undefined {
    this.#byIssuer ??= new Map(this.listIdentityProviders().map((provider) => [provider.issuer, provider]));
    return this.#byIssuer.get(issuer);
  }

  /** The same; false: there is none of this id, or it is deactivated. */
  isIdentityProviderActive(id: string): boolean {
    if (id === "") return true;
    this.#activeProviders ??= new Set(
      this.listIdentityProviders().flatMap(({ identityProviderId, isDeactivated }) => (isDeactivated ? [] : [identityProviderId])),
    );
    return this.#activeProviders.has(id);
  }

  readonly #partyInProvider = (party: string, identityProviderId: string): boolean =>
    this.#parties.get(party)?.identityProviderId === identityProviderId;

  #forget(changes: readonly Change[]): void {
    for (const { table, key } of changes) {
      if (table === "users" || table === "rights") this.#knownUsers.delete(key);
      if (table === "identityProviders") this.#byIssuer = this.#activeProviders = undefined;
    }
  }
}

/** Creates the default admin at the first start. */
export async function createAdministration(options: AdministrationOptions): Promise<Administration> {
  const administration = new Administration(options);
  await administration.start();
  return administration;
}

/** What can be said without looking at anything, in the order of Canton's `ApiPartyManagementService`. */
function allocationProblem(request: PartyAllocationRequest): LedgerErrorData | undefined {
  const { hint, synchronizerId } = request;
  const noParty = hint === "" ? undefined : partyProblem(hint);
  if (noParty !== undefined) return invalidArgument(noParty);
  if (request.resourceVersion !== "") return invalidArgument("field local_metadata.resource_version must be not set");
  const annotations = checkAnnotations(request.annotations, "local_metadata.annotations", "refused");
  if (isFailure(annotations)) return annotations.error;
  const provider = optionalIdentityProviderId(request.identityProviderId);
  if (isFailure(provider)) return provider.error;
  const noSynchronizer = synchronizerId === "" ? undefined : uniqueIdentifierProblem(synchronizerId);
  if (noSynchronizer !== undefined) return invalidField("synchronizer_id", noSynchronizer);
  const user = request.userId === "" ? undefined : requireUserId(request.userId, "user_id");
  if (user && isFailure(user)) return user.error;
  const noHint = hint === "" ? undefined : partyHintProblem(hint);
  return noHint === undefined ? undefined : invalidArgument(noHint);
}

const partiesOf = (rights: readonly Right[]): ReadonlySet<string> =>
  new Set(rights.flatMap((right) => (isPartyRight(right) ? [right.party] : [])));
