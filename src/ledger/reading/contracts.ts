/** Active contracts at an offset, in the order of their creation. */
import type { Cursor, ElementWriter } from "../../base/element-writer.js";
import { assert } from "../../base/assert.js";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { EventPlace } from "../../store/index.js";
import { ContinuationTokens } from "./continuation-tokens.js";
import { ContractElements } from "./contract-elements.js";
import {
  type EventFormat,
  type LedgerErrorData,
  negativeOffset,
  type Offset,
  offsetAfterLedgerEnd,
  prunedDataAccessed,
  type TokenKey,
} from "../model/index.js";
import { checkNames, EventFilter, parseEventFormat, type TemplateMatch } from "./filters.js";
import type { EventFormatRequest, Traced } from "./formats.js";
import { activeIndex, inFlightIndex, PlaceSearch } from "./place-search.js";
import { inFlightBit, isInFlight, PlacedEventsReader } from "./placed-events.js";
import { filtersEntry, type LogValue, whileLogging } from "./request-log.js";
import { createdParts, type CreatedParts } from "../records/index.js";
import type { ReadContext } from "./updates.js";
import { ViewReader } from "./view-reader.js";
import type { WantedView } from "./views.js";

export interface ActiveContractsRequest extends Traced {
  readonly activeAtOffset: Offset;
  readonly format: EventFormatRequest;
  readonly continuationToken?: Uint8Array;
  readonly after?: EventPlace;
  readonly take?: TakeContract;
}

/** Gets contracts in parts, or only their places, in place of their JSON being written; the parts' bytes stay as they are. */
export type TakeContract =
  | { readonly parts: (parts: CreatedParts) => void; readonly place?: undefined }
  | { readonly place: (place: EventPlace) => void; readonly parts?: undefined };

const firstPlace: EventPlace = { offset: 0, nodeId: 0 };

/** At the ledger's begin nothing is active, so nothing of it can be gone. */
const checkNotPruned = (activeAt: Offset, pruned: Offset): LedgerErrorData | undefined =>
  activeAt > 0 && activeAt < pruned ? prunedDataAccessed(`Active contracts request at offset ${activeAt} precedes`, pruned) : undefined;

const offsetProblem = (activeAt: Offset, { ledgerEnd, pruning }: ReadContext): LedgerErrorData | undefined =>
  activeAt > ledgerEnd.offset
    ? offsetAfterLedgerEnd("active_at_offset", activeAt, ledgerEnd.offset)
    : checkNotPruned(activeAt, pruning.offset);

export class ActiveContractsCursor implements Cursor<LedgerErrorData> {
  readonly #context: ReadContext;
  readonly #filter: EventFilter;
  readonly #activeAt: Offset;
  readonly #events: PlacedEventsReader;
  readonly #elements: ContractElements;
  readonly #take: TakeContract | undefined;
  /** A contract may have several views. */
  readonly #viewReader = new ViewReader();
  #search: PlaceSearch;
  #isAmongInFlight: boolean;
  #position: EventPlace;
  #ended = false;
  #failure: LedgerErrorData | undefined;

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
    this.#take = take;
    this.#events = new PlacedEventsReader(context.log);
    this.#elements = new ContractElements(context, filter, tokens, this.#events);
    this.#isAmongInFlight = isInFlight(from);
    this.#search = this.#isAmongInFlight
      ? this.#searchInFlight({ offset: from.offset, nodeId: from.nodeId - inFlightBit })
      : new PlaceSearch(activeIndex(context), filter, activeAt, from);
  }

  #searchInFlight(from: EventPlace): PlaceSearch {
    return new PlaceSearch(inFlightIndex(this.#context), this.#filter, this.#activeAt, from);
  }

  /** Whether there is more behind what was searched. */
  #goOnWithInFlight(): boolean {
    if (this.#isAmongInFlight || this.#context.synchronizers.all.length === 1) return false;
    this.#isAmongInFlight = true;
    this.#search = this.#searchInFlight(firstPlace);
    return true;
  }

  static open(context: ReadContext, key: TokenKey, request: ActiveContractsRequest): Result<ActiveContractsCursor, LedgerErrorData> {
    const parsed = parseEventFormat(request.format);
    if (isFailure(parsed)) return parsed;
    const tokens = request.take ? undefined : new ContinuationTokens(key, [request.activeAtOffset, request.format]);
    const from = tokens && request.continuationToken ? tokens.read(request.continuationToken) : ok(request.after ?? firstPlace);
    if (isFailure(from)) return from;
    const resolved = ActiveContractsCursor.check(context, request, parsed.ok);
    return isFailure(resolved)
      ? resolved
      : ok(new ActiveContractsCursor(context, resolved.ok, request.activeAtOffset, from.ok, tokens, request.take));
  }

  /**
   * Behind the parsing of the format and what is wrong with a token: names are looked up before the ledger's end is. `logged`: what is
   * known of the request beside its format.
   */
  static check(
    context: ReadContext,
    { activeAtOffset, traceId }: Pick<ActiveContractsRequest, "activeAtOffset" | "traceId">,
    format: EventFormat,
    logged: Readonly<Record<string, LogValue>> = {},
  ): Result<EventFilter, LedgerErrorData> {
    if (activeAtOffset < 0) return fail(negativeOffset("active_at_offset", activeAtOffset));
    const problem = checkNames(format, context.packages) ?? offsetProblem(activeAtOffset, context);
    return problem
      ? fail(whileLogging(problem, { ...logged, filters: filtersEntry(format) }))
      : ok(new EventFilter(format, context, traceId));
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
      const found = this.#search.step(Math.min(max, this.#filter.wantsViews ? this.#viewReader.atOnce : limits.streamBatchElements));
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
    this.#elements.write(places, out);
    return this.#wrote(places);
  }

  #wrote(places: readonly EventPlace[]): number {
    this.#position = places[places.length - 1]!;
    return places.length;
  }

  #takeAll(places: readonly EventPlace[], take: TakeContract): number {
    for (const place of places) {
      if (take.place) take.place(place);
      else {
        const { update, created } = this.#events.heldAt(place);
        take.parts(createdParts(update, created));
      }
    }
    this.#events.rest();
    return this.#wrote(places);
  }

  #isOvertaken(): boolean {
    const gone = checkNotPruned(this.#activeAt, this.#context.pruning.offset);
    if (!gone) return false;
    this.#failure = whileLogging(gone, { filters: filtersEntry(this.#filter.format) });
    this.#ended = true;
    return true;
  }

  async #writeWithViews(places: readonly EventPlace[], out: ElementWriter): Promise<number> {
    const matches: TemplateMatch[] = [],
      wanted: WantedView[] = [];
    for (const each of places) {
      const { update, created } = this.#events.at(each),
        match = this.#elements.match(created),
        place = { offset: update.offset, nodeId: created.nodeId };
      matches.push(match);
      for (const interfaceId of match.views) wanted.push({ place, template: created.template, interfaceId });
    }
    this.#events.rest();
    const write = (): number => {
      if (this.#ended || this.#isOvertaken()) return 0;
      this.#elements.write(places, out, matches);
      return this.#wrote(places);
    };
    return this.#context.views.whileComputed(wanted, write, this.#viewReader);
  }

  wait(): Promise<void> {
    return Promise.resolve();
  }
  close(): void {
    this.#ended = true;
    this.#events.release();
    this.#elements.release();
  }
}
