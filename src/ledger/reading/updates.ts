/** Streams of updates: a cursor over offsets, bounded or open-ended, in either direction. */
import type { Cursor, ElementWriter } from "../../base/element-writer.js";
import { assert } from "../../base/assert.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { CheckpointSchedule } from "./checkpoints.js";
import { type LedgerErrorData, type Offset, type Outcome, whileLogging } from "../model/index.js";
import type { EventFilter } from "./filters.js";
import { anyParty, type IndexRange, reassignmentKind, reassignmentTemplate, topologyKind, type UpdateMarks } from "../records/index.js";
import type { Concerned } from "../commit/index.js";
import type { UpdateElementForm } from "./formats.js";
import { hasManyEvents, writtenInTurns } from "./large-transactions.js";
import type { MergedRanges } from "./merged-ranges.js";
import { NumberedParties } from "../parties/index.js";
import type { TransactionForm } from "./projection.js";
import { checkNotPruned } from "./pruned.js";
import type { ReadContext } from "./read-context.js";
import { getsAsStored, selectEvents, selectReassigned, type Selection, wantedViews } from "./selection.js";
import type { LogReader } from "./update-log.js";
import {
  asksForNothing,
  offsetsProblem,
  rangeOf,
  type ResolvedUpdateFormat,
  resolveGivenFormat,
  spanProblem,
  type UpdateRange,
  type UpdatesRequest,
} from "./update-request.js";
import { offsetsIn, topologyRange } from "./update-scan.js";
import type { UpdateKind } from "./update-kinds.js";
import { ViewReader } from "./view-reader.js";
import type { WantedView } from "./views.js";

const elementForms: Readonly<Record<UpdateElementForm, TransactionForm>> = { update: "element", flat: "element", tree: "treeElement" };

interface Search {
  /** Of the packages when it began. */
  readonly revision: number;
  readonly offsets: MergedRanges<Offset>;
  /** Where everything of it was looked at. */
  readonly lastOffset: Offset;
}

/** An update that the reader gets, with what of it. */
interface Selected {
  readonly update: UpdateMarks;
  readonly selection: Selection | undefined;
}

/** Updates that are looked at between two looks at the time; a large one counts as several. */
const workPerLook = 16,
  workBytes = 4_096;

const noReaders: ReadonlySet<number> = new Set();

export class UpdatesCursor implements Cursor<LedgerErrorData> {
  readonly #context: ReadContext;
  readonly #format: ResolvedUpdateFormat;
  readonly #form: TransactionForm;
  readonly #range: UpdateRange;
  readonly #checkpoints: CheckpointSchedule | undefined;
  readonly #topology: NumberedParties | undefined;
  readonly #viewReader = new ViewReader();
  /** Of the search: who is as far as the ledger reads with others what comes. */
  #records: LogReader;
  /** Ascending: everything up to here was read. Descending: everything from here on was read. */
  #position: Offset;
  /** Offsets behind the position that are to be looked at, and how many were. */
  #found: readonly Offset[] = [];
  #looked = 0;
  #search: Search | undefined;
  /** Of a transaction with many events that comes next, behind the position: it is read once it is its turn, as many may wait with it. */
  #large: Offset | undefined;
  #lastElement: Offset = 0;
  #ended = false;
  #failure: LedgerErrorData | undefined;
  /** That was asked about last in this turn, and whether the reader gets what is of it. */
  #kind: UpdateKind | undefined;
  #getsKind = false;

  constructor(context: ReadContext, range: UpdateRange, format: ResolvedUpdateFormat, form: UpdateElementForm) {
    this.#context = context;
    this.#records = context.log.reader();
    this.#range = range;
    this.#format = format;
    this.#form = elementForms[form];
    this.#position = range.descending ? range.endInclusive! + 1 : range.beginExclusive;
    this.#checkpoints = range.endInclusive === undefined ? new CheckpointSchedule() : undefined;
    this.#topology = format.topologyParties && new NumberedParties(format.topologyParties, context.parties);
  }

