/** Streams of updates: a cursor over offsets, bounded or open-ended, in either direction. */
import type { Cursor, ElementWriter } from "../base/element-writer.js";
import { assert } from "../base/assert.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import type { Turns } from "../base/turns.js";
import { limits } from "../config.js";
import type { Tables } from "../store/index.js";
import { CheckpointSchedule } from "./checkpoints.js";
import { ledgerError, negativeOffset, nonPositiveOffset, offsetAfterLedgerEnd, prunedDataAccessed } from "./errors.js";
import { anyParty, EventFilter, type FilterContext, type IndexRange } from "./filters.js";
import { instantText } from "./instant.js";
import type { Concerned, LedgerEnd } from "./ledger-end.js";
import type { Traced, UpdateElementForm, UpdateFormatRequest } from "./ledger.js";
import type { LedgerErrorData, Offset, Party, TransactionShape } from "./model.js";
import { whileLogging } from "./request-log.js";
import { selectEvents, wantedViews, type Projection, type Selection, type TransactionForm } from "./projection.js";
import type { UpdateLog } from "./update-log.js";
import { topologyKind, type UpdateMarks } from "./update-marks.js";
import { scanOffsets, topologyRange } from "./update-scan.js";
import type { InterfaceViews } from "./views.js";

export interface ReadContext extends FilterContext {
  readonly tables: Tables;
  readonly log: UpdateLog;
  readonly ledgerEnd: LedgerEnd;
  readonly projection: Projection;
  readonly views: InterfaceViews;
  readonly synchronizerId: string;
  /** Nothing of updates and completions up to here can be read; it moves while readers read. */
  readonly pruning: { readonly offset: Offset };
  readonly turns: Turns;
}

/** An update format with its names resolved. Reassignments do not happen on one synchronizer; their filters are checked all the same. */
export interface ResolvedUpdateFormat {
  readonly transactions: { readonly filter: EventFilter; readonly shape: TransactionShape } | undefined;
  /** Undefined: no topology updates. Empty: those of all parties. */
  readonly topologyParties: readonly Party[] | undefined;
}

export function resolveUpdateFormat(request: UpdateFormatRequest, context: FilterContext, traceId?: string): Result<ResolvedUpdateFormat, LedgerErrorData> {
  const transactions = request.includeTransactions && EventFilter.resolve(request.includeTransactions.eventFormat, context, traceId);
  if (transactions && isFailure(transactions)) return transactions;
  const reassignments = request.includeReassignments && EventFilter.resolve(request.includeReassignments, context);
  if (reassignments && isFailure(reassignments)) return reassignments;
  return ok({
    transactions: transactions && { filter: transactions.ok, shape: request.includeTransactions!.shape },
    topologyParties: request.includeTopologyEvents?.parties,
  });
}

export interface UpdateRange { readonly beginExclusive: Offset; readonly endInclusive: Offset | undefined; readonly descending: boolean }

/** In the order of Canton's `UpdateServiceRequestValidator`. */
export function checkRange(range: UpdateRange, ledgerEnd: Offset, pruned: Offset): LedgerErrorData | undefined {
  const { beginExclusive, endInclusive } = range;
  if (beginExclusive < 0) return negativeOffset("begin_exclusive", beginExclusive);
  if (endInclusive !== undefined && endInclusive <= 0) return nonPositiveOffset("end_inclusive", endInclusive);
  if (range.descending && endInclusive === undefined) return ledgerError("DESCENDING_ORDER_MISSING_END", "Updates in descending order need end_inclusive.");
  if (beginExclusive > ledgerEnd) return offsetAfterLedgerEnd("Begin", beginExclusive, ledgerEnd);
  if (endInclusive !== undefined && endInclusive > ledgerEnd) return offsetAfterLedgerEnd("End", endInclusive, ledgerEnd);
  if (endInclusive !== undefined && endInclusive < beginExclusive) return ledgerError("OFFSET_OUT_OF_RANGE", `End offset ${endInclusive} is before begin offset ${beginExclusive}.`);
  return checkNotPruned("updates", { from: beginExclusive, to: endInclusive ?? ledgerEnd }, pruned);
}

/** A range without offsets asks for nothing that could be gone. */
export function checkNotPruned(what: string, asked: { readonly from: Offset; readonly to: Offset }, pruned: Offset): LedgerErrorData | undefined {
  return asked.from < pruned && asked.from < asked.to ? prunedDataAccessed(`The begin (${asked.from}) of the ${what} asked for`, pruned) : undefined;
}

