/**
 * Which commands were accepted lately, by change id. Change ids have no order that commits have: an entry in a table of them costs each
 * command a page of its own. A completion tells the same, so the latest acceptances are held here until there are many of them, and then
 * become a run (`ledger/runs`). Behind an offset in the file, `settledTo`, a start reads them from the completions again.
 */
import type { Log } from "../../base/log.js";
import type { Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { offsetMax, RecordWriter, type Tables } from "../../store/index.js";
import {
  type CommitGroup,
  type CommitOptions,
  type Committer,
  type LedgerEnd,
  type MergingSizes,
  type RunIndex,
  RunSettlement,
  type Settled,
  type Unsettled,
  usualSizes,
} from "../commit/index.js";
import {
  type Acceptance,
  AcceptanceIndex,
  deduplicationMaxMicros,
  encodeSettledAcceptances,
  settledAcceptancesKey,
} from "../intake/index.js";
import type { LedgerErrorData, Offset } from "../model/index.js";
import { acceptedUpdateId, decodeCompletion, readPruningPoint, submissionIdOf } from "../records/index.js";
import type { RunList } from "../runs/index.js";
import { FormerChanges } from "./former-changes.js";

export interface AcceptancesContext {
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly log: Log;
  readonly turns: Turns;
  /** When so many wait they are settled. */
  readonly unsettledMax: number;
  readonly sizes?: MergingSizes | undefined;
}

class LateAcceptances implements Unsettled<Acceptance, Acceptance> {
  readonly what = "acceptances";
  readonly waiting = new Map<string, Acceptance>();
  readonly waitingMax: number;
  readonly #settledUpTo: (offset: Offset) => void;

  constructor(waitingMax: number, settledUpTo: (offset: Offset) => void) {
    this.waitingMax = waitingMax;
    this.#settledUpTo = settledUpTo;
  }

  valueOf(acceptance: Acceptance): Acceptance {
    return acceptance;
  }

  settled(entries: Iterable<Settled<Acceptance>>, settledTo: Offset): void {
    for (const { key, value } of entries) if (this.waiting.get(key) === value) this.waiting.delete(key);
    this.#settledUpTo(settledTo);
  }
}

export class Acceptances {
  readonly #context: AcceptancesContext;
  readonly #index: AcceptanceIndex;
  readonly #former: FormerChanges;
  readonly #late: LateAcceptances;
  readonly #settlement: RunSettlement<Acceptance, Acceptance>;
  #settledTo: Offset;
  /** Whether the file says how far they are settled: it does from the first one on that is not. */
  #isTold: boolean;

  constructor(context: AcceptancesContext) {
    const { tables, ledgerEnd, unsettledMax, sizes = usualSizes } = context;
    this.#context = context;
    this.#index = new AcceptanceIndex(tables);
    this.#former = new FormerChanges(context);
    this.#late = new LateAcceptances(unsettledMax, (offset) => (this.#settledTo = offset));
    this.#isTold = this.#index.settledTo !== undefined;
    this.#settledTo = this.#index.settledTo ?? ledgerEnd.offset;
    this.#settlement = new RunSettlement(context, this.#late, this.#inRuns(), sizes);
    for (const { key: offset, value } of tables.completions.entries({ start: this.#settledTo + 1, end: offsetMax })) {
      const completion = decodeCompletion(value, offset),
        { deduplicationKey, recordTime } = completion;
      if (deduplicationKey === "" || acceptedUpdateId(completion) === undefined) continue;
      this.#late.waiting.set(deduplicationKey, { offset, recordTime, submissionId: submissionIdOf(completion) });
    }
  }

  #inRuns(): RunIndex<Acceptance> {
    const settledTo = (): Offset => this.#settledTo,
      isOver = (): RunIndex<Acceptance>["isOver"] => this.#isOver();
    return {
      runs: this.#index.runs,
      get settledTo() {
        return settledTo();
      },
      get isOver() {
        return isOver();
      },
      tell: tellSettled,
    };
  }

  /** Those that no command can repeat any more: pruned, and older than any deduplication period. */
  #isOver(): RunIndex<Acceptance>["isOver"] {
    const { tables, ledgerEnd } = this.#context,
      { clearedTo } = readPruningPoint(tables),
      before = ledgerEnd.recordTime - deduplicationMaxMicros;
    return clearedTo === 0 ? undefined : ({ offset, recordTime }) => offset <= clearedTo && recordTime <= before;
  }

  /** The last one of a change. */
  get(changeKey: string): Acceptance | undefined {
    return this.#late.waiting.get(changeKey) ?? this.#index.find(changeKey, this.#former.mayHave);
  }

  /** Of a change only one is in flight, so nobody asks for it before it is durable. */
  add(group: CommitGroup, changeKey: string, acceptance: Acceptance): void {
    if (!this.#isTold) this.#tell(group);
    const { waiting } = this.#late,
      before = waiting.get(changeKey);
    waiting.set(changeKey, acceptance);
    group.undoable(() => {
      if (before === undefined) waiting.delete(changeKey);
      else waiting.set(changeKey, before);
    });
    this.#settlement.look(1);
  }

  /** Resolves when runs have all up to an offset, at most the ledger end. */
  settleTo(offset: Offset, options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    return this.#settlement.settleTo(offset, options);
  }

  async close(): Promise<void> {
    await this.#former.close();
    await this.#settlement.close();
  }

  #tell(group: CommitGroup): void {
    tellSettled(group, this.#settledTo, this.#index.runs.list);
    this.#isTold = true;
    group.undoable(() => (this.#isTold = false));
  }
}

const tellSettled = ({ batch, tables }: CommitGroup, settledTo: Offset, list: RunList): void =>
  batch.put(tables.state, settledAcceptancesKey, encodeSettledAcceptances(new RecordWriter(), settledTo, list));