  static open(context: ReadContext, request: UpdatesRequest): Outcome<Cursor<LedgerErrorData>> {
    const ledgerEnd = context.ledgerEnd.offset,
      misplaced = offsetsProblem(request, ledgerEnd);
    if (misplaced) return fail(whileLogging(misplaced));
    const format = resolveGivenFormat(request.format, context, request.traceId);
    if (isFailure(format)) return fail(whileLogging(format.error));
    const range = rangeOf(request),
      cursor = new UpdatesCursor(context, range, format.ok, request.form),
      problem = spanProblem(range) ?? cursor.#gone();
    return problem ? fail(whileLogging(problem)) : ok(cursor);
  }

  get ended(): boolean {
    return this.#ended;
  }
  get failure(): LedgerErrorData | undefined {
    return this.#failure;
  }
  /** The offset of the last element written. */
  get lastElement(): Offset {
    return this.#lastElement;
  }

  /** Gives way where the turn is over, also while nothing is found. */
  read(max: number, out: ElementWriter): number | Promise<number> {
    assert(max > 0, "a read asks for something");
    return this.#context.turns.isOver ? this.#readLater(max, out) : this.#readNow(max, out);
  }

  #readNow(max: number, out: ElementWriter): number | Promise<number> {
    if (this.#isOvertaken()) return 0;
    if (this.#large !== undefined) return this.#writeLarge(this.#large, max, out);
    const { transactions, reassignments } = this.#format;
    return transactions?.filter.wantsViews || reassignments?.wantsViews ? this.#readWithViews(max, out) : this.#read(max, out);
  }

  async #readLater(max: number, out: ElementWriter): Promise<number> {
    await this.#context.turns.next();
    return this.#ended || out.mayBegin?.() === false ? 0 : this.#readNow(max, out);
  }

