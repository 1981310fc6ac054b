/**
 * Removes history up to an offset, on request. First the pruning offset is made durable: from then on no reader gets anything
 * from before it. Then the records go, in commits of a bounded size, so that submissions and readers go on meanwhile; after a
 * crash the rest goes at the next start. Active contracts stay.
 */
import { Exclusive } from "../base/exclusive.js";
import type { Log } from "../base/log.js";
import { fail, type Result } from "../base/result.js";
import type { Tables } from "../store/index.js";
import { durable, type CommitGroup, type CommitJob, type Committer } from "./commit.js";
import { ledgerError, nonPositiveOffset } from "./errors.js";
import type { LedgerEnd } from "./ledger-end.js";
import type { LedgerErrorData, Offset } from "./model.js";
import { clearAcceptances, clearOffsets, clearResidues, firstResidue, type ResidueSearch } from "./pruning-clear.js";
import { readPruningPoint, writePruningPoint, type PruningPoint } from "./pruning-point.js";

export interface PruningContext { readonly tables: Tables; readonly committer: Committer; readonly ledgerEnd: LedgerEnd; readonly log: Log }

export class Pruning {
  readonly #context: PruningContext;
  readonly #running = new Exclusive();
  #point: PruningPoint;

  constructor(context: PruningContext) {
    this.#context = context;
    this.#point = readPruningPoint(context.tables);
  }

  /** Nothing of updates and completions up to here is there for readers. */
  get offset(): Offset { return this.#point.offset; }

  /** Resolves when all is removed; for an offset that is pruned already, at once. */
  prune(offset: Offset): Promise<Result<void, LedgerErrorData>> {
    const problem = this.#problem(offset);
    return problem ? Promise.resolve(fail(problem)) : this.#running.run(() => this.#prune(offset));
  }

  /** Goes on with what a crash or a shutdown interrupted. */
  resume(): Promise<Result<void, LedgerErrorData>> {
    return this.#running.run(() => durable(() => this.#clear()));
  }

  /** The last offset always stays: it is what the next one follows. */
  #problem(offset: Offset): LedgerErrorData | undefined {
    if (offset <= 0) return nonPositiveOffset("prune_up_to", offset);
    const { offset: end } = this.#context.ledgerEnd;
    return offset < end ? undefined : ledgerError("OFFSET_OUT_OF_RANGE", `prune_up_to (${offset}) needs to be before ledger end (${end})`);
  }

  async #prune(offset: Offset): Promise<Result<void, LedgerErrorData>> {
    return durable(async () => {
      if (offset > this.#point.offset) {
        await this.#letReadersCatchUp();
        await this.#advance(() => ({ offset, isComplete: false }));
      }
      await this.#clear();
    });
  }

  /** An idle reader is only woken by what concerns it; its place must not look like one before the pruning offset. */
  async #letReadersCatchUp(): Promise<void> {
    this.#context.ledgerEnd.wakeAll();
    await nextTurn();
  }

  async #clear(): Promise<void> {
    if (this.#point.isComplete) return;
    const { offset } = this.#point;
    while (this.#point.clearedTo < offset) await this.#advance((group) => ({ clearedTo: clearOffsets(group, this.#point.clearedTo, offset) }));
    for (let from: ResidueSearch | undefined = firstResidue; from !== undefined;) {
      const start: ResidueSearch = from;
      from = await this.#commit((group) => clearResidues(group, start, offset));
    }
    for (let from: string | undefined = firstKey; from !== undefined;) {
      const start: string = from;
      from = await this.#commit((group) => clearAcceptances(group, start, offset));
    }
    await this.#advance(() => ({ isComplete: true }));
    this.#context.log.info("pruned", { offset });
  }

  async #advance(change: (group: CommitGroup) => Partial<PruningPoint>): Promise<void> {
    this.#point = await this.#commit((group) => {
      const point = { ...this.#point, ...change(group) };
      writePruningPoint(group.batch, group.tables, group.writer, point);
      return point;
    });
  }

  #commit<T>(job: CommitJob<T>): Promise<T> { return this.#context.committer.commit(job); }
}

const firstKey = "00";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
