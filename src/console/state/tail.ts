/**
 * The updates of the ledger as they come, and those before on demand. It knows the offset of the last that it has: whatever happens
 * in between, a pause, a lost connection, a restart of the node, it goes on behind that one, so nothing is left out but what was
 * pruned meanwhile, and that is told.
 */
import type { Event } from "../../api/ledger/types/events.js";
import type { GetParticipantIdResponse } from "../../api/ledger/types/parties.js";
import type { GetLatestPrunedOffsetsResponse, GetLedgerEndResponse } from "../../api/ledger/types/state.js";
import type {
  GetUpdatesPageRequest,
  GetUpdatesRequest,
  JsGetUpdatesPageResponse,
  JsGetUpdatesResponse,
  Update,
} from "../../api/ledger/types/updates.js";
import type { UpdateFormat } from "../../api/ledger/types/formats.js";
import { limits } from "../../config.js";
import { asFailure, type RequestFailed } from "../client/errors.js";
import { openStream, type OpenStream } from "../client/stream.js";
import { shortEntity } from "../daml/names.js";
import { client, eventFormat, node } from "./session.js";
import { Store } from "./store.js";

export interface Step {
  readonly kind: "create" | "consume" | "use" | "other";
  readonly text: string;
}

export interface UpdateRow {
  readonly offset: number;
  readonly recordTime: string;
  readonly commandId: string;
  /** What it began with, the first few; and how many events it has. */
  readonly roots: readonly Step[];
  readonly events: number;
  readonly parties: readonly string[];
}

export interface TailState {
  readonly phase: "live" | "paused" | "connecting";
  readonly failure: RequestFailed | undefined;
  /** The ledger is another one than before. */
  readonly wasReplaced: boolean;
  /** Offsets, both included, that were pruned before they were read. */
  readonly pruned: { readonly from: number; readonly to: number } | undefined;
  /** The oldest that can be read is there. */
  readonly isAll: boolean;
  /** How many came while it was looked at. */
  readonly arrived: number;
}

/** As many are kept, the newest: what is older is not read. */
export const rowsMax = 50_000;
const pageRows = 100,
  tellMs = 80,
  retryMs = 400,
  retryMaxMs = 4_000,
  rootsShown = 3;
/** Longer than the node waits before it tells of offsets at which there is nothing to see. */
const silenceMs = limits.checkpointIntervalMs + 5_000;

/** Whatever can be in an update, as far as it may be seen. */
export function updateFormat(party?: string): UpdateFormat {
  const { isAnyParty, readAs } = node.value.scope;
  return {
    includeTransactions: { eventFormat: eventFormat(party), transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS" },
    ...(party === undefined && { includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties: isAnyParty ? [] : readAs } } }),
  };
}

export class Tail {
  readonly state = new Store<TailState>({
    phase: "connecting",
    failure: undefined,
    wasReplaced: false,
    pruned: undefined,
    isAll: false,
    arrived: 0,
  });
  /** The oldest first. */
  rows: UpdateRow[] = [];
  /** Of the last update that is known of, or the checkpoint behind it. */
  #cursor = 0;
  /** What is older than the rows is at offsets up to here. */
  #olderTo = 0;
  #participantId = "";
  #stream: OpenStream | undefined;
  #tellTimer: number | undefined;
  #retryTimer: number | undefined;
  #retryMs = retryMs;
  #arrived = 0;
  /** The reading of older rows that is under way; one that is not it any more when it is answered comes too late. */
  #readingOlder: object | undefined;
  /** Since when the stream told nothing although there was something. */
  #silentSince: number | undefined;
  /** Which connection is wanted; an answer on the way to an earlier one comes too late. */
  #attempt = 0;

