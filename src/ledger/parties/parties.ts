/** Allocating and listing parties. An allocation takes an offset: readers of topology updates see it. */
import { createHash, randomUUID } from "node:crypto";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { CommitGroup, CommitMember, Committer, Place } from "../commit/index.js";
import {
  type Identity, instantText, invalidArgument, invalidField, ledgerError, type LedgerErrorData, ListTokens,
  newUpdateId, type Party, partyHintProblem, partyProblem, type TokenKey, type TraceContext, uniqueIdentifierProblem,
} from "../model/index.js";
import type { PartyDetails } from "../admin/index.js";
import { encodeParty, type PartyRecord, type PartyRegistry } from "./party-registry.js";
import { encodeTopology, topologyIndex, traceText, writeUpdateId } from "../records/index.js";

export interface PartyAllocation {
  readonly hint: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly identityProviderId: string;
  readonly synchronizerId: string;
  readonly userId: string;
  readonly trace?: TraceContext;
}

/** Users and identity providers live elsewhere; allocation asks whether they exist. */
export interface PartyAllocationChecks {
  userExists(userId: string): boolean;
  identityProviderExists(identityProviderId: string): boolean;
}

/** A participant as one that hears of parties. */
export interface PartyKeeper { readonly participantId: string; readonly commits: CommitMember; readonly parties: PartyRegistry }

export interface PartiesContext {
  readonly identity: Identity;
  readonly parties: PartyRegistry;
  readonly committer: Committer;
  readonly checks: PartyAllocationChecks;
  /** The other participants. */
  readonly others: readonly PartyKeeper[];
}

const annotationKeyPattern = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

function checkAllocation(request: PartyAllocation, { identity, checks }: PartiesContext): LedgerErrorData | undefined {
  const hintProblem = request.hint === "" ? undefined : partyHintProblem(request.hint);
  if (hintProblem) return invalidArgument(hintProblem);
  const badKey = Object.keys(request.annotations).find((key) => !annotationKeyPattern.test(key));
  if (badKey !== undefined) return invalidArgument(`Key '${badKey}' has invalid syntax`);
  if (request.synchronizerId !== "") {
    const malformed = uniqueIdentifierProblem(request.synchronizerId);
    if (malformed) return invalidField("synchronizer_id", malformed);
    if (request.synchronizerId !== identity.synchronizerId) return ledgerError("NOT_CONNECTED_TO_SYNCHRONIZER", `This node is not connected to synchronizer ${request.synchronizerId}.`, { context: { synchronizer: request.synchronizerId } });
  }
  if (request.identityProviderId !== "" && !checks.identityProviderExists(request.identityProviderId)) return invalidArgument(`Provided identity_provider_id ${request.identityProviderId} has not been found.`);
  if (request.userId !== "" && !checks.userExists(request.userId)) return ledgerError("USER_NOT_FOUND", `No user "${request.userId}".`, { resources: [["USER", request.userId]] });
  return undefined;
}

export async function allocateParty(request: PartyAllocation, context: PartiesContext): Promise<Result<PartyDetails, LedgerErrorData>> {
  const problem = checkAllocation(request, context);
  if (problem) return fail(problem);
  const party = `${request.hint || `party-${randomUUID()}`}::${context.identity.namespace}`;
  const tooLong = partyProblem(party);
  if (tooLong) return invalidArgumentResult(tooLong);
  const written = await context.committer.commit((group) => {
    // Checked inside the job: two allocations of one hint may wait in the same queue.
    if (context.parties.get(party)) return undefined;
    return writeParty(group, context, {
      party, isExternal: false, hosts: [{ participant: context.identity.participantId, permission: "submission" }],
      local: { annotations: request.annotations, resourceVersion: 0, identityProviderId: request.identityProviderId }, trace: request.trace,
    });
  });
  if (isFailure(written)) return written;
  if (!written.ok) return fail(partyExists(party, `Party already exists: party ${party} is already allocated on this node`));
  return ok(detailsOf(written.ok, request.identityProviderId));
}

/** The submission id of an allocation follows from its party, so that every try has the same. */
export function partyExists(party: Party, reason: string): LedgerErrorData {
  const submissionId = `1220${createHash("sha256").update(party).digest("hex")}`;
  return { ...invalidArgument(reason), context: { submissionId: `'${submissionId}'` }, correlationId: submissionId };
}

const invalidArgumentResult = (reason: string): { readonly error: LedgerErrorData } => fail(invalidArgument(reason));

export interface NewParty {
  readonly party: Party;
  readonly isExternal: boolean;
  /** At least one. */
  readonly hosts: readonly Host[];
  /** What is local about it where it is allocated. */
  readonly local: Pick<PartyRecord, "annotations" | "resourceVersion" | "identityProviderId">;
  readonly trace?: TraceContext | undefined;
}

/** A participant that a party is hosted by, and what it may do for it. */
export interface Host { readonly participant: string; readonly permission: "submission" | "confirmation" | "observation" }

