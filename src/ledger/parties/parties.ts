/** Allocating and listing parties. An allocation takes an offset: readers of topology updates see it. */
import { createHash, randomUUID } from "node:crypto";
import { firstIndex } from "../../base/first-index.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { CommitGroup, CommitMember, Committer, Place } from "../commit/index.js";
import {
  type Answer,
  type Identity,
  instantText,
  invalidArgument,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  ListTokens,
  newUpdateId,
  type Outcome,
  type Party,
  partyFilterProblem,
  partyHintProblem,
  partyProblem,
  shortIdentifier,
  type Synchronizer,
  type Synchronizers,
  type TokenKey,
  type TraceContext,
  uniqueIdentifierProblem,
  whileLogging,
} from "../model/index.js";
import { fitsAnnotations, mergeAnnotations, partyAnnotationsTooLarge, type PartyAllocation, type PartyDetails } from "../admin/index.js";
import type { PartyRegistry } from "./party-registry.js";
import {
  encodeParty,
  encodeTopology,
  type LocalToParty,
  type PartyRecord,
  proposedParty,
  topologyIndex,
  traceText,
  writeUpdateId,
} from "../records/index.js";

/** Users and identity providers live elsewhere; allocation asks whether they exist. */
export interface PartyAllocationChecks {
  userExists(userId: string): boolean;
  identityProviderExists(identityProviderId: string): boolean;
}

/** A participant as one that hears of parties. */
export interface PartyKeeper {
  readonly participantId: string;
  readonly commits: CommitMember;
  readonly parties: PartyRegistry;
  readonly synchronizers: Synchronizers;
}

/** Whether it hosts somebody there, or may: also of a synchronizer that it left, as what happens there is told to it. */
export const isOn = ({ participantId, parties, synchronizers }: Omit<PartyKeeper, "commits">, synchronizer: number): boolean =>
  synchronizers.isConnectedTo(synchronizer) || parties.get(participantId)?.hostedOn.includes(synchronizer) === true;

export interface PartiesContext {
  readonly identity: Identity;
  readonly synchronizers: Synchronizers;
  readonly parties: PartyRegistry;
  readonly committer: Committer;
  readonly checks: PartyAllocationChecks;
  /** The other participants. */
  readonly others: readonly PartyKeeper[];
}

function checkAllocation(request: PartyAllocation, { checks }: PartiesContext): LedgerErrorData | undefined {
  const hintProblem = request.hint === "" ? undefined : partyHintProblem(request.hint);
  if (hintProblem) return invalidArgument(hintProblem);
  const malformed = request.synchronizerId === "" ? undefined : uniqueIdentifierProblem(request.synchronizerId);
  if (malformed) return invalidField("synchronizer_id", malformed);
  if (request.identityProviderId !== "" && !checks.identityProviderExists(request.identityProviderId))
    return invalidArgument(`Provided identity_provider_id ${request.identityProviderId} has not been found.`);
  if (request.userId !== "" && !checks.userExists(request.userId))
    return ledgerError("USER_NOT_FOUND", `No user "${request.userId}".`, { resources: [["USER", request.userId]] });
  return undefined;
}

export async function allocateParty(request: PartyAllocation, context: PartiesContext): Answer<PartyDetails> {
  const problem = checkAllocation(request, context);
  if (problem) return fail(problem);
  const party = `${request.hint || `party-${randomUUID()}`}::${context.identity.namespace}`;
  const tooLong = partyProblem(party);
  if (tooLong) return invalidArgumentResult(tooLong);
  if (belongsElsewhere(context.parties.kept(party), request.identityProviderId)) return fail(ofAnotherProvider(party));
  const synchronizer = request.synchronizerId === "" ? context.synchronizers.only : context.synchronizers.find(request.synchronizerId);
  if (synchronizer === undefined)
    return fail(request.synchronizerId === "" ? cannotDetermineSynchronizer(party) : notConnected(request.synchronizerId));
  const { annotations, identityProviderId } = request,
    local = { annotations, identityProviderId };
  const written = await context.committer.commit((group): Outcome<PartyRecord> => {
    // Checked inside the job: two allocations of one hint may wait in the same queue.
    const problem = standing(party, synchronizer, request, context);
    if (problem !== undefined) return fail(problem);
    // There already, so that no topology tells of it.
    if (isUnclaimed(party, context)) return ok(writeLocal(group, context.parties, party, local));
    const record = writeParty(group, context, {
      party,
      isExternal: false,
      synchronizer,
      hosts: [context.identity.participantId, ...(request.alsoHostedBy ?? [])].map((participant) => ({
        participant,
        permission: "submission",
      })),
      local,
      trace: request.trace,
    });
    return ok(record);
  });
  if (isFailure(written)) return written;
  const recorded = written.ok;
  return isFailure(recorded) ? recorded : ok(detailsOf(recorded.ok, identityProviderId));
}

