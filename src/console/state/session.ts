/** What every screen needs: who looks, which parties and packages there are, and where the ledger ends. */
import type { GetLatestPrunedOffsetsResponse, GetLedgerEndResponse } from "../../api/ledger/types/state.js";
import type { EventFormat, Filters, CumulativeFilter } from "../../api/ledger/types/formats.js";
import type { GetParticipantIdResponse, ListKnownPartiesResponse } from "../../api/ledger/types/parties.js";
import type { GetUserResponse, ListUserRightsResponse, RightKind } from "../../api/ledger/types/users.js";
import type { ListPackageSummariesResponse, PackageSummaryEntry } from "../../api/node/types/packages.js";
import { Client } from "../client/client.js";
import { asFailure, RequestFailed } from "../client/errors.js";
import { forgetDrafts } from "./drafts.js";
import { Store } from "./store.js";

/** Whose eyes the page looks with. */
export interface Scope {
  readonly isAnyParty: boolean;
  /** Whom the token may read for, where that is not everybody. */
  readonly readAs: readonly string[];
  /** Undefined: everybody. */
  readonly actAs: readonly string[] | undefined;
  readonly userId: string;
}

export interface Node {
  readonly phase: "starting" | "token" | "ready" | "away";
  /** The last offset; 0 before anything is known. */
  readonly end: number;
  readonly pruned: number;
  readonly participantId: string;
  readonly scope: Scope;
  readonly failure: RequestFailed | undefined;
}

const nobody: Scope = { isAnyParty: true, readAs: [], actAs: undefined, userId: "console" };
const pollMs = 1_000,
  pollAwayMs = 1_500;

export const client = new Client();
export const node = new Store<Node>({ phase: "starting", end: 0, pruned: 0, participantId: "", scope: nobody, failure: undefined });
export const parties = new Store<readonly string[]>([]);
export const packages = new Store<ReadonlyMap<string, PackageSummaryEntry>>(new Map());

client.onRefused = (failure) => {
  if (node.value.phase !== "starting") node.change({ phase: "token", failure });
};

/** With a new token, or when the node came back. */
export async function begin(): Promise<void> {
  if (node.value.phase !== "away") node.change({ phase: "starting", failure: undefined }); // what is shown stays while a node is away
  try {
    const scope = await readScope();
    const { participantId } = await client.get<GetParticipantIdResponse>("/v2/parties/participant-id");
    await Promise.all([readOffsets(), readParties(scope), readPackages()]);
    if (scope.userId !== node.value.scope.userId) forgetDrafts();
    node.change({ phase: "ready", scope, participantId, failure: undefined });
  } catch (error) {
    const failure = asFailure(error);
    node.change({ phase: failure.status === 401 || failure.status === 403 ? "token" : "away", failure });
  }
}

/** Without a token there is nobody to ask for: a node that wants one says so at the first request that needs it. */
async function readScope(): Promise<Scope> {
  if (client.token === undefined) return nobody;
  let user: GetUserResponse["user"];
  try {
    ({ user } = await client.get<GetUserResponse>("/v2/authenticated-user"));
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 400) return nobody; // it came back and checks no tokens any more
    throw error;
  }
  const { rights } = await client.get<ListUserRightsResponse>(`/v2/users/${encodeURIComponent(user.id ?? "")}/rights`);
  const kinds = (rights ?? []).flatMap(({ kind }) => (kind ? [kind] : []));
  const actAs = [...new Set(kinds.flatMap((kind) => ("CanActAs" in kind ? [kind.CanActAs.value.party ?? ""] : [])))];
  const readAs = [...new Set([...actAs, ...kinds.flatMap((kind) => ("CanReadAs" in kind ? [kind.CanReadAs.value.party ?? ""] : []))])];
  return { isAnyParty: kinds.some((kind: RightKind) => "CanReadAsAnyParty" in kind), readAs, actAs, userId: user.id ?? "" };
}

