/** What is vetted, page by page. */
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { PackageSummary } from "../interpretation/index.js";
import {
  ledgerError,
  type LedgerErrorData,
  ListTokens,
  type Outcome,
  packageIdProblem,
  shortIdentifier,
  type Synchronizer,
  type Synchronizers,
  type TokenKey,
  uniqueIdentifierProblem,
} from "../model/index.js";
import { isOn, type PartyRegistry } from "../parties/index.js";
import { onSynchronizer, type PackageRecord, type PackageRegistry } from "./package-registry.js";
import { stateOf, unlawful, unreadable, type VettingState } from "./vetting-state.js";

export interface VettingListing {
  readonly packageIds: readonly string[];
  readonly namePrefixes: readonly string[];
  readonly participantIds: readonly string[];
  readonly synchronizerIds: readonly string[];
  readonly pageSize: number;
  readonly pageToken: Uint8Array;
}

/** A participant, with what it has vetted where. */
export interface VettingParticipant {
  readonly participantId: string;
  readonly packages: PackageRegistry;
  readonly parties: PartyRegistry;
  readonly synchronizers: Synchronizers;
}

export interface VettingListingContext extends VettingParticipant {
  /** The other participants. */
  readonly others: readonly VettingParticipant[];
  readonly tokenKey: TokenKey;
}

export interface VettingPage {
  readonly states: readonly VettingState[];
  readonly nextPageToken: Uint8Array;
}

export function listVettedPackages(request: VettingListing, context: VettingListingContext): Outcome<VettingPage> {
  const problem = filterProblem(request);
  if (problem) return problem;
  const tokens = new ListTokens(context.tokenKey, "vetted packages", [
    request.packageIds,
    request.namePrefixes,
    request.participantIds,
    request.synchronizerIds,
  ]);
  const from = request.pageToken.length === 0 ? undefined : tokens.place(request.pageToken);
  if (from !== undefined && isFailure(from)) return unreadable("page_token", "not a token of this listing");
  const unfit = pageSizeProblem(request);
  if (unfit) return unfit;
  const states: VettingState[] = [],
    size = request.pageSize || limits.vettedPackagesPageElementsMax,
    isWanted = wantedBy(request);
  const toldAs = (record: PackageRecord): PackageRecord => (context.packages.get(record.summary.packageId) ? record : unnamed(record));
  let last = "";
  for (const { place, synchronizerId, synchronizer, participant } of placesOf(request, from?.ok.toString(), context)) {
    if (states.length === size) break;
    if (synchronizer === undefined)
      return fail(
        ledgerError("TOPOLOGY_STORE_NOT_FOUND", `No synchronizer ${synchronizerId} here.`, {
          context: { synchronizerId: shortIdentifier(synchronizerId) },
        }),
      );
    const state = statesOn(synchronizer, participant, { isWanted, toldAs });
    states.push(...state);
    if (state.length > 0) last = place;
  }
  return ok({ states, nextPageToken: states.length === 0 ? new Uint8Array() : tokens.token(Buffer.from(last)) });
}

/** Where a state may be. */
interface StatePlace {
  /** Places are in its order. */
  readonly place: string;
  readonly synchronizerId: string;
  /** Of those that whoever is asked is connected to, or was. */
  readonly synchronizer: Synchronizer | undefined;
  readonly participant: VettingParticipant;
}

/** The places behind that one. */
function placesOf(
  { participantIds, synchronizerIds }: VettingListing,
  after: string | undefined,
  context: VettingListingContext,
): readonly StatePlace[] {
  const everybody = [context, ...context.others],
    named = participantIds.length === 0 ? everybody : everybody.filter(({ participantId }) => participantIds.includes(participantId)),
    known = new Map(context.synchronizers.all.filter(({ number }) => isOn(context, number)).map((one) => [one.id, one])),
    asked = synchronizerIds.length === 0 ? [...known.keys()] : [...new Set(synchronizerIds)];
  return asked
    .flatMap((synchronizerId): readonly StatePlace[] => {
      const synchronizer = known.get(synchronizerId),
        participants = synchronizer === undefined ? [context] : named; // one that is not known is met whoever is asked for
      return participants.map((participant) => ({
        place: placeOf(synchronizerId, participant),
        synchronizerId,
        synchronizer,
        participant,
      }));
    })
    .filter(({ place }) => after === undefined || place > after)
    .sort((a, b) => (a.place < b.place ? -1 : 1));
}

/**
 * The unit of a page is a state: they come by synchronizer, and there by participant, names before namespaces. A page that is the last
 * leads to an empty one.
 */
const placeOf = (synchronizerId: string, { participantId }: VettingParticipant): string =>
  `${synchronizerId} ${participantId}`.replaceAll("::", " "); // below all that names have in them

interface Telling {
  readonly isWanted: IsWanted;
  /** As whoever is asked knows it. */
  toldAs(record: PackageRecord): PackageRecord;
}

/** Vetting names a package by its id alone. */
const unnamed = ({ summary, vettings }: PackageRecord): PackageRecord => ({ summary: { ...summary, name: "", version: "" }, vettings });

/** What a participant has vetted there, connected or not at the moment; one state at most. */
function statesOn(synchronizer: Synchronizer, participant: VettingParticipant, { isWanted, toldAs }: Telling): readonly VettingState[] {
  const { packages } = participant,
    { number } = synchronizer;
  const matching = Array.from(packages.records(), toldAs).filter(({ summary }) => isWanted(summary));
  const state = stateOf(onSynchronizer(matching, number), packages.vettingSerial(number), synchronizer, participant);
  return state.packages.length > 0 ? [state] : [];
}

function filterProblem({ packageIds, synchronizerIds, participantIds }: VettingListing): { readonly error: LedgerErrorData } | undefined {
  const texts: readonly (readonly [string, readonly string[], (text: string) => string | undefined])[] = [
    ["package_ids", packageIds, packageIdProblem],
    ["synchronizer_ids", synchronizerIds, uniqueIdentifierProblem],
    ["participant_ids", participantIds, uniqueIdentifierProblem],
  ];
  for (const [field, values, check] of texts) {
    const problem = values.map(check).find((found) => found !== undefined);
    if (problem !== undefined) return unreadable(field, problem);
  }
  return undefined;
}

function pageSizeProblem({ pageSize }: VettingListing): { readonly error: LedgerErrorData } | undefined {
  if (pageSize < 0)
    return unlawful("page_size", `Received the negative ${pageSize} as argument, but we require a non-negative value here.`);
  return pageSize > limits.vettedPackagesPageElementsMax
    ? unlawful("page_size", `Page size must not exceed the server's maximum of ${limits.vettedPackagesPageElementsMax}`)
    : undefined;
}

type IsWanted = (summary: PackageSummary) => boolean;

/** Prefixes are looked up by their lengths: there may be as many as a request holds. */
function wantedBy({ packageIds, namePrefixes }: VettingListing): IsWanted {
  const ids = new Set(packageIds),
    prefixes = new Set(namePrefixes),
    lengths = [...new Set(namePrefixes.map(({ length }) => length))];
  if (ids.size === 0 && prefixes.size === 0) return () => true;
  return ({ packageId, name }) => ids.has(packageId) || (name !== "" && lengths.some((length) => prefixes.has(name.slice(0, length))));
}
