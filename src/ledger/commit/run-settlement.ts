/** Brings an index that is in runs up to what commits changed: what waits becomes one more run, part by part. */
import { Exclusive } from "../../base/exclusive.js";
import type { Result } from "../../base/result.js";
import type { LedgerErrorData, Offset } from "../model/index.js";
import { bucketsFor, entryBytes, PieceWriter, type Run, type RunList, withBegun, withRun } from "../runs/index.js";
import type { CommitGroup } from "./commit-group.js";
import type { CommitOptions } from "./commit.js";
import { type MergingSizes, type RunIndex, RunMerging, type RunMergingContext } from "./run-merging.js";
import { type LatePart, type LateTable, type Settled, Settlement, type SettlementContext } from "./settlement.js";

/** What waits for its run, by its key in hex, as `LateTable` has it. */
export interface Unsettled<W extends { readonly offset: Offset }, V> extends Pick<
  LateTable<W>,
  "what" | "waiting" | "waitingMax" | "besides" | "settled"
> {
  /** As runs have it. */
  valueOf(waiting: W): V;
}

/** Each part is a piece of the run. */
class LateRun<W extends { readonly offset: Offset }, V> implements LateTable<W> {
  readonly #unsettled: Unsettled<W, V>;
  readonly #index: RunIndex<V>;
  readonly #bucketBytes: number;
  /** Called when one is complete. */
  readonly #onRun: () => void;
  /** Under way, as far as it is written. */
  #run: Run | undefined;
  /** As the open commit leaves it. */
  #list: RunList;

  constructor(unsettled: Unsettled<W, V>, index: RunIndex<V>, { bucketBytes }: MergingSizes, onRun: () => void) {
    this.#onRun = onRun;
    this.#unsettled = unsettled;
    this.#index = index;
    this.#bucketBytes = bucketBytes;
    this.#list = index.runs.list;
  }

  get what(): string {
    return this.#unsettled.what;
  }
  get waiting(): ReadonlyMap<string, W> {
    return this.#unsettled.waiting;
  }
  get waitingMax(): number {
    return this.#unsettled.waitingMax;
  }
  get digitsFrom(): number {
    return 2 * this.#index.runs.kind.hashAt;
  }

  write(group: CommitGroup, part: LatePart<W>): void {
    if (part.index === 0) this.#begin(group, part);
    if (this.#run === undefined) return;
    const { kind, table } = this.#index.runs,
      { number } = this.#run,
      writer = new PieceWriter(this.#run, part.index, kind, group.writer);
    for (const { key, value } of part.entries) writer.write(key, this.#unsettled.valueOf(value));
    const { records, entries, bytes } = writer.finish();
    for (const { part: place, record } of records) group.batch.insert(table, { run: number, part: place }, record);
    this.#run = { ...this.#run, entries: this.#run.entries + entries, bytes: this.#run.bytes + bytes };
  }

  /** Where nothing waits there is no run. */
  #begin(group: CommitGroup, { of: parts, settledTo }: LatePart<W>): void {
    const { runs } = this.#index;
    let bytes = 0;
    for (const entries of parts) for (const { key, value } of entries) bytes += entryBytes(key, this.#unsettled.valueOf(value), runs.kind);
    this.#list = runs.list;
    this.#run = undefined;
    if (bytes === 0) return;
    const bucketsPerPiece = bucketsFor(bytes / parts.length, this.#bucketBytes),
      buckets = bucketsPerPiece * parts.length;
    this.#run = { number: runs.list.next, buckets, bucketsPerPiece, level: 0, to: settledTo, entries: 0, bytes: 0 };
    this.#list = withBegun(runs.list);
    this.#index.tell(group, this.#index.settledTo, this.#list);
  }

  besides(group: CommitGroup): void {
    this.#unsettled.besides?.(group);
  }

  writeSettledTo(group: CommitGroup, offset: Offset): void {
    if (this.#run !== undefined) this.#list = withRun(this.#list, this.#run);
    this.#index.tell(group, offset, this.#list);
  }

  written(): void {
    const { runs } = this.#index,
      before = runs.list.runs.length;
    if (runs.list === this.#list) return;
    runs.adopt(this.#list);
    if (this.#list.runs.length > before) this.#onRun();
  }

  settled(entries: Iterable<Settled<W>>, settledTo: Offset): void {
    this.#unsettled.settled(entries, settledTo);
  }
}

/** What a run counts for beside its entries, so that also where runs are small, as the ledger is pruned often, they do not become many. */
const changesPerRun = ({ changesPerPiece, runsPerLevel }: MergingSizes): number => Math.ceil(changesPerPiece / runsPerLevel);

/** What waits, and the runs that there are: one of both is written at a time, so that whoever writes knows the list that is there. */
export class RunSettlement<W extends { readonly offset: Offset }, V> {
  readonly #settlement: Settlement<W>;
  readonly #merging: RunMerging<V>;

  constructor(context: SettlementContext & RunMergingContext, unsettled: Unsettled<W, V>, index: RunIndex<V>, sizes: MergingSizes) {
    const one = new Exclusive(),
      late = new LateRun(unsettled, index, sizes, () => this.#merging.goOn(changesPerRun(sizes)));
    this.#settlement = new Settlement(context, late, index.settledTo, one);
    this.#merging = new RunMerging(context, index, sizes, one);
  }

  get settledTo(): Offset {
    return this.#settlement.settledTo;
  }

  /** After so many changes. */
  look(changes: number): void {
    this.#settlement.look();
    this.#merging.goOn(changes);
  }

  settleTo(offset: Offset, options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    return this.#settlement.settleTo(offset, options);
  }

  async close(): Promise<void> {
    await this.#merging.close();
    await this.#settlement.close();
  }
}