/** The participant's own party is there before anybody allocates it, which can be done once, too. */
const isUnclaimed = (party: Party, { identity, parties }: Pick<PartiesContext, "identity" | "parties">): boolean =>
  party === identity.participantId && parties.kept(party)?.resourceVersion === undefined;

/** What is wrong about a party that something is kept about already. */
function standing(
  party: Party,
  { number }: Synchronizer,
  { annotations, identityProviderId, mayJoin }: PartyAllocation,
  context: Pick<PartiesContext, "identity" | "parties">,
): LedgerErrorData | undefined {
  const known = context.parties.get(party),
    kept = context.parties.kept(party),
    isThere = known?.hostedOn.includes(number) === true && !isUnclaimed(party, context);
  if (belongsElsewhere(kept, identityProviderId)) return ofAnotherProvider(party);
  if (known !== undefined && (isThere || mayJoin?.(party) === false))
    return partyExists(party, `Party already exists: party ${shortIdentifier(party)} is already allocated on this node`);
  return fitsAnnotations(withLocal(kept, { annotations, identityProviderId }).annotations) ? undefined : partyAnnotationsTooLarge(party);
}

/** A participant that keeps nothing of its own about a party has it of no identity provider. */
export const belongsElsewhere = (known: PartyRecord | undefined, identityProviderId: string): boolean =>
  known?.resourceVersion !== undefined && known.identityProviderId !== identityProviderId;

export const ofAnotherProvider = (party: Party): LedgerErrorData =>
  ledgerError("PERMISSION_DENIED", `Party ${party} belongs to another identity provider.`);

const notConnected = (synchronizer: string): LedgerErrorData =>
  ledgerError("NOT_CONNECTED_TO_SYNCHRONIZER", `This participant is not connected to synchronizer ${synchronizer}.`, {
    context: { synchronizer },
  });

const cannotDetermineSynchronizer = (party: Party): LedgerErrorData =>
  ledgerError(
    "PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER",
    `Cannot determine on which synchronizer to allocate party ${party}: this node is connected to several, and the request names none (synchronizerId).`,
    { context: { partyId: party } },
  );

/** The submission id of an allocation follows from its party, so that every try has the same. */
export function partyExists(party: Party, reason: string): LedgerErrorData {
  const submissionId = `1220${createHash("sha256").update(party).digest("hex")}`;
  return { ...whileLogging(invalidArgument(reason), { submissionId }), correlationId: submissionId };
}

const invalidArgumentResult = (reason: string): { readonly error: LedgerErrorData } => fail(invalidArgument(reason));

export interface NewParty {
  readonly party: Party;
  readonly isExternal: boolean;
  /** Where it is hosted from now on. */
  readonly synchronizer: Synchronizer;
  /** At least one. */
  readonly hosts: readonly Host[];
  /** What is said about it where it is allocated; left out where nobody asked for it. */
  readonly local?: SaidLocally;
  readonly trace?: TraceContext | undefined;
}

type SaidLocally = Omit<LocalToParty, "resourceVersion">;

const nothingLocal: LocalToParty = { annotations: {}, identityProviderId: "", resourceVersion: undefined };

/** What is kept once that is said: whose it is stays as it was said first. */
function withLocal(kept: LocalToParty | undefined, { annotations, identityProviderId }: SaidLocally): LocalToParty {
  if (kept?.resourceVersion === undefined) return { annotations, identityProviderId, resourceVersion: 0 };
  return {
    annotations: mergeAnnotations(kept.annotations, annotations),
    identityProviderId: kept.identityProviderId,
    resourceVersion: kept.resourceVersion + 1,
  };
}

/** Every request for a party says something about it where it is asked, also one that leaves it a proposal. */
export function writeLocal(group: CommitGroup, parties: PartyRegistry, party: Party, said: SaidLocally): PartyRecord {
  const kept = parties.kept(party),
    local = withLocal(kept, said);
  return kept === undefined
    ? addParty(group, parties, proposedParty(party, local))
    : changeParty(group, parties, kept, { ...kept, ...local });
}

/** A participant that a party is hosted by, and what it may do for it. */
export interface Host {
  readonly participant: string;
  readonly permission: "submission" | "confirmation" | "observation";
}

