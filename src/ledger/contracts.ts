/**
 * Active contracts at an offset, in the order of their creation.
 *
 * Active at n = active now and created at or before n, and archived after n and created at or before n. Both indexes are in
 * the order of creation; a contract that is archived while a cursor runs moves from one to the other, so each read looks
 * at both again and needs no long snapshot.
 */
import type { Cursor, ElementWriter } from "../base/element-writer.js";
import { assert } from "../base/assert.js";
import { damaged } from "../base/damage.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import { placeText, type EventPlace } from "../store/index.js";
import { archivedLater } from "./archive-marks.js";
import { ContinuationTokens, tokenChars } from "./continuation-tokens.js";
import { negativeOffset, offsetAfterLedgerEnd, prunedDataAccessed } from "./errors.js";
import { anyTemplate, EventFilter, parseEventFormat, checkNames, type IndexRange, type TemplateMatch } from "./filters.js";
import type { EventFormatRequest, Traced } from "./ledger.js";
import type { LedgerErrorData, Offset } from "./model.js";
import { filtersEntry, whileLogging, type LogValue } from "./request-log.js";
import type { EventMarks, UpdateMarks } from "./update-marks.js";
import { templatesIn } from "./update-scan.js";
import type { ReadContext } from "./updates.js";

export const comparePlaces = (a: EventPlace, b: EventPlace): number => a.offset - b.offset || a.nodeId - b.nodeId;

/** In order, each once, none behind `last`. */
function mergePlaces(places: EventPlace[], last: EventPlace | undefined): EventPlace[] {
  const merged: EventPlace[] = [];
  for (const place of places.sort(comparePlaces)) {
    if (last && comparePlaces(place, last) > 0) break;
    const before = merged[merged.length - 1];
    if (!before || comparePlaces(before, place) !== 0) merged.push(place);
  }
  return merged;
}

/** Events are in the order of their node ids. */
export function eventAt(update: UpdateMarks, nodeId: number): EventMarks {
  const { events } = update;
  let low = 0, high = events.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle]!.nodeId < nodeId) low = middle + 1;
    else high = middle;
  }
  const event = events[low];
  if (event?.nodeId !== nodeId) throw damaged(placeText("updates", { offset: update.offset }), `node ${nodeId} is missing in the update`);
  return event;
}

export interface ActiveContractsRequest extends Traced { readonly activeAtOffset: Offset; readonly format: EventFormatRequest; readonly continuationToken?: Uint8Array }

const elementHead = Buffer.from(`{"workflowId":"`), createdHead = Buffer.from(`","contractEntry":{"JsActiveContract":{"createdEvent":`);
/** Most contracts are of no workflow. */
const headWithoutWorkflow = Buffer.concat([elementHead, createdHead]);
const elementEnd = `"}`;

/** At the ledger's begin nothing is active, so nothing of it can be gone. */
const checkNotPruned = (activeAt: Offset, pruned: Offset): LedgerErrorData | undefined =>
  activeAt > 0 && activeAt < pruned ? prunedDataAccessed(`active_at_offset (${activeAt})`, pruned) : undefined;

const offsetProblem = (activeAt: Offset, { ledgerEnd, pruning }: ReadContext): LedgerErrorData | undefined =>
  activeAt > ledgerEnd.offset ? offsetAfterLedgerEnd("active_at_offset", activeAt, ledgerEnd.offset) : checkNotPruned(activeAt, pruning.offset);

export class ActiveContractsCursor implements Cursor<LedgerErrorData> {
  readonly #context: ReadContext;
  readonly #filter: EventFilter;
  readonly #activeAt: Offset;
  readonly #tokens: ContinuationTokens | undefined;
  /** What follows the created event; the continuation token in it changes with every element. */
  readonly #tail: Buffer;
  #position: EventPlace;
  #ended = false;
  #failure: LedgerErrorData | undefined;
  #loaded: UpdateMarks | undefined;

  constructor(context: ReadContext, filter: EventFilter, activeAt: Offset, from: EventPlace, tokens: ContinuationTokens | undefined) {
    this.#context = context;
    this.#filter = filter;
    this.#activeAt = activeAt;
    this.#position = from;
    this.#tokens = tokens;
    this.#tail = Buffer.from(`,"synchronizerId":${JSON.stringify(context.synchronizerId)},"reassignmentCounter":0}},"streamContinuationToken":"${tokens?.blank ?? ""}${elementEnd}`);
  }

  static open(context: ReadContext, key: Buffer, request: ActiveContractsRequest): Result<ActiveContractsCursor, LedgerErrorData> {
    const resolved = ActiveContractsCursor.check(context, request);
    if (isFailure(resolved)) return resolved;
    const tokens = new ContinuationTokens(key, [request.activeAtOffset, request.format]);
    const from = request.continuationToken?.length ? tokens.read(request.continuationToken) : ok({ offset: 0, nodeId: 0 });
    return isFailure(from) ? from : ok(new ActiveContractsCursor(context, resolved.ok, request.activeAtOffset, from.ok, tokens));
  }

  /** Formats are parsed before the offset is looked at; names are looked up after. `logged`: what is known of the request beside its format. */
  static check(context: ReadContext, request: ActiveContractsRequest, logged: Readonly<Record<string, LogValue>> = {}): Result<EventFilter, LedgerErrorData> {
    const format = parseEventFormat(request.format);
    if (isFailure(format)) return format;
    if (request.activeAtOffset < 0) return fail(negativeOffset("active_at_offset", request.activeAtOffset));
    const problem = offsetProblem(request.activeAtOffset, context) ?? checkNames(format.ok, context.packages);
    return problem ? fail(whileLogging(problem, { ...logged, filters: filtersEntry(format.ok) })) : ok(new EventFilter(format.ok, context, request.traceId));
  }

