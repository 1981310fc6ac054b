/**
 * Indexes whose keys have no order get their entries late: these wait in memory until there are many, and then become one more run, part by
 * part, which takes fewer pages than one after the other. Until then the log, or a tail beside it, tells them too.
 */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { LedgerErrorData, Offset } from "../model/index.js";
import { bucketsFor, PieceWriter, type Run, type SortedEntries, type WaitingEntries, withBegun, withRun } from "../runs/index.js";
import type { CommitGroup } from "./commit-group.js";
import type { CommitOptions } from "./commit.js";
import type { LedgerEnd } from "./ledger-end.js";
import { type MergingSizes, type RunIndex, RunMerging, type RunMergingContext } from "./run-merging.js";

/** An index of which the latest entries wait. */
export interface LateIndex<V> extends RunIndex<V> {
  /** What waits, in words. */
  readonly what: string;
  readonly waiting: WaitingEntries<V>;
  /** When so many wait they are settled. */
  readonly waitingMax: number;
  /** What goes with each part besides, if anything. */
  besides?(group: CommitGroup): void;
  /** It is durable that runs have all up to here. */
  settledUpTo(offset: Offset): void;
}

export interface RunSettlementContext extends RunMergingContext {
  readonly ledgerEnd: Pick<LedgerEnd, "offset">;
}

/** What a run counts for beside its entries, so that also where runs are small, as the ledger is pruned often, they do not become many. */
const changesPerRun = ({ changesPerPiece, runsPerLevel }: MergingSizes): number => Math.ceil(changesPerPiece / runsPerLevel);

/** What waits, and the runs that there are: one of both is written at a time, so that whoever writes knows the list that is there. */
export class RunSettlement<V> {
  readonly #context: RunSettlementContext;
  readonly #index: LateIndex<V>;
  readonly #sizes: MergingSizes;
  readonly #one = new Exclusive();
  readonly #merging: RunMerging<V>;
  #isAside = false;

  constructor(context: RunSettlementContext, index: LateIndex<V>, sizes: MergingSizes) {
    this.#context = context;
    this.#index = index;
    this.#sizes = sizes;
    this.#merging = new RunMerging(context, index, sizes, this.#one);
  }

  get settledTo(): Offset {
    return this.#index.settledTo;
  }

  /** After so many changes: beside all else, where enough waits. */
  look(changes: number): void {
    this.#settleAside();
    this.#merging.goOn(changes);
  }

  #settleAside(): void {
    const { what, waiting, waitingMax } = this.#index;
    if (this.#isAside || waiting.size < waitingMax) return;
    this.#isAside = true;
    const failed = (error: string): void => this.#context.log.error(`${what} stay in memory for now`, { error });
    void this.#one
      .run(() => this.#settle())
      .then(
        (settled) => isFailure(settled) && failed(settled.error.cause),
        (error: unknown) => failed(String(error)),
      )
      .finally(() => (this.#isAside = false));
  }

  /** Resolves when runs have all up to an offset, at most the ledger end. */
  settleTo(offset: Offset, options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    return this.#one.run(async () => (offset <= this.settledTo ? ok(undefined) : this.#settle(options)));
  }

  /** So that the next start finds nothing to read. Where it cannot be written it is read then. */
  async close(): Promise<void> {
    await this.#merging.close();
    if (this.#index.waiting.size > 0) await this.settleTo(this.#context.ledgerEnd.offset);
  }

  /** Part by part, each a piece of the run: what a crash leaves of one that is not listed is removed some time. */
  async #settle(options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    const { committer, ledgerEnd } = this.#context,
      { offset: settledTo } = ledgerEnd,
      index = this.#index,
      { runs } = index,
      entries = index.waiting.sortedTo(settledTo),
      parts = this.#partsOf(entries.numbers.length);
    let run = this.#runFor(entries.bytes, parts, settledTo);
    for (let part = 0; part < parts; part++) {
      const before = runs.list,
        isLast = part === parts - 1;
      const written = await committer.commit((group) => {
        let list = before;
        if (run !== undefined) {
          if (part === 0) list = withBegun(list);
          run = this.#writePart(group, run, entries, part, parts);
          if (isLast) list = withRun(list, run);
        }
        if (isLast || list !== before) index.tell(group, isLast ? settledTo : index.settledTo, list);
        index.besides?.(group);
        return list;
      }, options);
      if (isFailure(written)) return written;
      if (written.ok !== before) runs.adopt(written.ok);
    }
    index.settledUpTo(settledTo);
    if (run !== undefined) this.#merging.goOn(changesPerRun(this.#sizes));
    return ok(undefined);
  }

  /** Gives the run as far as it is written then. */
  #writePart({ batch, writer }: CommitGroup, run: Run, entries: SortedEntries, part: number, parts: number): Run {
    const { runs, waiting } = this.#index,
      pieceWriter = new PieceWriter(run, part, writer);
    waiting.write(entries, part, parts, pieceWriter);
    const piece = pieceWriter.finish();
    for (const { part: place, record } of piece.records) batch.insert(runs.table, { run: run.number, part: place }, record);
    return { ...run, entries: run.entries + piece.entries, bytes: run.bytes + piece.bytes };
  }

  /**
   * There is one at least. Where more waits they are larger and not more of them: each is a commit, and as much may come with every commit
   * as a part holds.
   */
  #partsOf(entries: number): number {
    const perPart = Math.ceil(this.#index.waitingMax / limits.settlementParts);
    return Math.min(limits.settlementParts, Math.ceil(entries / perPart)) || 1;
  }

  /** Where nothing waits there is none. */
  #runFor(bytes: number, parts: number, to: Offset): Run | undefined {
    if (bytes === 0) return undefined;
    const bucketsPerPiece = bucketsFor(bytes / parts, this.#sizes.bucketBytes);
    return { number: this.#index.runs.list.next, buckets: bucketsPerPiece * parts, bucketsPerPiece, level: 0, to, entries: 0, bytes: 0 };
  }
}