export interface UpdatesRequest extends UpdateRange, Traced { readonly format: UpdateFormatRequest; readonly form: UpdateElementForm }

const elementForms: Readonly<Record<UpdateElementForm, TransactionForm>> = { update: "element", flat: "element", tree: "treeElement" };

export class UpdatesCursor implements Cursor<LedgerErrorData> {
  readonly #context: ReadContext;
  readonly #format: ResolvedUpdateFormat;
  readonly #form: TransactionForm;
  readonly #range: UpdateRange;
  readonly #checkpoints: CheckpointSchedule | undefined;
  /** Ascending: everything up to here was read. Descending: everything from here on was read. */
  #position: Offset;
  #lastElement: Offset = 0;
  #ended = false;
  #failure: LedgerErrorData | undefined;

  constructor(context: ReadContext, range: UpdateRange, format: ResolvedUpdateFormat, form: UpdateElementForm, now: () => number = Date.now) {
    this.#context = context;
    this.#range = range;
    this.#format = format;
    this.#form = elementForms[form];
    this.#position = range.descending ? range.endInclusive! + 1 : range.beginExclusive;
    this.#checkpoints = range.endInclusive === undefined ? new CheckpointSchedule(now) : undefined;
  }

  static open(context: ReadContext, request: UpdatesRequest): Result<Cursor<LedgerErrorData>, LedgerErrorData> {
    const format = resolveUpdateFormat(request.format, context, request.traceId);
    const problem = checkRange(request, context.ledgerEnd.offset, context.pruning.offset);
    // Formats are parsed before offsets are looked at; names are looked up after.
    if (isFailure(format) && !(problem && isNameProblem(format.error))) return fail(whileLogging(format.error));
    if (problem) return fail(whileLogging(problem));
    return isFailure(format) ? fail(whileLogging(format.error)) : ok(new UpdatesCursor(context, request, format.ok, request.form));
  }

