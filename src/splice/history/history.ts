/** The history of the ledger as Scan tells it: events with their verdicts, and the updates that the DSO sees. */
import { assert } from "../../base/assert.js";
import { GrowingBytes } from "../../base/growing-bytes.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import { whileWanted, type Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { EventFormatRequest, LedgerErrorData, Offset, Participant, Party, SubmissionOutcome } from "../../ledger/index.js";
import { longText, readInSteps } from "../elements.js";
import { instantProblem, parseInstant } from "../instants.js";
import type { Network } from "../network.js";
import { pageSizeProblem } from "../page-size.js";
import { PrintedTexts, type PrintedText, type PrintingPlace } from "../printed/index.js";
import { type Answer, type Refusal, identifierProblem, invalid, notFound, refuse } from "../refusal.js";
import { migrationId } from "../snapshot-query.js";
import type { ValueTypes } from "../values/value-types.js";
import { Positions, TransactionText, type Encoding } from "./event-text.js";
import { anyPartyFormat, effectsAndMoves, partyFormat, updateIn, updateTextPages } from "./reading.js";
import { RecordedSpans, synchronizerOf } from "./recorded-spans.js";
import { ReassignmentText, reassignmentText, type ReassignmentItem } from "./reassignment.js";
import { SignedTransactions } from "./signed-transactions.js";
import { seenBy, writeUpdate, type UpdateItem, type UpdateWriting } from "./update.js";
import { offsetOfId, outcomeId, writeVerdict, type Verdict } from "./verdict.js";

export interface EventItem {
  readonly update: UpdateItem | ReassignmentItem | null;
  readonly verdict: Verdict | null;
  readonly traffic_summary: TrafficSummary | null;
  /** Nobody counts the activity of apps here. */
  readonly app_activity_records: AppActivityRecords | null;
}

export interface TrafficSummary {
  readonly total_traffic_cost: number;
  readonly envelope_traffic_summaries: readonly { readonly traffic_cost: number; readonly view_ids: readonly number[] }[];
}

export interface AppActivityRecords {
  readonly round_number: number;
  readonly records: readonly { readonly party: Party; readonly weight: number }[];
}

export interface HistoryQuery {
  readonly after: { readonly migrationId: number; readonly recordTime: string } | undefined;
  readonly pageSize: number;
  readonly encoding: Encoding;
}

/** The newest updates of a synchronizer before a time: as who copies a history goes back in it. */
export interface UpdatesBeforeQuery {
  readonly migrationId: number;
  readonly synchronizer: string;
  /** Exclusive. */
  readonly before: string;
  /** Inclusive. */
  readonly atOrAfter: string | undefined;
  readonly count: number;
}

export interface MigrationInfo {
  /** Left out, like the next one: this network never began anew. */
  readonly previous_migration_id?: number;
  readonly last_import_update_id?: string;
  readonly record_time_range: readonly { readonly synchronizer_id: string; readonly min: string; readonly max: string }[];
  readonly complete: boolean;
  readonly import_updates_complete: boolean;
}

type Ledger = Pick<
  Participant,
  | "openUpdates"
  | "readUpdate"
  | "readUpdateAs"
  | "readOutcomes"
  | "offsetAt"
  | "ledgerEnd"
  | "prunedOffsets"
  | "waitBehind"
  | "participantId"
  | "synchronizerId"
  | "allSynchronizers"
>;

/** `release`: once they were copied. */
export interface EventsPage {
  readonly texts: readonly Buffer[];
  release?(): void;
}

export interface HistoryContext {
  readonly ledger: Ledger;
  readonly network: Network;
  readonly types: ValueTypes;
  readonly turns: Turns;
  /** Undefined: events are printed for who asks, every time. */
  readonly printing?: PrintingPlace | undefined;
}

/** Traffic costs nothing here. */
const noTraffic = JSON.stringify({ total_traffic_cost: 0, envelope_traffic_summaries: [] } satisfies TrafficSummary);

