/**
 * Indexes whose keys have no order get their entries late: these wait in memory until there are many, and then become one more run, part by
 * part, which takes fewer pages than one after the other. Until then the log, or a tail beside it, tells them too. Parts are spread over
 * what comes meanwhile, so that no command waits for more than one of them.
 */
import { stackOf } from "../../base/error-text.js";
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Answer, Offset } from "../model/index.js";
import {
  bucketsFor,
  PieceWriter,
  type Run,
  type RunList,
  type SortedEntries,
  type WaitingEntries,
  withBegun,
  withRun,
} from "../runs/index.js";
import type { CommitGroup } from "./commit-group.js";
import type { CommitJob, CommitOptions, Committer } from "./commit.js";
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
  readonly committer: Pick<Committer, "commit" | "commitPlain">;
  readonly ledgerEnd: Pick<LedgerEnd, "offset">;
}

/** What a run counts for beside its entries, so that also where runs are small, as the ledger is pruned often, they do not become many. */
const changesPerRun = ({ changesPerPiece, runsPerLevel }: MergingSizes): number => Math.ceil(changesPerPiece / runsPerLevel);

/** When the next part is due: after so many changes, or where hardly any come some time later, or at once when somebody waits for the last. */
class Pace {
  readonly #changesPerPart: number;
  #left: number;
  #isHurried = false;
  #isDue: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(changesPerPart: number) {
    this.#changesPerPart = this.#left = changesPerPart;
  }

  came(changes: number): void {
    this.#left -= changes;
    this.#look();
  }
  get isHurried(): boolean {
    return this.#isHurried;
  }
  hurry(): void {
    this.#isHurried = true;
    this.#look();
  }
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#isDue = resolve;
      this.#timer = setTimeout(this.#goOn, limits.settlementPartWaitMs).unref();
      this.#look();
    });
  }

  #look(): void {
    if (this.#isDue !== undefined && (this.#left <= 0 || this.#isHurried)) this.#goOn();
  }
  readonly #goOn = (): void => {
    clearTimeout(this.#timer);
    this.#left += this.#changesPerPart;
    this.#isDue!();
    this.#isDue = undefined;
  };
}

interface Settling {
  readonly options?: CommitOptions | undefined;
  readonly pace?: Pace | undefined;
}

/** What becomes one run. */
interface Settlement {
  readonly entries: SortedEntries;
  readonly parts: number;
  /** All that waits up to here. */
  readonly settledTo: Offset;
  /** As far as it is written; it gets its number with the first part. */
  run: Run | undefined;
}

/** What waits, and the runs that there are: a part of one of both is written at a time, so that whoever writes knows the list that is there. */
export class RunSettlement<V> {
  readonly #context: RunSettlementContext;
  readonly #index: LateIndex<V>;
  readonly #sizes: MergingSizes;
  readonly #one = new Exclusive();
  readonly #settling = new Exclusive();
  readonly #merging: RunMerging<V>;
  /** Of the settlement that goes on beside all else. */
  #pace: Pace | undefined;
  /** The number of the run that is being written. */
  #underWay: number | undefined;

  constructor(context: RunSettlementContext, index: LateIndex<V>, sizes: MergingSizes) {
    this.#context = context;
    this.#index = index;
    this.#sizes = sizes;
    this.#merging = new RunMerging(context, index, sizes, { one: this.#one, underWay: () => this.#underWay });
  }

  get settledTo(): Offset {
    return this.#index.settledTo;
  }

  /** After so many changes: beside all else, where enough waits. */
  look(changes: number): void {
    this.#pace?.came(changes);
    this.#settleAside();
    this.#merging.goOn(changes);
  }