  get ended(): boolean { return this.#ended; }
  get failure(): LedgerErrorData | undefined { return this.#failure; }
  /** The offset of the last element written. */
  get lastElement(): Offset { return this.#lastElement; }

  read(max: number, out: ElementWriter): number | Promise<number> {
    assert(max > 0, "a read asks for something");
    if (this.#isOvertaken()) return 0;
    return this.#format.transactions?.filter.wantsViews ? this.#readWithViews(max, out) : this.#read(max, out);
  }

  /** Whether what is still to be read was pruned meanwhile. */
  #isOvertaken(): boolean {
    if (this.#ended) return false;
    const { descending, beginExclusive, endInclusive } = this.#range;
    const left = descending ? { from: beginExclusive, to: this.#position - 1 } : { from: this.#position, to: endInclusive ?? this.#context.ledgerEnd.offset };
    const gone = checkNotPruned("updates", left, this.#context.pruning.offset);
    if (!gone) return false;
    this.#failure = whileLogging(gone);
    this.#ended = true;
    return true;
  }

  /** Looks through bounded batches; when many in a row hold nothing for the reader, lets others run in between. */
  #read(max: number, out: ElementWriter): number | Promise<number> {
    for (let batches = 0; batches < limits.streamEmptyBatchesMax; batches++) {
      const { offsets, complete, searchedTo } = this.#scan(max);
      const written = this.#writeBatch(offsets, out);
      this.#searched(searchedTo, complete);
      if (written > 0) return written;
      if (complete) return this.#caughtUp(out);
    }
    return nextTurn().then(() => this.read(max, out));
  }

  #scan(max: number): { readonly offsets: readonly Offset[]; readonly complete: boolean; readonly searchedTo: Offset } {
    const { descending, beginExclusive, endInclusive } = this.#range;
    const ledgerEnd = this.#context.ledgerEnd.offset;
    const span = descending
      ? { fromExclusive: beginExclusive, toInclusive: this.#position - 1, descending }
      : { fromExclusive: this.#position, toInclusive: Math.min(endInclusive ?? ledgerEnd, ledgerEnd), descending };
    const { offsets, complete } = scanOffsets(this.#context.tables, this.#ranges(), span, Math.min(max, limits.streamBatchElements));
    const last = offsets[offsets.length - 1];
    const searchedTo = !complete && last !== undefined ? last : descending ? beginExclusive + 1 : Math.max(span.toInclusive, this.#position);
    return { offsets, complete, searchedTo };
  }

  #ranges(): readonly IndexRange[] {
    const events = this.#format.transactions?.filter.ranges() ?? [];
    const { topologyParties } = this.#format;
    return topologyParties ? [...events, ...this.#topologyNumbers(topologyParties).map(topologyRange)] : events;
  }

  /** Whose commits are worth a look. New parties wake everyone, so those still unknown can be left out. */
  #concern(): Concerned {
    const readers = this.#format.transactions?.filter.readers ?? noReaders, { topologyParties } = this.#format;
    return topologyParties ? new Set([...readers, ...this.#topologyNumbers(topologyParties)]) : readers;
  }

  #topologyNumbers(parties: readonly Party[]): readonly number[] {
    if (parties.length === 0) return [anyParty];
    return parties.map((party) => this.#context.parties.get(party)?.number).filter((number) => number !== undefined);
  }

  #searched(to: Offset, complete: boolean): void {
    this.#position = to;
    if (complete && this.#range.endInclusive !== undefined) this.#ended = true;
  }

  #writeBatch(offsets: readonly Offset[], out: ElementWriter): number {
    let written = 0;
    for (const offset of offsets) {
      const update = this.#context.log.get(offset);
      if (this.#write(update, update.kind === topologyKind ? undefined : this.#select(update), out)) written++;
    }
    return written;
  }

  #select(update: UpdateMarks): Selection | undefined {
    const { transactions } = this.#format;
    return transactions && selectEvents(update, transactions.filter, transactions.shape);
  }

  #write(update: UpdateMarks, selection: Selection | undefined, out: ElementWriter): boolean {
    const isWanted = update.kind === topologyKind ? this.#wantsTopology(update) : selection !== undefined;
    if (!isWanted) return false;
    this.#lastElement = update.offset;
    if (update.kind === topologyKind) {
      out.begin();
      out.bytes(update.bytes.subarray(update.start, update.end));
      out.end();
      return true;
    }
    const { filter, shape } = this.#format.transactions!;
    this.#context.projection.writeTransaction(out, update, selection, filter, shape, this.#form);
    return true;
  }

  #wantsTopology(update: UpdateMarks): boolean {
    const { topologyParties } = this.#format;
    if (!topologyParties) return false;
    return topologyParties.length === 0 || topologyParties.some((party) => { const number = this.#context.parties.get(party)?.number; return number !== undefined && update.submitters.includes(number); });
  }

  async #readWithViews(max: number, out: ElementWriter): Promise<number> {
    for (;;) {
      const { offsets, complete, searchedTo } = this.#scan(max);
      const updates = offsets.map((offset) => {
        const update = this.#context.log.get(offset);
        return { update, selection: update.kind === topologyKind ? undefined : this.#select(update) };
      });
      const wanted = updates.flatMap(({ update, selection }) => (selection ? wantedViews(update, selection) : []));
      const written = await this.#context.views.whileComputed(wanted, () => (this.#isOvertaken() ? undefined : this.#writeSelected(updates, out)));
      if (written === undefined) return 0;
      this.#searched(searchedTo, complete);
      if (written > 0) return written;
      if (complete) return this.#caughtUp(out);
    }
  }

  #writeSelected(updates: readonly { readonly update: UpdateMarks; readonly selection: Selection | undefined }[], out: ElementWriter): number {
    let written = 0;
    for (const { update, selection } of updates) if (this.#write(update, selection, out)) written++;
    return written;
  }

  #caughtUp(out: ElementWriter): number {
    const { ledgerEnd } = this.#context;
    if (this.#position !== ledgerEnd.offset || !this.#checkpoints?.take(this.#position)) return 0;
    writeCheckpoint(out, "update", this.#position, ledgerEnd.recordTime, this.#context.synchronizerId);
    return 1;
  }

  wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return this.#context.ledgerEnd.waitBehind(this.#position, this.#concern(), Math.min(timeoutMs, this.#checkpoints?.dueInMs ?? timeoutMs), signal);
  }

  close(): void { this.#ended = true; }
}

const nameCodes: readonly string[] = ["PACKAGE_NAMES_NOT_FOUND", "NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME", "NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME"];
export const isNameProblem = (error: LedgerErrorData): boolean => nameCodes.includes(error.code);

const noReaders: ReadonlySet<number> = new Set();

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function writeCheckpoint(out: ElementWriter, wrapper: "update" | "completionResponse", offset: Offset, recordTime: bigint, synchronizerId: string): void {
  out.begin();
  out.text(`{"${wrapper}":{"OffsetCheckpoint":{"value":{"offset":${offset},"synchronizerTimes":[{"synchronizerId":${JSON.stringify(synchronizerId)},"recordTime":"${instantText(recordTime)}"}]}}}}`);
  out.end();
}