async function readOffsets(): Promise<void> {
  const [{ offset }, pruned] = await Promise.all([
    client.get<GetLedgerEndResponse>("/v2/state/ledger-end"),
    client.get<GetLatestPrunedOffsetsResponse>("/v2/state/latest-pruned-offsets"),
  ]);
  node.change({ end: offset ?? 0, pruned: pruned.participantPrunedUpToInclusive ?? 0 });
}

/** Who may not list all is shown those of the token. */
export async function readParties(scope: Scope = node.value.scope): Promise<void> {
  const found: string[] = [];
  let pageToken = "";
  try {
    do {
      const page: ListKnownPartiesResponse = await client.get(
        `/v2/parties?pageSize=1000${pageToken === "" ? "" : `&pageToken=${encodeURIComponent(pageToken)}`}`,
      );
      found.push(...page.partyDetails.flatMap(({ party }) => (party === undefined ? [] : [party])));
      pageToken = page.nextPageToken ?? "";
    } while (pageToken !== "" && found.length < partiesMax);
  } catch (error) {
    if (asFailure(error).status !== 403) throw error;
  }
  parties.set(scope.isAnyParty ? found : [...new Set(scope.readAs)]);
}
const partiesMax = 20_000;

export async function readPackages(): Promise<void> {
  const found = new Map<string, PackageSummaryEntry>();
  let pageToken: string | undefined = "";
  while (pageToken !== undefined) {
    const page: ListPackageSummariesResponse = await client.get(
      `/admin/packages${pageToken === "" ? "" : `?pageToken=${encodeURIComponent(pageToken)}`}`,
    );
    for (const one of page.packages) found.set(one.packageId, one);
    pageToken = page.nextPageToken;
  }
  packages.set(found);
}

/** Looks where the ledger ends for as long as somebody looks at the page; after a sleep at once. */
export function follow(): void {
  let timer: number | undefined;
  const look = async (): Promise<void> => {
    window.clearTimeout(timer);
    if (document.visibilityState === "visible" && node.value.phase !== "token") await lookOnce();
    timer = window.setTimeout(look, node.value.phase === "away" ? pollAwayMs : pollMs);
  };
  document.addEventListener("visibilitychange", () => void look());
  timer = window.setTimeout(look, pollMs);
}

async function lookOnce(): Promise<void> {
  const { phase } = node.value;
  if (phase === "starting") return;
  if (phase === "away") return begin();
  try {
    const { offset } = await client.get<GetLedgerEndResponse>("/v2/state/ledger-end");
    node.change({ end: offset ?? 0 });
  } catch (error) {
    const failure = asFailure(error);
    if (failure.status === 0 || failure.status >= 500) node.change({ phase: "away", failure });
  }
}

/** A user may have rights of other kinds only: there is nothing on the ledger that he could be shown. */
export const seesNobody = ({ isAnyParty, readAs }: Scope): boolean => !isAnyParty && readAs.length === 0;

const wildcard: CumulativeFilter = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } };

/** Of one party, or of all that may be seen; of what the filters name, or of everything. */
export function eventFormat(party: string | undefined, cumulative: readonly CumulativeFilter[] = []): EventFormat {
  const filters: Filters = { cumulative },
    { scope } = node.value;
  if (party === undefined && scope.isAnyParty) return { filtersByParty: {}, filtersForAnyParty: filters, verbose: true };
  const seeing = party === undefined ? scope.readAs : [party];
  return { filtersByParty: Object.fromEntries(seeing.map((one) => [one, filters])), verbose: true };
}

export { wildcard };

/** `#package-name:Module:Entity` for a full id: filters take names of packages, and of commands the node takes the best version. */
export function byName(id: string): string {
  const known = packages.value.get(id.slice(0, id.indexOf(":")));
  return known === undefined ? id : `#${known.packageName}${id.slice(id.indexOf(":"))}`;
}
