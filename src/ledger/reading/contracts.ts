/** Active contracts at an offset, in the order of their creation. */
import type { Cursor, ElementWriter } from "../../base/element-writer.js";
import { assert } from "../../base/assert.js";
import { damaged } from "../../base/damage.js";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { placeText, type EventPlace } from "../../store/index.js";
import { ContinuationTokens, tokenChars } from "./continuation-tokens.js";
import {
  type LedgerErrorData,
  negativeOffset,
  type Offset,
  offsetAfterLedgerEnd,
  prunedDataAccessed,
  type TokenKey,
} from "../model/index.js";
import { checkNames, EventFilter, parseEventFormat, type TemplateMatch } from "./filters.js";
import type { EventFormatRequest, Traced } from "./formats.js";
import { inFlightTables, PlaceSearch } from "./place-search.js";
import { filtersEntry, type LogValue, whileLogging } from "./request-log.js";
import { createdParts, type CreatedParts, type EventMarks, type UpdateMarks } from "../records/index.js";
import type { ReadContext } from "./updates.js";

/** Events are in the order of their node ids. */
export function eventAt(update: UpdateMarks, nodeId: number): EventMarks {
  const { events } = update;
  let low = 0,
    high = events.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.nodeId < nodeId) low = middle + 1;
    else high = middle;
  }
  const event = events[low];
  if (event?.nodeId !== nodeId) throw damaged(placeText("updates", { offset: update.offset }), `node ${nodeId} is missing in the update`);
  return event;
}

export interface ActiveContractsRequest extends Traced {
  readonly activeAtOffset: Offset;
  readonly format: EventFormatRequest;
  readonly continuationToken?: Uint8Array;
  readonly after?: EventPlace;
  readonly take?: TakeContract;
}

/** Gets contracts in parts, or only their places, in place of their JSON being written; the bytes stay as they are. */
export type TakeContract =
  | { readonly parts: (parts: CreatedParts) => void; readonly place?: undefined }
  | { readonly place: (place: EventPlace) => void; readonly parts?: undefined };

const elementHead = Buffer.from(`{"workflowId":"`),
  createdHead = Buffer.from(`","contractEntry":{"JsActiveContract":{"createdEvent":`);
const inFlightHead = Buffer.from(`","contractEntry":{"JsIncompleteUnassigned":{"createdEvent":`),
  unassignedHead = Buffer.from(`,"unassignedEvent":`);
/** Most contracts are of no workflow. */
const headWithoutWorkflow = Buffer.concat([elementHead, createdHead]);
const elementEnd = `"}`;

/** Contracts that are on their way come behind all that are active: their places have this in their node ids. */
const inFlightBit = 2 ** 31;
const isInFlight = ({ nodeId }: EventPlace): boolean => nodeId >= inFlightBit;
const firstPlace: EventPlace = { offset: 0, nodeId: 0 };

/** At the ledger's begin nothing is active, so nothing of it can be gone. */
const checkNotPruned = (activeAt: Offset, pruned: Offset): LedgerErrorData | undefined =>
  activeAt > 0 && activeAt < pruned ? prunedDataAccessed(`active_at_offset (${activeAt})`, pruned) : undefined;

const offsetProblem = (activeAt: Offset, { ledgerEnd, pruning }: ReadContext): LedgerErrorData | undefined =>
  activeAt > ledgerEnd.offset
    ? offsetAfterLedgerEnd("active_at_offset", activeAt, ledgerEnd.offset)
    : checkNotPruned(activeAt, pruning.offset);

interface PlacedEvents {
  readonly update: UpdateMarks;
  readonly created: EventMarks;
  readonly unassigned: { readonly update: UpdateMarks; readonly event: EventMarks } | undefined;
}

export class ActiveContractsCursor implements Cursor<LedgerErrorData> {
  readonly #context: ReadContext;
  readonly #filter: EventFilter;
  readonly #activeAt: Offset;
  readonly #tokens: ContinuationTokens | undefined;
  readonly #take: TakeContract | undefined;
  /** What follows the created event, by synchronizer and reassignment counter; the continuation token in it changes with every element. */
  readonly #tails = new Map<string, Buffer>();
  readonly #firstTail: Buffer;
  readonly #inFlightTail: Buffer;
  #search: PlaceSearch;
  #isAmongInFlight: boolean;
  #position: EventPlace;
  #ended = false;
  #failure: LedgerErrorData | undefined;
  #loaded: UpdateMarks | undefined;