type AllocatingContext = Pick<PartiesContext, "identity" | "parties" | "others">;

/** Writes the party, and the topology update that tells of it, for every participant. Gives the record of the one that allocates it. */
export function writeParty(group: CommitGroup, { identity, parties, others }: AllocatingContext, added: NewParty): PartyRecord {
  const place = group.take(), updateId = newUpdateId(place.offset), isHostedBy = (id: string): boolean => added.hosts.some(({ participant }) => participant === id);
  const record = { party: added.party, isExternal: added.isExternal, ...added.local, isLocal: isHostedBy(identity.participantId), number: parties.count };
  addParty(group, parties, record);
  const told = { updateId, synchronizerId: identity.synchronizerId, added };
  writeAuthorization(group, place, record.number, told);
  for (const { participantId, commits, parties: known } of others) {
    const theirs = group.of(commits), isLocal = isHostedBy(participantId);
    const foreign = { ...record, isLocal, annotations: {}, identityProviderId: "", resourceVersion: isLocal ? 0 : undefined, number: known.count };
    addParty(theirs, known, foreign);
    writeAuthorization(theirs, theirs.takeAt(place.recordTime), foreign.number, told);
  }
  return record;
}

/** What others told before this participant was there. */
export function adoptParties(group: CommitGroup, parties: PartyRegistry, known: Iterable<PartyRecord>): void {
  for (const { party, isExternal } of known) {
    if (parties.get(party)) continue;
    addParty(group, parties, { party, isExternal, isLocal: false, annotations: {}, identityProviderId: "", resourceVersion: undefined, number: parties.count });
  }
}

function addParty(group: CommitGroup, parties: PartyRegistry, record: PartyRecord): void {
  parties.set(record); // known from now on to the jobs behind this one
  group.undoable(() => parties.forgetLast(record));
  group.batch.put(group.tables.parties, record.party, encodeParty(record));
}

interface Told { readonly updateId: string; readonly synchronizerId: string; readonly added: NewParty }

const untraced: TraceContext = { traceparent: null, tracestate: null };

function writeAuthorization(group: CommitGroup, { offset, recordTime }: Place, number: number, { updateId, synchronizerId, added: { party, hosts, trace } }: Told): void {
  const event = ({ participant, permission }: Host): string =>
    `{"event":{"ParticipantAuthorizationAdded":{"value":{"partyId":${JSON.stringify(party)},"participantId":${JSON.stringify(participant)},"participantPermission":"PARTICIPANT_PERMISSION_${permission.toUpperCase()}"}}}}`;
  const json = `{"update":{"TopologyTransaction":{"value":{"updateId":"${updateId}","offset":${offset},"synchronizerId":${JSON.stringify(synchronizerId)},"recordTime":"${instantText(recordTime)}","events":[${hosts.map(event).join(",")}],"traceContext":${traceText(trace ?? untraced)}}}}}`;
  group.batch.append(group.tables.updates, offset, encodeTopology(group.writer, { offset, recordTime, parties: [number], json }));
  writeUpdateId(group, updateId, offset);
  for (const entry of topologyIndex([number])) {
    group.batch.insert(group.tables.updateIndex, { ...entry, offset });
    group.concern(entry.party);
  }
}

/** Parties of another identity provider are named, but nothing is told about them. */
export function detailsOf(record: PartyRecord, identityProviderId: string): PartyDetails {
  if (record.identityProviderId !== identityProviderId) return { party: record.party, isLocal: false, annotations: {}, resourceVersion: "", identityProviderId: "" };
  return { party: record.party, isLocal: record.isLocal, annotations: record.annotations, resourceVersion: String(record.resourceVersion ?? ""), identityProviderId };
}

export interface PartyListing { readonly pageSize: number; readonly pageToken: string; readonly filterParty: string; readonly identityProviderId: string }

export function listParties(request: PartyListing, parties: PartyRegistry, tokenKey: TokenKey): Result<{ readonly parties: readonly PartyDetails[]; readonly nextPageToken: string }, LedgerErrorData> {
  if (request.pageSize < 0) return fail(invalidArgument("Page size must be non-negative"));
  if (request.pageSize > limits.partiesPageElementsMax) return fail(invalidArgument(`Page size must not exceed the server's maximum of ${limits.partiesPageElementsMax}`));
  const tokens = new ListTokens(tokenKey, "parties", [request.filterParty, request.identityProviderId]);
  const after = request.pageToken === "" ? ok("") : tokens.textPlace(request.pageToken);
  if (isFailure(after)) return fail(invalidArgument("Invalid page token"));
  const size = request.pageSize || limits.partiesPageElementsMax;
  const matching = parties.sorted().filter((party) => party > after.ok && party.startsWith(request.filterParty));
  const page = matching.slice(0, size);
  const details = page.map((party) => detailsOf(parties.get(party)!, request.identityProviderId));
  return ok({ parties: details, nextPageToken: matching.length > size ? tokens.text(page[page.length - 1]!) : "" });
}
