/**
 * Removes history up to an offset, on request. First the pruning offset is made durable: from then on no reader gets anything
 * from before it. Then the records go, in commits of a bounded size, so that submissions and readers go on meanwhile; after a
 * crash the rest goes at the next start. Active contracts stay.
 */
import { Exclusive } from "../../base/exclusive.js";
import type { Log } from "../../base/log.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { isInSteps, type Steps } from "../../base/steps.js";
import { nextTurn, type Turns } from "../../base/turns.js";
import type { Tables } from "../../store/index.js";
import type { CommitGroup, Committer, LedgerEnd, RunSettlement, SteppedJob } from "../commit/index.js";
import type { LongestPeriod } from "../intake/index.js";
import {
  type Answer,
  type AskedOffset,
  invalidArgument,
  ledgerError,
  type LedgerErrorData,
  nonPositiveOffset,
  type Offset,
  type Outcome,
} from "../model/index.js";
import {
  clearAcceptances,
  type Clearing,
  clearOffsets,
  clearResidues,
  firstResidue,
  isReassigningAt,
  type ResidueSearch,
} from "./pruning-clear.js";
import { type ContractIndex, type PruningPoint, readPruningPoint, writePruningPoint } from "../records/index.js";

export interface PruningContext {
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly contracts: ContractIndex;
  /** Of what the tables get late. */
  readonly settlements: readonly Pick<RunSettlement<never>, "settleTo">[];
  readonly longestPeriod: LongestPeriod;
  readonly readerTurns: Turns;
  readonly log: Log;
}

export class Pruning {
  readonly #context: PruningContext;
  readonly #running = new Exclusive();
  #point: PruningPoint;

  constructor(context: PruningContext) {
    this.#context = context;
    this.#point = readPruningPoint(context.tables);
  }

  /** Nothing of updates and completions up to here is there for readers. */
  get offset(): Offset {
    return this.#point.offset;
  }

  /** Resolves when all is removed; for an offset that is pruned already, at once. */
  prune(asked: AskedOffset): Answer<void> {
    const problem = this.#problem(asked);
    return problem ? Promise.resolve(fail(problem)) : this.#running.run(() => this.#prune(Number(asked)));
  }

  /** Goes on with what a crash or a shutdown interrupted. */
  resume(): Answer<void> {
    return this.#running.run(() => this.#clear());
  }

  /** The last offset always stays: it is what the next one follows. */
  #problem(offset: AskedOffset): LedgerErrorData | undefined {
    if (offset <= 0) return offset < 0 ? nonPositiveOffset("prune_up_to", offset) : invalidArgument("prune_up_to not specified or zero");
    const { offset: end } = this.#context.ledgerEnd;
    if (offset < end && isReassigningAt(this.#context.tables, Number(offset)))
      return ledgerError(
        "UNSAFE_TO_PRUNE",
        `At offset ${offset} contracts are on their way between synchronizers; what is needed to assign them would be gone.`,
      );
    return offset < end
      ? undefined
      : ledgerError("OFFSET_OUT_OF_RANGE", `prune_up_to needs to be before ledger end ${end}, and is ${offset}`);
  }

  async #prune(offset: Offset): Answer<void> {
    if (offset > this.#point.offset) {
      await this.#letReadersCatchUp();
      const begun = await this.#advance(function* (group) {
        group.keepHistoryPoint();
        yield* group.keepHistoryPointAt(offset);
        return { offset, isComplete: false };
      });
      if (isFailure(begun)) return begun;
    }
    return this.#clear();
  }

  /**
   * An idle reader is only woken by what concerns it; its place must not look like one before the pruning offset. Where one turn is not
   * enough for all of them, this goes on behind those that gave way.
   */
  async #letReadersCatchUp(): Promise<void> {
    const { ledgerEnd, readerTurns } = this.#context;
    ledgerEnd.wakeAll();
    await nextTurn();
    await readerTurns.next();
  }

  async #clear(): Answer<void> {
    if (this.#point.isComplete) return ok(undefined);
    const { offset } = this.#point;
    for (const settlement of this.#context.settlements) {
      const settled = await settlement.settleTo(offset, { removes: true });
      if (isFailure(settled)) return settled;
    }
    const { contracts, longestPeriod } = this.#context,
      clearing = (group: CommitGroup): Clearing => ({ group, contracts, prunedTo: offset });
    while (this.#point.clearedTo < offset) {
      const { clearedTo } = this.#point;
      const cleared = await this.#advance(function* (group) {
        return { clearedTo: yield* clearOffsets(clearing(group), clearedTo) };
      });
      if (isFailure(cleared)) return cleared;
    }
    const rest = await this.#inParts<ResidueSearch>(firstResidue, (group, from) => clearResidues(clearing(group), from));
    if (isFailure(rest)) return rest;
    const acceptances = await this.#inParts(firstKey, (group, from) => clearAcceptances(group, from, offset, longestPeriod));
    if (isFailure(acceptances)) return acceptances;
    const completed = await this.#advance(() => ({ isComplete: true }));
    if (!isFailure(completed)) this.#context.log.info("pruned", { offset });
    return completed;
  }

  /** One commit after the other, until there is nowhere to go on. */
  async #inParts<From>(first: From, clear: (group: CommitGroup, from: From) => Steps<From | undefined>): Answer<void> {
    for (let from: From | undefined = first; from !== undefined;) {
      const start: From = from,
        cleared: Outcome<{ readonly next: From | undefined }> = await this.#commit(function* (group) {
          return { next: yield* clear(group, start) };
        });
      if (isFailure(cleared)) return cleared;
      from = cleared.ok.next;
    }
    return ok(undefined);
  }

  async #advance(change: SteppedJob<Partial<PruningPoint>>): Answer<void> {
    const before = this.#point;
    const advanced = await this.#commit(function* (group) {
      const changed = change(group),
        point = { ...before, ...(isInSteps(changed) ? yield* changed : changed) };
      writePruningPoint(group.batch, group.tables, group.writer, point);
      return point;
    });
    if (isFailure(advanced)) return advanced;
    this.#point = advanced.ok;
    this.#context.contracts.prunedTo(this.#point);
    return ok(undefined);
  }

  #commit<T extends object>(job: (group: CommitGroup) => Steps<T>): Answer<T> {
    return this.#context.committer.commitInSteps(job, { removes: true });
  }
}

const firstKey = "00";