  #settleAside(): void {
    const { what, waiting, waitingMax } = this.#index;
    if (this.#pace !== undefined || waiting.size < waitingMax) return;
    // Done when half as many changes came as are settled.
    const pace = (this.#pace = new Pace(Math.ceil(waitingMax / limits.settlementParts / 2)));
    const failed = (error: string): void => this.#context.log.error(`${what} stay in memory for now`, { error });
    void this.#settling
      .run(() => this.#settle({ pace }))
      .then(
        (settled) => isFailure(settled) && failed(settled.error.cause),
        (error: unknown) => failed(stackOf(error)),
      )
      .finally(() => (this.#pace = undefined));
  }

  /** Resolves when runs have all up to an offset, at most the ledger end. */
  settleTo(offset: Offset, options?: CommitOptions): Answer<void> {
    this.#pace?.hurry();
    return this.#settling.run(async () => (offset <= this.settledTo ? ok(undefined) : this.#settle({ options })));
  }

  /** So that the next start finds nothing to read. Where it cannot be written it is read then. */
  async close(): Promise<void> {
    await this.#merging.close();
    if (this.#index.waiting.size > 0) await this.settleTo(this.#context.ledgerEnd.offset);
  }

  /** Part by part, each a piece of the run: what a crash leaves of one that is not listed is removed some time. */
  async #settle({ options, pace }: Settling): Answer<void> {
    const settlement = this.#settlementTo(this.#context.ledgerEnd.offset);
    try {
      for (let part = 0; part < settlement.parts; part++) {
        if (part > 0) await pace?.next();
        const written = await this.#one.run(() => this.#commitPart(settlement, part, { options, pace }));
        if (isFailure(written)) return written;
      }
    } finally {
      this.#underWay = undefined;
    }
    this.#index.settledUpTo(settlement.settledTo);
    if (settlement.run !== undefined) this.#merging.goOn(changesPerRun(this.#sizes));
    return ok(undefined);
  }

  #settlementTo(settledTo: Offset): Settlement {
    const entries = this.#index.waiting.sortedTo(settledTo);
    return { entries, parts: this.#partsOf(entries.numbers.length), settledTo, run: undefined };
  }

  /** What it looks at has been in the file since before, so that commands need not wait until that has it. */
  async #commitPart(settlement: Settlement, part: number, { options, pace }: Settling): Answer<void> {
    if (part === 0) this.#underWay = (settlement.run = this.#runFor(settlement))?.number;
    const { committer } = this.#context,
      { runs } = this.#index,
      before = runs.list,
      job: CommitJob<RunList> = (group) => this.#listWith(group, before, settlement, part);
    const written = await (options === undefined
      ? committer.commitPlain(job, { isToldEarly: false, isPatient: pace?.isHurried === false })
      : committer.commit(job, options));
    if (isFailure(written)) return written;
    if (written.ok !== before) runs.adopt(written.ok);
    return ok(undefined);
  }

  /** Writes the part; gives the list as it is with it. */
  #listWith(group: CommitGroup, before: RunList, settlement: Settlement, part: number): RunList {
    const index = this.#index,
      { parts, settledTo } = settlement,
      isLast = part === parts - 1;
    let list = before;
    if (settlement.run !== undefined) {
      if (part === 0) list = withBegun(list);
      settlement.run = this.#writePart(group, settlement.run, settlement, part);
      if (isLast) list = withRun(list, settlement.run);
    }
    if (isLast || list !== before) index.tell(group, isLast ? settledTo : index.settledTo, list);
    index.besides?.(group);
    return list;
  }

  /** Gives the run as far as it is written then. */
  #writePart({ batch, writer }: CommitGroup, run: Run, { entries, parts }: Settlement, part: number): Run {
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
  #runFor({ entries: { bytes }, parts, settledTo: to }: Settlement): Run | undefined {
    if (bytes === 0) return undefined;
    const bucketsPerPiece = bucketsFor(bytes / parts, this.#sizes.bucketBytes);
    return { number: this.#index.runs.list.next, buckets: bucketsPerPiece * parts, bucketsPerPiece, level: 0, to, entries: 0, bytes: 0 };
  }
}