/** Of a party on one synchronizer. */
export interface PartyHosting {
  readonly hosts: readonly Host[];
  /** How many of those that may confirm have to. */
  readonly threshold: number;
}

type AllocatingContext = Pick<PartiesContext, "identity" | "parties" | "others" | "synchronizers">;

/**
 * Writes the party, and the topology update that tells of it, for every participant on the synchronizer. Gives the record of the one that
 * allocates it.
 */
export function writeParty(
  group: CommitGroup,
  { identity, parties, others, synchronizers }: AllocatingContext,
  added: NewParty,
): PartyRecord {
  const place = group.take(),
    told = { updateId: newUpdateId(place.offset), synchronizers, added };
  const record = keepParty(group, parties, { added, participantId: identity.participantId, said: added.local });
  writeAuthorization(group, place, record.number, told);
  for (const other of others) {
    if (!isOn(other, added.synchronizer.number)) continue;
    const { participantId, commits, parties: known } = other,
      theirs = group.of(commits),
      isUnsaid = known.kept(added.party)?.resourceVersion === undefined;
    // A host says it when it is asked itself; where another asks for it, too, the party is of no identity provider there.
    const said = isUnsaid && isHostedBy(participantId, added) ? { annotations: {}, identityProviderId: "" } : undefined;
    const foreign = keepParty(theirs, known, { added, participantId, said });
    writeAuthorization(theirs, theirs.takeAt(place.recordTime), foreign.number, told);
  }
  return record;
}

const isHostedBy = (id: string, { hosts }: NewParty): boolean => hosts.some(({ participant }) => participant === id);

interface Keeping {
  readonly added: NewParty;
  readonly participantId: string;
  readonly said: SaidLocally | undefined;
}

/** A party that is known already is one on another synchronizer. */
function keepParty(group: CommitGroup, parties: PartyRegistry, { added, participantId, said }: Keeping): PartyRecord {
  const {
      party,
      isExternal,
      synchronizer: { number: synchronizer },
    } = added,
    isHosted = isHostedBy(participantId, added),
    known = parties.get(party),
    kept = parties.kept(party) ?? nothingLocal;
  const hostedOn = withNumber(known?.hostedOn ?? [], isHosted ? synchronizer : undefined),
    synchronizers = withNumber(known?.synchronizers ?? [], synchronizer),
    { annotations, identityProviderId, resourceVersion } = said === undefined ? kept : withLocal(kept, said);
  const record: PartyRecord = {
    party,
    number: known?.number ?? parties.count,
    isLocal: hostedOn.length > 0,
    isExternal: known?.isExternal ?? isExternal,
    annotations,
    resourceVersion,
    identityProviderId,
    synchronizers,
    hostedOn,
  };
  return known === undefined ? addParty(group, parties, record) : changeParty(group, parties, known, record);
}

const withNumber = (numbers: readonly number[], added: number | undefined): readonly number[] =>
  added === undefined || numbers.includes(added) ? numbers : [...numbers, added].sort((a, b) => a - b);

/** What others told before this participant was there, or was connected. */
export function adoptParties(group: CommitGroup, keeper: Omit<PartyKeeper, "commits">, others: Iterable<PartyRecord>): void {
  const { parties } = keeper;
  for (const { party, isExternal, synchronizers } of others) {
    const known = parties.get(party),
      shared = synchronizers.filter((number) => isOn(keeper, number));
    const record = {
      ...(parties.kept(party) ?? nothingLocal),
      party,
      isExternal,
      isLocal: false,
      hostedOn: [],
      number: parties.count,
    };
    if (known !== undefined)
      changeParty(group, parties, known, { ...known, synchronizers: shared.reduce(withNumber, known.synchronizers) });
    else if (shared.length > 0) addParty(group, parties, { ...record, synchronizers: shared });
  }
}

/** It may have been a proposal before. */
function addParty(group: CommitGroup, parties: PartyRegistry, record: PartyRecord): PartyRecord {
  const before = parties.kept(record.party);
  parties.set(record); // known from now on to the jobs behind this one
  group.undoable(() => parties.forget(record, before));
  group.batch.put(group.tables.parties, record.party, encodeParty(record));
  return record;
}

/** In place of what is known of it. */
export function changeParty(group: CommitGroup, parties: PartyRegistry, known: PartyRecord, record: PartyRecord): PartyRecord {
  parties.set(record);
  group.undoable(() => parties.set(known));
  group.batch.put(group.tables.parties, record.party, encodeParty(record));
  return record;
}