type UpdateText = TransactionText | ReassignmentText;
/** False: the DSO sees nothing of it. */
function* write(out: GrowingBytes, update: UpdateText, writing: UpdateWriting): Steps<boolean> {
  if (!(update instanceof ReassignmentText)) return yield* writeUpdate(out, update, writing);
  const text = reassignmentText(update, writing);
  if (text !== undefined) out.text(text);
  return text !== undefined;
}

type UpdatePlace = { readonly updateId: string } | { readonly offset: Offset };
interface Asked extends Pick<UpdateWriting, "dso" | "encoding" | "showsHash" | "form"> {
  /** Left out: whoever asked waits for all of it. */
  readonly wanted?: AbortSignal;
}

export class History {
  readonly #context: HistoryContext;
  readonly #signed: SignedTransactions;
  readonly #spans: RecordedSpans;
  readonly #printed: PrintedTexts | undefined;

  constructor(context: HistoryContext) {
    const { ledger, turns, printing } = context;
    this.#context = context;
    this.#signed = new SignedTransactions(context);
    this.#spans = new RecordedSpans(context);
    this.#printed = printing && new PrintedTexts({ ...printing, ledger, turns, print: (...asked) => this.#printSpan(...asked) });
  }

  /** Goes on with what is printed ahead, where somebody wanted that before. */
  async resume(): Promise<void> {
    await this.#printed?.resume();
  }
  async close(): Promise<void> {
    await this.#printed?.close();
  }

  /** Up to here events are printed ahead. */
  get printedOffset(): Offset {
    return this.#printed?.offset ?? 0;
  }

  /** JSON texts of `EventItem`s in UTF-8, each of one or of several with commas between them. */
  async events(query: HistoryQuery): Answer<EventsPage> {
    const begin = this.#begin(query);
    if (isFailure(begin)) return begin;
    if (begin.ok === undefined) return ok({ texts: [] });
    const dso = await this.#dso(),
      { encoding, pageSize } = query;
    const printed = dso === undefined || encoding !== "compact_json" ? undefined : await this.#printed?.page(begin.ok, dso, pageSize);
    if (printed) return ok(printed);
    const texts = await this.#printNow({ after: begin.ok, pageSize }, { encoding, dso });
    return isFailure(texts) ? texts : ok({ texts: texts.ok });
  }