  constructor(
    context: ReadContext,
    filter: EventFilter,
    activeAt: Offset,
    from: EventPlace,
    tokens: ContinuationTokens | undefined,
    take?: TakeContract,
  ) {
    this.#context = context;
    this.#filter = filter;
    this.#activeAt = activeAt;
    this.#position = from;
    this.#tokens = tokens;
    this.#take = take;
    this.#isAmongInFlight = isInFlight(from);
    this.#search = this.#isAmongInFlight
      ? this.#searchInFlight({ offset: from.offset, nodeId: from.nodeId - inFlightBit })
      : new PlaceSearch(context.tables, filter, activeAt, from);
    this.#firstTail = this.#tail(`,"synchronizerId":${context.synchronizers.idJson(0)},"reassignmentCounter":0`);
    this.#inFlightTail = this.#tail("");
  }

  #tail(text: string): Buffer {
    return Buffer.from(`${text}}},"streamContinuationToken":"${" ".repeat(this.#tokens ? tokenChars : 0)}${elementEnd}`);
  }

  #tailOf(synchronizer: number, counter: number): Buffer {
    if (synchronizer === 0 && counter === 0) return this.#firstTail;
    const key = `${synchronizer}/${counter}`,
      known = this.#tails.get(key);
    if (known) return known;
    const tail = this.#tail(`,"synchronizerId":${this.#context.synchronizers.idJson(synchronizer)},"reassignmentCounter":${counter}`);
    if (this.#tails.size >= limits.activeContractsTailsKeptMax) this.#tails.clear();
    this.#tails.set(key, tail);
    return tail;
  }

  #searchInFlight(from: EventPlace): PlaceSearch {
    return new PlaceSearch(inFlightTables(this.#context.tables), this.#filter, this.#activeAt, from);
  }

  /** Whether there is more behind what was searched. */
  #goOnWithInFlight(): boolean {
    if (this.#isAmongInFlight || this.#context.synchronizers.all.length === 1) return false;
    this.#isAmongInFlight = true;
    this.#search = this.#searchInFlight(firstPlace);
    return true;
  }

  static open(context: ReadContext, key: TokenKey, request: ActiveContractsRequest): Result<ActiveContractsCursor, LedgerErrorData> {
    const resolved = ActiveContractsCursor.check(context, request);
    if (isFailure(resolved)) return resolved;
    if (request.take)
      return ok(
        new ActiveContractsCursor(context, resolved.ok, request.activeAtOffset, request.after ?? firstPlace, undefined, request.take),
      );
    const tokens = new ContinuationTokens(key, [request.activeAtOffset, request.format]);
    const from = request.continuationToken?.length ? tokens.read(request.continuationToken) : ok(request.after ?? { offset: 0, nodeId: 0 });
    return isFailure(from) ? from : ok(new ActiveContractsCursor(context, resolved.ok, request.activeAtOffset, from.ok, tokens));
  }

  /**
   * Formats are parsed before the offset is looked at; names are looked up after. `logged`: what is known of the request beside its
   * format.
   */
  static check(
    context: ReadContext,
    request: ActiveContractsRequest,
    logged: Readonly<Record<string, LogValue>> = {},
  ): Result<EventFilter, LedgerErrorData> {
    const format = parseEventFormat(request.format);
    if (isFailure(format)) return format;
    if (request.activeAtOffset < 0) return fail(negativeOffset("active_at_offset", request.activeAtOffset));
    const problem = offsetProblem(request.activeAtOffset, context) ?? checkNames(format.ok, context.packages);
    return problem
      ? fail(whileLogging(problem, { ...logged, filters: filtersEntry(format.ok) }))
      : ok(new EventFilter(format.ok, context, request.traceId));
  }

  get ended(): boolean {
    return this.#ended;
  }
  get failure(): LedgerErrorData | undefined {
    return this.#failure;
  }
  /** Up to here contracts were written or looked for. */
  get position(): EventPlace {
    return this.#position;
  }

  /** Gives way where the turn is over, also while it finds nothing. */
  read(max: number, out: ElementWriter): number | Promise<number> {
    assert(max > 0, "a read asks for something");
    return this.#context.turns.isOver ? this.#readLater(max, out) : this.#readNow(max, out);
  }

  async #readLater(max: number, out: ElementWriter): Promise<number> {
    await this.#context.turns.next();
    return this.#ended ? 0 : this.#readNow(max, out);
  }

  #readNow(max: number, out: ElementWriter): number | Promise<number> {
    do {
      if (this.#isOvertaken()) return 0;
      const found = this.#search.step(Math.min(max, limits.streamBatchElements));
      if (found.length > 0)
        return this.#writeAll(
          this.#isAmongInFlight ? found.map(({ offset, nodeId }) => ({ offset, nodeId: nodeId + inFlightBit })) : found,
          out,
        );
      if (this.#search.isAtEnd && !this.#goOnWithInFlight()) {
        this.#ended = true;
        return 0;
      }
    } while (!this.#context.turns.isOver);
    return this.#readLater(max, out);
  }

  #writeAll(places: readonly EventPlace[], out: ElementWriter): number | Promise<number> {
    if (this.#take) return this.#takeAll(places, this.#take);
    if (this.#filter.wantsViews) return this.#writeWithViews(places, out);
    this.#tokens?.prepare(places);
    for (let index = 0; index < places.length; index++) this.#write(index, places[index]!, out);
    return places.length;
  }

  #takeAll(places: readonly EventPlace[], take: TakeContract): number {
    for (const place of places) {
      if (take.place) take.place(place);
      else {
        const { update, created } = this.#eventsAt(place);
        take.parts(createdParts(update, created));
      }
      this.#position = place;
    }
    return places.length;
  }

  #isOvertaken(): boolean {
    const gone = checkNotPruned(this.#activeAt, this.#context.pruning.offset);
    if (!gone) return false;
    this.#failure = whileLogging(gone, { filters: filtersEntry(this.#filter.format) });
    this.#ended = true;
    return true;
  }

  /** Huge updates are not kept by the log, but their contracts follow one another. */
  #load(offset: Offset): UpdateMarks {
    if (this.#loaded?.offset !== offset) this.#loaded = this.#context.log.get(offset);
    return this.#loaded;
  }

  /** The event that made the contract active, and the one that unassigned it where that is what readers see. */
  #eventsAt(place: EventPlace): PlacedEvents {
    if (!isInFlight(place)) {
      const update = this.#load(place.offset);
      return { update, created: eventAt(update, place.nodeId), unassigned: undefined };
    }
    const of = this.#load(place.offset),
      event = eventAt(of, place.nodeId - inFlightBit),
      { offset, nodeId } = event.activated;
    const update = this.#context.log.get(offset);
    return { update, created: eventAt(update, nodeId), unassigned: { update: of, event } };
  }

  #match(event: EventMarks): TemplateMatch {
    const match = this.#filter.match(event.template, event.stakeholders);
    assert(match, "the index holds what the filter asks for");
    return match;
  }

  async #writeWithViews(places: readonly EventPlace[], out: ElementWriter): Promise<number> {
    const matched = places.map((place) => {
      const { update, created } = this.#eventsAt(place);
      return { place, created: { offset: update.offset, nodeId: created.nodeId }, template: created.template, match: this.#match(created) };
    });
    const wanted = matched.flatMap(({ created, template, match }) =>
      match.views.map((interfaceId) => ({ place: created, template, interfaceId })),
    );
    return this.#context.views.whileComputed(wanted, () => {
      if (this.#ended || this.#isOvertaken()) return 0;
      this.#tokens?.prepare(places);
      matched.forEach(({ place, match }, index) => this.#write(index, place, out, match));
      return places.length;
    });
  }

  /** `index`: of its token; `known`: what was asked of it when its views were computed; packages may have come since. */
  #write(index: number, place: EventPlace, out: ElementWriter, known?: TemplateMatch): void {
    const { update, created, unassigned } = this.#eventsAt(place),
      { projection } = this.#context,
      match = known ?? this.#match(created);
    const tail = unassigned ? this.#inFlightTail : this.#tailOf(update.synchronizer, created.reassignmentCounter);
    out.begin();
    if (unassigned) this.#writeHead(unassigned.update, inFlightHead, out);
    else this.#writeHead(update, createdHead, out);
    projection.writeCreatedObject(out, update, created, match, this.#filter);
    if (unassigned) {
      out.bytes(unassignedHead);
      projection.writeUnassignedObject(out, unassigned.update, unassigned.event, this.#filter);
    }
    this.#tokens?.write(index, tail, tail.length - elementEnd.length - tokenChars);
    out.bytes(tail);
    out.end();
    this.#position = place;
  }

  #writeHead(update: UpdateMarks, entry: Buffer, out: ElementWriter): void {
    const { workflowIdStart: from, workflowIdEnd: to } = update;
    if (from === to && entry === createdHead) {
      out.bytes(headWithoutWorkflow);
      return;
    }
    out.bytes(elementHead);
    out.run(update.bytes, from, to);
    out.bytes(entry);
  }

  wait(): Promise<void> {
    return Promise.resolve();
  }
  close(): void {
    this.#ended = true;
    this.#loaded = undefined;
  }
}