  /** Of what is still to be read. */
  #gone(): LedgerErrorData | undefined {
    const { descending, beginExclusive, endInclusive } = this.#range;
    const left = descending
      ? { from: beginExclusive, to: this.#position - 1 }
      : { from: this.#position, to: endInclusive ?? this.#context.ledgerEnd.offset };
    const gone = checkNotPruned("updates", left, this.#context.pruning.offset);
    return gone && asksForNothing(this.#format) ? undefined : gone;
  }

  /** Whether what is still to be read was pruned meanwhile. */
  #isOvertaken(): boolean {
    if (this.#ended) return false;
    const gone = this.#gone();
    if (!gone) return false;
    this.#failure = whileLogging(gone);
    this.#ended = true;
    return true;
  }

  #read(max: number, out: ElementWriter): number | Promise<number> {
    const { turns } = this.#context;
    let written = 0;
    do {
      if (this.#findMore(max)) written += this.#writeFound(max - written, out);
      else if (this.#endSearch()) return written > 0 ? written : this.#caughtUp(out);
      if (written === max) return written;
      if (this.#large !== undefined) return written > 0 ? written : this.#writeLarge(this.#large, max, out);
    } while (!turns.isOver);
    return written > 0 ? written : this.#readLater(max, out);
  }

  #isLarge(update: UpdateMarks): boolean {
    return hasManyEvents(update) && this.#format.transactions !== undefined;
  }

  async #writeLarge(offset: Offset, max: number, out: ElementWriter): Promise<number> {
    const { plain, withViews } = this.#context.largeElements,
      line = this.#format.transactions!.filter.wantsViews ? withViews : plain,
      isWritten = await line.run(() => this.#writeInTurns(offset, out));
    if (isWritten === undefined) return 0;
    this.#large = undefined;
    this.#position = offset;
    if (!isWritten) return this.#readLater(max, out);
    this.#lastElement = offset;
    return 1;
  }

  /** It is an element once all of it is there. Undefined: its reader left, was overtaken, or finds no memory for it now. */
  async #writeInTurns(offset: Offset, out: ElementWriter): Promise<boolean | undefined> {
    const { log, turns } = this.#context,
      isOver = (): boolean => this.#ended || this.#isOvertaken() || out.mayBegin?.() === false;
    if (isOver()) return undefined;
    const written = await writtenInTurns(this.#context, turns, {
      update: log.held(log.get(offset)),
      asked: this.#format.transactions!,
      form: this.#form,
      viewReader: this.#viewReader,
      isUnwanted: () => this.#ended,
    });
    if (isOver()) return undefined;
    if (written === undefined) return false;
    out.begin();
    out.bytes(written);
    out.end();
    return true;
  }

  /** Whether there are offsets to be looked at; none, when one step of the search found none. */
  #findMore(max: number): boolean {
    const { revision } = this.#context.packages;
    if (this.#search?.revision !== revision) this.#search = this.#beginSearch(revision); // packages that came may make the filter mean more
    if (this.#looked === this.#found.length) {
      this.#found = this.#search.offsets.step(Math.min(max, limits.streamBatchElements));
      this.#looked = 0;
    }
    return this.#looked < this.#found.length;
  }

  /** Of what was found so much as one may do before the next look at the time. */
  #writeFound(max: number, out: ElementWriter): number {
    const { log } = this.#context,
      found = this.#found;
    this.#kind = undefined;
    let written = 0,
      work = 0;
    for (; work < workPerLook && written < max && this.#looked < found.length; work++) {
      const offset = found[this.#looked++]!,
        record = this.#records.get(offset),
        { bytes, text, textEnd, kind } = record;
      if (kind !== undefined && this.#gets(kind)) {
        out.begin();
        out.run(bytes, text, textEnd);
        out.end();
        written++;
        this.#lastElement = offset;
      } else {
        const update = log.marksOf(record);
        if (this.#isLarge(update)) {
          this.#large = offset;
          break;
        }
        if (this.#write(update, this.#select(update), out)) written++;
      }
      if (this.#records.isPassing) out.settle();
      work += Math.floor((textEnd - text) / workBytes);
      this.#position = offset;
    }
    out.settle();
    return written;
  }

  /** Whether the reader gets transactions of a kind as they are stored. What the filter means does not change within a turn. */
  #gets(kind: UpdateKind): boolean {
    if (kind === this.#kind) return this.#getsKind;
    const { transactions } = this.#format;
    this.#kind = kind;
    return (this.#getsKind = this.#form === "element" && transactions !== undefined && getsAsStored(kind, transactions));
  }

  #beginSearch(revision: number): Search {
    const { descending, beginExclusive, endInclusive } = this.#range;
    const ledgerEnd = this.#context.ledgerEnd.offset;
    const span = descending
      ? { fromExclusive: beginExclusive, toInclusive: this.#position - 1, descending }
      : { fromExclusive: this.#position, toInclusive: Math.min(endInclusive ?? ledgerEnd, ledgerEnd), descending };
    this.#found = [];
    this.#looked = 0;
    this.#records = this.#context.log.reader();
    return {
      revision,
      offsets: offsetsIn(this.#context, this.#ranges(), span),
      lastOffset: descending ? beginExclusive + 1 : span.toInclusive,
    };
  }

  /** All of it was found and looked at. */
  #isSearched(): boolean {
    return this.#search?.offsets.isAtEnd === true && this.#looked === this.#found.length;
  }

  #endSearch(): boolean {
    const search = this.#search;
    if (search === undefined || !this.#isSearched()) return false;
    this.#search = undefined;
    this.#position = this.#range.descending ? search.lastOffset : Math.max(search.lastOffset, this.#position);
    if (this.#range.endInclusive !== undefined) this.#ended = true;
    return true;
  }

  #ranges(): readonly IndexRange[] {
    const { transactions, reassignments } = this.#format,
      events = transactions?.filter.ranges() ?? [];
    if (!reassignments && !this.#topology) return events;
    return [...events, ...reassignmentRanges(reassignments), ...[...(this.#topology?.numbers ?? [])].map(topologyRange)];
  }

  /** Whose commits are worth a look. New parties wake everyone, so those still unknown can be left out. */
  #concern(): Concerned {
    const { transactions, reassignments } = this.#format;
    const readers = transactions?.filter.readers ?? noReaders,
      others = [reassignments?.readers ?? noReaders, this.#topology?.numbers ?? noReaders];
    if (others.reduce((size, { size: more }) => size + more, readers.size) > limits.concernedPartiesMax) return "all";
    return others.some(({ size }) => size > 0) ? new Set([...readers, ...others.flatMap((parties) => [...parties])]) : readers;
  }

  #select(update: UpdateMarks): Selection | undefined {
    const { transactions, reassignments } = this.#format;
    if (update.kind === reassignmentKind) return reassignments && selectReassigned(update, reassignments);
    return update.kind === topologyKind ? undefined : transactions && selectEvents(update, transactions);
  }

  #isWanted(update: UpdateMarks, selection: Selection | undefined): boolean {
    return update.kind === topologyKind ? this.#topology?.hasOneOf(update.submitters) === true : selection !== undefined;
  }

  #write(update: UpdateMarks, selection: Selection | undefined, out: ElementWriter): boolean {
    if (!this.#isWanted(update, selection)) return false;
    this.#lastElement = update.offset;
    if (update.kind === topologyKind) {
      out.begin();
      out.bytes(update.bytes.subarray(update.start, update.end));
      out.end();
      return true;
    }
    if (update.kind === reassignmentKind) {
      this.#context.projection.writeReassignment(out, update, selection, this.#format.reassignments!, "element");
      return true;
    }
    this.#context.projection.writeTransaction(out, update, selection, this.#format.transactions!, this.#form);
    return true;
  }

  async #readWithViews(max: number, out: ElementWriter): Promise<number> {
    const { views, turns, log } = this.#context,
      selected: Selected[] = [],
      wanted: WantedView[] = [];
    let position = this.#position,
      isAll = false;
    do {
      if (!this.#findMore(max)) {
        if ((isAll = this.#isSearched())) break;
        continue;
      }
      const found = log.marksOf(this.#records.get(this.#found[this.#looked++]!));
      if (this.#isLarge(found)) {
        this.#large = found.offset;
        break;
      }
      const update = log.held(found); // until its views are computed
      position = update.offset;
      const selection = this.#select(update);
      if (!this.#isWanted(update, selection)) continue;
      selected.push({ update, selection });
      if (selection) wanted.push(...wantedViews(update, selection));
    } while (selected.length < max && wanted.length < this.#viewReader.atOnce && !turns.isOver);
    const written =
      selected.length === 0 ? 0 : await views.whileComputed(wanted, () => this.#writeSelected(selected, out), this.#viewReader);
    if (written === undefined) {
      this.#search = this.#large = undefined; // what was found is looked for again, where it may be written later
      return 0;
    }
    this.#position = position;
    if (written > 0) return written;
    if (this.#large !== undefined) return this.#writeLarge(this.#large, max, out);
    return isAll && this.#endSearch() ? this.#caughtUp(out) : this.#readLater(max, out);
  }

  /** Undefined where nothing may be written any more. */
  #writeSelected(selected: readonly Selected[], out: ElementWriter): number | undefined {
    if (this.#ended || this.#isOvertaken() || out.mayBegin?.() === false) return undefined;
    for (const { update, selection } of selected) this.#write(update, selection, out);
    out.settle();
    return selected.length;
  }

  #caughtUp(out: ElementWriter): number {
    return this.#checkpoints?.writeDue(out, "update", this.#position, this.#context) ?? 0;
  }

  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return this.#context.ledgerEnd.waitBehind(
      this.#position,
      this.#concern(),
      Math.min(timeoutMs, this.#checkpoints?.dueInMs ?? timeoutMs),
      signal,
    );
  }

  close(): void {
    this.#ended = true;
  }
}

/** By party alone: there are far fewer reassignments than templates to ask for. */
function reassignmentRanges(filter: EventFilter | undefined): readonly IndexRange[] {
  if (filter === undefined) return [];
  const parties = filter.readers.has(anyParty) ? [anyParty] : [...filter.readers];
  return parties.map((party) => ({ party, template: reassignmentTemplate }));
}
