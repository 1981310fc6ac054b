/** Active contracts at an offset, in the order of their creation. */
import type { Cursor, ElementWriter } from "../../base/element-writer.js";
import { assert } from "../../base/assert.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { EventPlace } from "../../store/index.js";
import { ContinuationTokens } from "./continuation-tokens.js";
import { ContractElements, type FoundContracts, nothingFound } from "./contract-elements.js";
import {
  type EventFormat,
  type LedgerErrorData,
  negativeOffset,
  type Offset,
  type AskedOffset,
  inJson,
  offsetAfterLedgerEnd,
  type Outcome,
  prunedDataAccessed,
  type TokenKey,
  filtersEntry,
  type LogValue,
  whileLogging,
} from "../model/index.js";
import { checkNames, EventFilter, parseEventFormat, type TemplateMatch } from "./filters.js";
import type { EventFormatRequest, Traced } from "./formats.js";
import { activeIndex, inFlightIndex, PlaceSearch } from "./place-search.js";
import { inFlightBit, isInFlight, PlacedEventsReader } from "./placed-events.js";
import { createdParts, type CreatedParts } from "../records/index.js";
import type { ReadContext } from "./read-context.js";
import { ViewReader } from "./view-reader.js";
import type { WantedView } from "./views.js";

export interface ActiveContractsRequest extends Traced {
  readonly activeAtOffset: AskedOffset;
  readonly format: EventFormatRequest;
  readonly continuationToken?: Uint8Array;
  readonly after?: EventPlace;
  readonly take?: TakeContract;
}

/**
 * Gets contracts in parts, or only their places, in place of their JSON being written; the parts' bytes stay as they are. Behind a place
 * a reader can go on: that of a contract on its way between synchronizers is among those, not where it was created.
 */
export type TakeContract =
  | { readonly parts: (parts: CreatedParts, place: EventPlace) => void; readonly place?: undefined }
  | { readonly place: (place: EventPlace) => void; readonly parts?: undefined };

const firstPlace: EventPlace = { offset: 0, nodeId: 0 };
const amongInFlight = ({ offset, nodeId }: EventPlace): EventPlace => ({ offset, nodeId: nodeId + inFlightBit });

/** At the ledger's begin nothing is active, so nothing of it can be gone; nor is anything of what nobody asks for. */
const checkActiveNotPruned = (activeAt: Offset, pruned: Offset, filter: EventFilter): LedgerErrorData | undefined =>
  activeAt > 0 && activeAt < pruned && !filter.asksForNothing
    ? prunedDataAccessed(`Active contracts request at offset ${activeAt} precedes`, pruned)
    : undefined;