  async begin(): Promise<void> {
    const attempt = ++this.#attempt;
    this.#cursor = node.value.end;
    this.#olderTo = this.#cursor;
    this.#participantId = node.value.participantId;
    await this.older();
    if (attempt === this.#attempt) this.#connect();
  }

  /**
   * A connection may be dead without a word of it: whose computer slept, or whose network changed, waits for nothing. The ledger
   * moved and for a while nothing was told, not even a checkpoint: another connection is opened, behind what is there.
   */
  lookAfter(end: number): void {
    if (this.state.value.phase !== "live" || end <= this.#cursor) this.#silentSince = undefined;
    else this.#silentSince ??= performance.now();
    if (this.#silentSince === undefined || performance.now() - this.#silentSince < silenceMs) return;
    this.#silentSince = undefined;
    this.#stream?.close();
    this.#tell({ phase: "connecting" });
    void this.#reconnect();
  }

  close(): void {
    this.#attempt++;
    this.#stream?.close();
    this.#stream = undefined;
    window.clearTimeout(this.#tellTimer);
    window.clearTimeout(this.#retryTimer);
  }

  pause(): void {
    this.close();
    this.#tell({ phase: "paused" });
  }

  resume(): void {
    if (this.state.value.phase !== "paused") return;
    this.#retryMs = retryMs;
    this.#tell({ phase: "connecting" });
    void this.#reconnect();
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Some more, unless as many are there as may be. */
  async older(): Promise<void> {
    if (this.#readingOlder !== undefined || this.state.value.isAll || this.rows.length >= rowsMax) return;
    const reading = (this.#readingOlder = {});
    const request: GetUpdatesPageRequest = {
      endOffsetInclusive: this.#olderTo,
      maxPageSize: pageRows,
      descendingOrder: true,
      updateFormat: updateFormat(),
    };
    try {
      const page: JsGetUpdatesPageResponse =
        this.#olderTo <= 0
          ? { updates: [], lowestPageOffsetExclusive: 0, highestPageOffsetInclusive: 0 }
          : await client.post("/v2/updates/get-updates-page", request);
      if (reading !== this.#readingOlder) return;
      const found = (page.updates ?? []).flatMap(({ update }) => (update ? rowsOf(update) : [])).reverse();
      this.rows = [...found, ...this.rows];
      this.#olderTo = page.lowestPageOffsetExclusive;
      this.#tell({ isAll: page.nextPageToken == null, failure: undefined }); // a page may be short because its updates are long
    } catch (error) {
      if (reading === this.#readingOlder) this.#tell({ failure: asFailure(error) });
    } finally {
      if (reading === this.#readingOlder) this.#readingOlder = undefined;
    }
  }

  #connect(): void {
    const request: GetUpdatesRequest = { beginExclusive: this.#cursor, updateFormat: updateFormat() };
    this.#stream = openStream<JsGetUpdatesResponse>(client, "/v2/updates", request, {
      onElement: ({ update }) => {
        this.#silentSince = undefined;
        this.#take(update);
      },
      onEnd: (failure) => {
        this.#tell({ phase: "connecting", failure });
        this.#retryLater();
      },
    });
    this.#silentSince = undefined;
    this.#tell({ phase: "live" });
  }

  #take(update: Update | null | undefined): void {
    if (!update) return;
    this.#retryMs = retryMs;
    if ("OffsetCheckpoint" in update) {
      this.#cursor = Math.max(this.#cursor, update.OffsetCheckpoint.value.offset);
      return;
    }
    for (const row of rowsOf(update)) {
      if (row.offset <= this.#cursor) continue;
      this.#cursor = row.offset;
      this.rows.push(row);
      this.#arrived++;
    }
    this.#tellTimer ??= window.setTimeout(() => this.#tell({ failure: undefined }), tellMs);
  }

  /** A node that was started with another ledger knows nothing of the offset, and one that pruned beyond it reads nothing behind it. */
  async #reconnect(): Promise<void> {
    const attempt = ++this.#attempt;
    try {
      const [{ offset }, { participantId }, { participantPrunedUpToInclusive: pruned = 0 }] = await Promise.all([
        client.get<GetLedgerEndResponse>("/v2/state/ledger-end"),
        client.get<GetParticipantIdResponse>("/v2/parties/participant-id"),
        client.get<GetLatestPrunedOffsetsResponse>("/v2/state/latest-pruned-offsets"),
      ]);
      if (attempt !== this.#attempt) return;
      if ((offset ?? 0) < this.#cursor || participantId !== this.#participantId) {
        this.rows = [];
        this.#olderTo = this.#cursor = offset ?? 0;
        this.#readingOlder = undefined;
        this.#participantId = participantId;
        this.#tell({ wasReplaced: true, pruned: undefined, isAll: false });
        await this.older();
        if (attempt !== this.#attempt) return;
      } else if (pruned > this.#cursor) {
        this.#readingOlder = undefined;
        this.#tell({ pruned: { from: this.#cursor + 1, to: pruned }, isAll: true, failure: undefined });
        this.#cursor = pruned;
      }
      this.#connect();
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.#tell({ phase: "connecting", failure: asFailure(error) });
      this.#retryLater();
    }
  }

  #retryLater(): void {
    this.#retryTimer = window.setTimeout(() => void this.#reconnect(), this.#retryMs);
    this.#retryMs = Math.min(retryMaxMs, this.#retryMs * 2);
  }

  #tell(change: Partial<TailState>): void {
    window.clearTimeout(this.#tellTimer);
    this.#tellTimer = undefined;
    if (this.rows.length > rowsMax) {
      this.rows.splice(0, this.rows.length - rowsMax);
      this.#olderTo = this.rows[0]!.offset - 1;
      this.#readingOlder = undefined;
      change = { ...change, isAll: false };
    }
    this.state.set({ ...this.state.value, ...change, arrived: this.#arrived });
  }
}

function rowsOf(update: Update): readonly UpdateRow[] {
  if ("Transaction" in update) {
    const { offset, recordTime, commandId, events } = update.Transaction.value;
    return [
      { offset, recordTime, commandId: commandId ?? "", roots: rootsOf(events), events: events.length, parties: witnessesOf(events) },
    ];
  }
  if ("TopologyTransaction" in update) {
    const { offset, recordTime, events } = update.TopologyTransaction.value;
    const roots = events.slice(0, rootsShown).flatMap(({ event }) =>
      Object.entries(event ?? {}).map(([kind, of]): Step => ({
        kind: "other",
        text: topologyText(kind, of as { readonly value?: { readonly partyId?: string } }),
      })),
    );
    return [{ offset, recordTime, commandId: "", roots, events: events.length, parties: [] }];
  }
  if ("Reassignment" in update) {
    const { offset, recordTime } = update.Reassignment.value;
    return [{ offset, recordTime, commandId: "", roots: [{ kind: "other", text: "reassignment" }], events: 1, parties: [] }];
  }
  return [];
}

const topologyText = (kind: string, { value }: { readonly value?: { readonly partyId?: string } }): string =>
  `${kind.replace(/^ParticipantAuthorization/, "party ").toLowerCase()} ${(value?.partyId ?? "").split("::")[0] ?? ""}`;

function rootsOf(events: readonly Event[]): readonly Step[] {
  const roots: Step[] = [];
  let until = -1;
  for (const event of events) {
    if (roots.length >= rootsShown) break;
    if ("CreatedEvent" in event) {
      if (event.CreatedEvent.nodeId > until) roots.push({ kind: "create", text: shortEntity(event.CreatedEvent.templateId) });
    } else if ("ExercisedEvent" in event) {
      const { nodeId, lastDescendantNodeId, choice, templateId, consuming } = event.ExercisedEvent;
      if (nodeId <= until) continue;
      roots.push({ kind: consuming ? "consume" : "use", text: `${choice} on ${shortEntity(templateId)}` });
      until = lastDescendantNodeId;
    }
  }
  return roots;
}

const witnessesMax = 50;

function witnessesOf(events: readonly Event[]): readonly string[] {
  const found = new Set<string>();
  for (const event of events) {
    const { witnessParties } =
      "CreatedEvent" in event ? event.CreatedEvent : "ExercisedEvent" in event ? event.ExercisedEvent : event.ArchivedEvent;
    for (const party of witnessParties) if (found.size < witnessesMax) found.add(party);
  }
  return [...found].sort();
}