  async #printSpan(
    { after, to }: { readonly after: Offset; readonly to: Offset },
    dso: Party,
    wanted: AbortSignal,
  ): Answer<readonly PrintedText[]> {
    const found = this.#context.ledger.readOutcomes({ beginExclusive: after, endInclusive: to, limit: to - after });
    if (isFailure(found)) return internal(found.error);
    return this.#itemsOf(found.ok, { encoding: "compact_json", dso, wanted });
  }

  /** A few at a time: others come between. */
  async #printNow(
    { after, pageSize }: { readonly after: Offset; readonly pageSize: number },
    how: Pick<Asked, "dso" | "encoding">,
  ): Answer<readonly Buffer[]> {
    const all: Buffer[] = [];
    for (let beginExclusive = after; all.length < pageSize;) {
      const limit = Math.min(pageSize - all.length, limits.scanPrintedStepOffsets),
        outcomes = this.#context.ledger.readOutcomes({ beginExclusive, limit });
      if (isFailure(outcomes)) return internal(outcomes.error);
      const last = outcomes.ok.at(-1);
      if (!last) break;
      const items = await this.#itemsOf(outcomes.ok, how);
      if (isFailure(items)) return items;
      all.push(...items.ok.map(({ text }) => text));
      beginExclusive = last.offset;
    }
    return ok(all);
  }

  /** JSON in UTF-8, as that of an update is. */
  async event(updateId: string, encoding: Encoding): Answer<Buffer> {
    const outcome = this.#outcomeAt(offsetOfId(updateId), updateId) ?? (await this.#outcomeElsewhere(updateId));
    const items = outcome && (await this.#itemsOf([outcome], { encoding, dso: await this.#dso() }));
    if (items && isFailure(items)) return items;
    const [item] = items?.ok ?? [];
    return item ? ok(item.text) : notFound(`Event with id ${updateId} not found`);
  }

  /**
   * JSON texts of `UpdateItem`s and `ReassignmentItem`s in UTF-8. As many as are asked for, however long they are: clients take a page with
   * fewer for the last.
   */
  async updates(query: HistoryQuery & Pick<UpdateWriting, "form">): Answer<readonly Buffer[]> {
    const begin = this.#begin(query);
    if (isFailure(begin)) return begin;
    const dso = await this.#dso();
    if (dso === undefined || begin.ok === undefined) return ok([]);
    const { pageSize, encoding, form } = query,
      texts: Buffer[] = [];
    const span = {
      format: partyFormat({ [dso]: everything }),
      after: begin.ok,
      to: this.#context.ledger.ledgerEnd(),
      pageSize: Math.min(pageSize, limits.scanPrintedStepOffsets),
    };
    let left = pageSize;
    for await (const some of updateTextPages(this.#context, span)) {
      if (isFailure(some)) return internal(some.error);
      texts.push(...(await this.#updateTexts(some.ok.slice(0, left), { dso, encoding, form })));
      left -= some.ok.length;
      if (left <= 0) break;
    }
    return ok(texts);
  }

  /** The same, the newest first and losslessly. */
  async updatesBefore(query: UpdatesBeforeQuery): Answer<readonly Buffer[]> {
    const { synchronizer, count } = query;
    const problem = identifierProblem(synchronizer) ?? pageSizeProblem(count);
    if (problem) return problem;
    const to = this.#offsetBefore(query.before),
      after = query.atOrAfter === undefined ? ok(0) : this.#offsetBefore(query.atOrAfter);
    if (isFailure(to)) return to;
    if (isFailure(after)) return after;
    const dso = await this.#dso();
    if (dso === undefined || query.migrationId !== migrationId) return ok([]);
    const spans = await this.#spans.of(dso);
    if (isFailure(spans)) return internal(spans.error);
    const here = spans.ok.get(synchronizer);
    if (!here) return ok([]);
    const span = {
        format: partyFormat({ [dso]: everything }),
        after: Math.max(after.ok, here.first.offset - 1),
        to: Math.min(to.ok, here.last.offset),
        descending: true,
        pageSize: count,
      },
      found: UpdateText[] = [];
    for await (const page of updateTextPages(this.#context, span)) {
      if (isFailure(page)) return internal(page.error);
      found.push(...page.ok.filter((update) => synchronizerOf(update) === synchronizer).slice(0, count - found.length));
      if (found.length === count) break;
    }
    return ok(await this.#updateTexts(found, { dso, encoding: "protobuf_json", form: "withOffset" }));
  }

  /** Contracts that a network brought along when it began anew: never one. */
  importUpdates(count: number): Result<readonly Buffer[], Refusal> {
    return pageSizeProblem(count) ?? ok([]);
  }

  /** How far the updates that the DSO sees go. */
  async migrationInfo(migration: number): Answer<MigrationInfo> {
    const dso = await this.#dso(),
      none = notFound(`No data for migration ${migration}`);
    if (dso === undefined || migration !== migrationId) return none;
    const spans = await this.#spans.of(dso);
    if (isFailure(spans)) return internal(spans.error);
    const ranges = [...spans.ok].map(([synchronizer_id, { first, last }]) => ({
      synchronizer_id,
      min: first.recordTime,
      max: last.recordTime,
    }));
    return ranges.length === 0 ? none : ok({ record_time_range: ranges, complete: true, import_updates_complete: true });
  }

  async update(updateId: string, writing: Pick<UpdateWriting, "encoding" | "form">): Answer<Buffer> {
    const item = await this.#updateBy({ updateId }, writing);
    return item === undefined ? notFound(`Transaction with id ${updateId} not found`) : ok(item);
  }

  /** Of a transaction that was signed, by the hash that was. */
  async updateByHash(hash: string, encoding: Encoding): Answer<Buffer> {
    const offset = await this.#signed.offsetOf(hash.toLowerCase());
    if (isFailure(offset)) return internal(offset.error);
    const item = offset.ok === undefined ? undefined : await this.#updateBy({ offset: offset.ok }, { encoding, showsHash: true });
    return item === undefined ? notFound(`Transaction with hash ${hash} not found`) : ok(item);
  }

  async #updateBy(by: UpdatePlace, writing: Pick<UpdateWriting, "encoding" | "showsHash" | "form">): Promise<Buffer | undefined> {
    const dso = await this.#dso();
    if (dso === undefined) return undefined;
    const update = await this.#read(by, partyFormat({ [dso]: everything }));
    if (update === undefined) return undefined;
    return this.#whileTyped([update], { ...writing, dso }, function* (typed) {
      const out = new GrowingBytes();
      return (yield* write(out, update, typed)) ? out.view() : undefined;
    });
  }

  /** Undefined: there is none, or none that Scan tells of. */
  async #read(by: UpdatePlace, format: EventFormatRequest): Promise<UpdateText | undefined> {
    const { ledger, turns } = this.#context,
      read = await ledger.readUpdateAs("update", { by, format: effectsAndMoves(format), form: "update" });
    if (isFailure(read)) return undefined;
    const reading = function* (): Steps<UpdateText | undefined> {
      return yield* updateIn(yield* longText(read.ok));
    };
    return turns.through(reading());
  }

  /** The offset behind which the page begins; undefined: behind all there is. */
  #begin({ after, pageSize }: HistoryQuery): Result<Offset | undefined, Refusal> {
    const time = after && parseInstant(after.recordTime);
    if (after && time === undefined) return noTime(after.recordTime);
    const problem = pageSizeProblem(pageSize);
    if (problem) return problem;
    const { ledger } = this.#context,
      pruned = ledger.prunedOffsets().participantPrunedUpToInclusive;
    if (!after || after.migrationId < migrationId) return ok(pruned);
    return ok(after.migrationId > migrationId ? undefined : (ledger.offsetAt(time!) ?? pruned));
  }

  /** The last offset that was recorded before a time; 0 where that was pruned. */
  #offsetBefore(recordTime: string): Result<Offset, Refusal> {
    const time = parseInstant(recordTime);
    return time === undefined ? noTime(recordTime) : ok(this.#context.ledger.offsetAt(time - 1n) ?? 0);
  }

  /** Of an update whose id tells another participant's offset. */
  async #outcomeElsewhere(updateId: string): Promise<SubmissionOutcome | undefined> {
    const update = await this.#read({ updateId }, anyPartyFormat(everything));
    return this.#outcomeAt(update?.offset, updateId);
  }

  #outcomeAt(offset: Offset | undefined, updateId: string): SubmissionOutcome | undefined {
    const { ledger } = this.#context;
    if (offset === undefined || offset <= ledger.prunedOffsets().participantPrunedUpToInclusive || offset > ledger.ledgerEnd())
      return undefined;
    const found = ledger.readOutcomes({ beginExclusive: offset - 1, limit: 1 });
    const outcome = isFailure(found) ? undefined : found.ok[0];
    return outcome && outcomeId(outcome) === updateId ? outcome : undefined;
  }

  /** Reassignments have no verdicts: one that the DSO does not see is no event. */
  async #itemsOf(outcomes: readonly SubmissionOutcome[], how: Pick<Asked, "dso" | "encoding" | "wanted">): Answer<readonly PrintedText[]> {
    const [first] = outcomes,
      last = outcomes.at(-1);
    if (!first || !last) return ok([]);
    const read = await this.#updatesIn(first.offset - 1, last.offset, how.wanted);
    if (isFailure(read)) return internal(read.error);
    const byOffset = new Map(read.ok.map((update) => [update.offset, update]));
    const { synchronizerId } = this.#context.ledger;
    const printing = function* (writing: UpdateWriting): Steps<readonly PrintedText[]> {
      const items: PrintedText[] = [],
        out = new GrowingBytes();
      for (const outcome of outcomes) {
        yield;
        const { offset } = outcome;
        out.clear();
        if (yield* writeItem(out, { outcome, update: byOffset.get(offset), synchronizerId }, writing))
          items.push({ offset, text: Buffer.from(out.view()) });
      }
      return items;
    };
    return ok(await this.#whileTyped(read.ok, how, printing));
  }

  #updateTexts(updates: readonly UpdateText[], how: Asked): Promise<readonly Buffer[]> {
    return this.#whileTyped(updates, how, function* (writing) {
      const texts: Buffer[] = [],
        out = new GrowingBytes();
      for (const update of updates) {
        out.clear();
        if (yield* write(out, update, writing)) texts.push(Buffer.from(out.view()));
        yield;
      }
      return texts;
    });
  }

  async #whileTyped<T>(updates: readonly UpdateText[], how: Asked, writeAll: (writing: UpdateWriting) => Steps<T>): Promise<T> {
    const { types, turns } = this.#context,
      positions = new Positions();
    const looking = function* (): Steps<void> {
      for (const update of updates) {
        for (const event of seenBy(how.dso, update)) {
          positions.of(event);
          yield;
        }
      }
    };
    await turns.through(whileWanted(looking(), how.wanted));
    return types.through(positions.all, whileWanted(writeAll({ ...how, types, positions }), how.wanted));
  }

  /** Whoever sees them. */
  #updatesIn(after: Offset, to: Offset, wanted: AbortSignal | undefined): Promise<Result<readonly UpdateText[], LedgerErrorData>> {
    const { ledger, turns } = this.#context;
    const opened = ledger.openUpdates({
      beginExclusive: after,
      endInclusive: to,
      format: effectsAndMoves(anyPartyFormat(everything)),
      form: "update",
      descending: false,
    });
    return readInSteps(opened, { max: Infinity, turns, wanted }, updateIn);
  }

  /** Without a network nobody sees a thing, but there are verdicts. */
  async #dso(): Promise<Party | undefined> {
    return (await this.#context.network.dso()).ok;
  }
}

interface Item {
  readonly outcome: SubmissionOutcome;
  readonly update: UpdateText | undefined;
  /** Of where none is told. */
  readonly synchronizerId: string;
}

/** The JSON text of an `EventItem`; false: it is none. */
function* writeItem(out: GrowingBytes, { outcome, update, synchronizerId }: Item, writing: UpdateWriting): Steps<boolean> {
  assert(update === undefined || outcome.updateId !== "", "what was rejected is no update");
  out.text(`{"update":`);
  const isSeen = update !== undefined && (yield* write(out, update, writing));
  if (update instanceof ReassignmentText) {
    out.text(`,"verdict":null,"traffic_summary":null,"app_activity_records":null}`);
    return isSeen;
  }
  out.text(`${isSeen ? "" : "null"},"verdict":`);
  yield* writeVerdict(out, outcome, update, synchronizerId);
  out.text(`,"traffic_summary":${noTraffic},"app_activity_records":null}`);
  return true;
}

const everything = { cumulative: [] };
const noTime = (text: string): { readonly error: Refusal } => invalid(`Invalid timestamp: ${instantProblem(text)}`);
/** What was there a moment ago is pruned. */
const internal = ({ cause }: LedgerErrorData): { readonly error: Refusal } => refuse("internal", cause);