interface Told {
  readonly updateId: string;
  readonly synchronizers: Synchronizers;
  readonly added: NewParty;
}

const untraced: TraceContext = { traceparent: null, tracestate: null };

function writeAuthorization(
  group: CommitGroup,
  { offset, recordTime }: Place,
  number: number,
  {
    updateId,
    synchronizers,
    added: {
      party,
      hosts,
      trace,
      synchronizer: { number: synchronizer },
    },
  }: Told,
): void {
  const event = ({ participant, permission }: Host): string =>
    `{"event":{"ParticipantAuthorizationAdded":{"value":{"partyId":${JSON.stringify(party)},"participantId":${JSON.stringify(participant)},"participantPermission":"PARTICIPANT_PERMISSION_${permission.toUpperCase()}"}}}}`;
  const json = `{"update":{"TopologyTransaction":{"value":{"updateId":"${updateId}","offset":${offset},"synchronizerId":${synchronizers.idJson(synchronizer)},"recordTime":"${instantText(recordTime)}","events":[${hosts.map(event).join(",")}],"traceContext":${traceText(trace ?? untraced)}}}}}`;
  group.appendUpdate(offset, encodeTopology(group.writer, { offset, recordTime, synchronizer, parties: [number], json }));
  writeUpdateId(group, updateId, offset);
  for (const { party: concerned, template } of topologyIndex([number])) group.indexUpdate(concerned, template, offset);
}

/** Parties of another identity provider are named, but nothing is told about them: only who asks for none hears whether they are local. */
function detailsOf(record: PartyRecord, identityProviderId: string): PartyDetails {
  if (record.identityProviderId !== identityProviderId)
    return {
      party: record.party,
      isLocal: identityProviderId === "" && record.isLocal,
      annotations: {},
      resourceVersion: "",
      identityProviderId: "",
    };
  return {
    party: record.party,
    isLocal: record.isLocal,
    annotations: record.annotations,
    resourceVersion: String(record.resourceVersion ?? ""),
    identityProviderId,
  };
}

/** Details of those that are known. */
export const findParties = (
  asked: readonly Party[],
  parties: Pick<PartyRegistry, "durable">,
  identityProviderId: string,
): readonly PartyDetails[] =>
  asked.flatMap((party) => {
    const known = parties.durable(party);
    return known === undefined ? [] : [detailsOf(known, identityProviderId)];
  });

export interface PartyListing {
  readonly pageSize: number;
  readonly pageToken: string;
  readonly filterParty: string;
  readonly identityProviderId: string;
}

export function listParties(
  request: PartyListing,
  parties: PartyRegistry,
  tokenKey: TokenKey,
): Outcome<{ readonly parties: readonly PartyDetails[]; readonly nextPageToken: string }> {
  const tokens = new ListTokens(tokenKey, "parties", [request.filterParty, request.identityProviderId]);
  const after = request.pageToken === "" ? ok("") : tokens.textPlace(request.pageToken);
  if (isFailure(after)) return fail(invalidArgument("Invalid page token"));
  if (request.pageSize < 0) return fail(invalidArgument("Page size must be non-negative"));
  if (request.pageSize > limits.partiesPageElementsMax)
    return fail(invalidArgument(`Page size must not exceed the server's maximum of ${limits.partiesPageElementsMax}`));
  const malformed = request.filterParty === "" ? undefined : partyFilterProblem(request.filterParty);
  if (malformed !== undefined) return fail(invalidField("filterString", malformed));
  const size = request.pageSize || limits.partiesPageElementsMax;
  const page = firstMatching(parties.sorted(), request.filterParty, after.ok, size),
    details = findParties(page, parties, request.identityProviderId);
  return ok({ parties: details, nextPageToken: page.length < size ? "" : tokens.text(page[page.length - 1]!) });
}

/** Of those behind `after` the first that begin as the filter says, in which, as it is SQL's, `_` stands for any character. */
function firstMatching(sorted: readonly Party[], filter: string, after: Party | "", count: number): readonly Party[] {
  const [prefix] = filter.split("_", 1) as [string],
    pattern = new RegExp(`^${filter.replaceAll("_", ".")}`), // what else it may have in it stands for itself
    found: Party[] = [];
  let at = firstIndex(sorted.length, (index) => sorted[index]! > after && sorted[index]! >= prefix);
  for (; found.length < count && sorted[at]?.startsWith(prefix) === true; at++) if (pattern.test(sorted[at]!)) found.push(sorted[at]!);
  return found;
}