const offsetProblem = (activeAt: AskedOffset, { ledgerEnd, pruning }: ReadContext, filter: EventFilter): LedgerErrorData | undefined =>
  activeAt > ledgerEnd.offset
    ? offsetAfterLedgerEnd("active_at_offset", activeAt, ledgerEnd.offset)
    : checkActiveNotPruned(Number(activeAt), pruning.offset, filter);

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
  /** Behind the position, by what the filter meant then, and how many of them were written. */
  #found: FoundContracts = nothingFound;
  #revision: number | undefined;
  #written = 0;
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
    this.#search = this.#beginSearch();
  }

  /** Behind the position. */
  #beginSearch(): PlaceSearch {
    const { offset, nodeId } = this.#position;
    if (!this.#isAmongInFlight) return new PlaceSearch(activeIndex(this.#context), this.#filter, this.#activeAt, this.#position);
    const from = isInFlight(this.#position) ? { offset, nodeId: nodeId - inFlightBit } : firstPlace;
    return new PlaceSearch(inFlightIndex(this.#context), this.#filter, this.#activeAt, from);
  }

  /** Whether there is more behind what was searched. */
  #goOnWithInFlight(): boolean {
    if (this.#isAmongInFlight || this.#context.synchronizers.all.length === 1) return false;
    this.#isAmongInFlight = true;
    this.#search = this.#beginSearch();
    return true;
  }

  static open(context: ReadContext, key: TokenKey, request: ActiveContractsRequest): Outcome<ActiveContractsCursor> {
    const parsed = parseEventFormat(request.format);
    if (isFailure(parsed)) return parsed;
    const tokens = request.take ? undefined : new ContinuationTokens(key, [inJson(request.activeAtOffset), request.format]);
    const from = tokens && request.continuationToken ? tokens.read(request.continuationToken) : ok(request.after ?? firstPlace);
    if (isFailure(from)) return from;
    const resolved = ActiveContractsCursor.check(context, request, parsed.ok);
    return isFailure(resolved)
      ? resolved
      : ok(new ActiveContractsCursor(context, resolved.ok, Number(request.activeAtOffset), from.ok, tokens, request.take));
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
  ): Outcome<EventFilter> {
    if (activeAtOffset < 0) return fail(negativeOffset("active_at_offset", activeAtOffset));
    const filter = new EventFilter(format, context, traceId),
      problem = checkNames(format, context.packages) ?? offsetProblem(activeAtOffset, context, filter);
    return problem ? fail(whileLogging(problem, { ...logged, filters: filtersEntry(format) })) : ok(filter);
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
    return this.#ended || out.mayBegin?.() === false ? 0 : this.#readNow(max, out);
  }

  #readNow(max: number, out: ElementWriter): number | Promise<number> {
    if (this.#isOvertaken()) return 0;
    return this.#filter.wantsViews && this.#take === undefined ? this.#readWithViews(max, out) : this.#read(max, out);
  }

  #read(max: number, out: ElementWriter): number | Promise<number> {
    const { turns } = this.#context;
    let written = 0;
    do {
      if (this.#findMore(max)) written += this.#writeFound(max - written, out);
      else if (this.#ended) return written;
      if (written === max) return written;
    } while (!turns.isOver);
    return written > 0 ? written : this.#readLater(max, out);
  }

  /** Whether there are places to be written; none, when one step of the search found none. */
  #findMore(max: number): boolean {
    const { revision } = this.#filter;
    if (this.#written < this.#found.places.length) {
      if (revision === this.#revision) return true;
      this.#found = nothingFound; // packages that came may make the filter mean more
      this.#written = 0;
      this.#search = this.#beginSearch();
    }
    this.#revision = revision;
    const found = this.#search.step(Math.min(max, limits.streamBatchElements));
    if (found.length > 0) {
      this.#found = this.#elements.found(this.#isAmongInFlight ? found.map(amongInFlight) : found);
      this.#written = 0;
      return true;
    }
    if (this.#search.isAtEnd && !this.#goOnWithInFlight()) this.#ended = true;
    return false;
  }

  /** Of what was found so much as one may do before the next look at the time. */
  #writeFound(max: number, out: ElementWriter): number {
    const to = Math.min(this.#found.places.length, this.#written + max);
    return this.#wrote(this.#take ? this.#takeFound(to, this.#take) : this.#elements.write(this.#found, this.#written, to, out));
  }

  #wrote(count: number): number {
    this.#written += count;
    this.#position = this.#found.places[this.#written - 1]!;
    return count;
  }

  #takeFound(to: number, take: TakeContract): number {
    const { places } = this.#found;
    let index = this.#written;
    do {
      const place = places[index++]!;
      if (take.place) take.place(place);
      else {
        const { update, created } = this.#events.heldAt(place);
        take.parts(createdParts(update, created), place);
      }
    } while (index < to && !(take.parts && this.#context.turns.isOver));
    this.#events.rest();
    return index - this.#written;
  }

  #isOvertaken(): boolean {
    const gone = checkActiveNotPruned(this.#activeAt, this.#context.pruning.offset, this.#filter);
    if (!gone) return false;
    this.#failure = whileLogging(gone, { filters: filtersEntry(this.#filter.format) });
    this.#ended = true;
    return true;
  }

  async #readWithViews(max: number, out: ElementWriter): Promise<number> {
    const { turns, views } = this.#context;
    const most = Math.min(max, this.#viewReader.atOnce);
    while (!this.#findMore(most)) {
      if (this.#ended) return 0;
      if (turns.isOver) return this.#readLater(max, out);
    }
    const matches: TemplateMatch[] = [],
      wanted: WantedView[] = [],
      found = this.#found,
      to = Math.min(found.places.length, this.#written + most);
    let index = this.#written;
    do {
      const { update, created } = this.#events.at(found.places[index++]!),
        match = this.#elements.match(created),
        place = { offset: update.offset, nodeId: created.nodeId };
      matches.push(match);
      for (const interfaceId of match.views) wanted.push({ place, template: created.template, interfaceId });
    } while (index < to && !turns.isOver);
    this.#events.rest();
    const write = (): number => {
      if (this.#ended || this.#isOvertaken() || out.mayBegin?.() === false) return 0;
      this.#elements.writeWithViews(found, this.#written, matches, out);
      return this.#wrote(matches.length);
    };
    return views.whileComputed(wanted, write, this.#viewReader);
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