  get ended(): boolean { return this.#ended; }
  get failure(): LedgerErrorData | undefined { return this.#failure; }
  /** Up to here contracts were written or looked for. */
  get position(): EventPlace { return this.#position; }

  /** When many searches in a row find nothing, lets others run in between. */
  read(max: number, out: ElementWriter): number | Promise<number> {
    assert(max > 0, "a read asks for something");
    if (this.#isOvertaken()) return 0;
    for (let searches = 0; searches < limits.streamEmptyBatchesMax; searches++) {
      const { places, searchedTo } = this.#search(Math.min(max, limits.streamBatchElements));
      if (places.length > 0) return this.#writeAll(places, searchedTo, out);
      if (searchedTo === undefined) { this.#ended = true; return 0; }
      this.#position = searchedTo;
    }
    return nextTurn().then(() => this.read(max, out));
  }

  #writeAll(places: readonly EventPlace[], searchedTo: EventPlace | undefined, out: ElementWriter): number | Promise<number> {
    if (this.#filter.wantsViews) return this.#writeWithViews(places, searchedTo, out);
    for (const place of places) this.#write(place, out);
    if (searchedTo) this.#position = searchedTo;
    return places.length;
  }

  #isOvertaken(): boolean {
    const gone = checkNotPruned(this.#activeAt, this.#context.pruning.offset);
    if (!gone) return false;
    this.#failure = whileLogging(gone, { filters: filtersEntry(this.#filter.format) });
    this.#ended = true;
    return true;
  }

  /** The next places after the position; all of them are wanted, since the indexes are by party and template. `searchedTo`: behind it there may be more. */
  #search(limit: number): { readonly places: readonly EventPlace[]; readonly searchedTo: EventPlace | undefined } {
    const { tables } = this.#context, activeAt = this.#activeAt, from = { offset: this.#position.offset, nodeId: this.#position.offset === 0 ? 0 : this.#position.nodeId + 1 };
    const found: EventPlace[] = [], active = this.#ranges("active");
    // Behind the last of a range that was cut there may be more of it, so nothing behind that is certain yet.
    let certain: EventPlace | undefined;
    const cut = (at: EventPlace | undefined): void => { if (at && (!certain || comparePlaces(at, certain) < 0)) certain = at; };
    for (const range of active) {
      const keys = tables.active.keys({ start: { ...range, ...from }, end: { ...range, offset: activeAt + 1, nodeId: 0 }, limit });
      for (const key of keys) found.push(key);
      if (keys.length === limit) cut(keys[keys.length - 1]);
    }
    const ofActive = found.length;
    for (const range of this.#ranges("archived")) {
      const { places, searchedTo } = archivedLater(tables, { range, from, activeAt, limit, entriesMax: limits.archivedSearchMax });
      for (const place of places) found.push(place);
      cut(searchedTo);
    }
    const places = active.length === 1 && found.length === ofActive && (!certain || ofActive === 0 || comparePlaces(found[ofActive - 1]!, certain) <= 0) ? found : mergePlaces(found, certain);
    if (places.length <= limit) return { places, searchedTo: certain };
    return { places: places.slice(0, limit), searchedTo: places[limit - 1] };
  }

  #ranges(index: "active" | "archived"): readonly IndexRange[] {
    return this.#filter.ranges().flatMap((range) => (range.template === anyTemplate ? templatesIn(this.#context.tables[index], range.party).map((template) => ({ ...range, template })) : [range]));
  }

  /** Huge updates are not kept by the log, but their contracts follow one another. */
  #load(offset: Offset): UpdateMarks {
    if (this.#loaded?.offset !== offset) this.#loaded = this.#context.log.get(offset);
    return this.#loaded;
  }

  #match(event: EventMarks): TemplateMatch {
    const match = this.#filter.match(event.template, event.stakeholders);
    assert(match, "the index holds what the filter asks for");
    return match;
  }

  async #writeWithViews(places: readonly EventPlace[], searchedTo: EventPlace | undefined, out: ElementWriter): Promise<number> {
    const matched = places.map((place) => {
      const event = eventAt(this.#load(place.offset), place.nodeId);
      return { place, event, match: this.#match(event) };
    });
    const wanted = matched.flatMap(({ place, event: { template }, match }) => match.views.map((interfaceId) => ({ place, template, interfaceId })));
    return this.#context.views.whileComputed(wanted, () => {
      if (this.#isOvertaken()) return 0;
      for (const { place, match } of matched) this.#write(place, out, match);
      if (searchedTo) this.#position = searchedTo;
      return places.length;
    });
  }

  /** `known`: what was asked of it when its views were computed; packages may have come since. */
  #write(place: EventPlace, out: ElementWriter, known?: TemplateMatch): void {
    const update = this.#load(place.offset), event = eventAt(update, place.nodeId);
    out.begin();
    this.#writeHead(update, out);
    this.#context.projection.writeCreatedObject(out, update, event, known ?? this.#match(event), this.#filter);
    this.#tokens?.write(place, this.#tail, this.#tail.length - elementEnd.length - tokenChars);
    out.bytes(this.#tail);
    out.end();
    this.#position = { offset: place.offset, nodeId: place.nodeId };
  }

  #writeHead(update: UpdateMarks, out: ElementWriter): void {
    const { workflowIdStart: from, workflowIdEnd: to } = update;
    if (from === to) { out.bytes(headWithoutWorkflow); return; }
    out.bytes(elementHead);
    out.run(update.bytes, from, to);
    out.bytes(createdHead);
  }

  wait(): Promise<void> { return Promise.resolve(); }
  close(): void { this.#ended = true; this.#loaded = undefined; }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
