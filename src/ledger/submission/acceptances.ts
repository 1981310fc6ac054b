/**
 * Which commands were accepted lately, by change id. Change ids have no order that commits have: an entry in a table of them costs each
 * command a page of its own. A completion tells the same, so the latest acceptances are held here until there are many of them, and then
 * become a run (`ledger/runs`). Behind an offset in the file, `settledTo`, a start reads them from the completions again.
 */
import type { Log } from "../../base/log.js";
import type { Turns } from "../../base/turns.js";
import { offsetMax, RecordWriter, type Tables } from "../../store/index.js";
import {
  type CommitGroup,
  type CommitOptions,
  type Committer,
  type LateIndex,
  type LedgerEnd,
  type MergingSizes,
  RunSettlement,
  usualSizes,
} from "../commit/index.js";
import {
  type Acceptance,
  AcceptanceIndex,
  type DeduplicationTimes,
  type LongestPeriod,
  packedAcceptance,
  settledAcceptancesKey,
} from "../intake/index.js";
import type { Answer, Offset } from "../model/index.js";
import { acceptedUpdateId, decodeCompletion, readPruningPoint, submissionIdOf } from "../records/index.js";
import { encodeSettled, type RunList, type Runs, WaitingEntries } from "../runs/index.js";
import { FormerChanges } from "./former-changes.js";

export interface AcceptancesContext {
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly log: Log;
  readonly turns: Turns;
  /** When so many wait they are settled. */
  readonly unsettledMax: number;
  readonly longestPeriod: LongestPeriod;
  readonly sizes?: MergingSizes | undefined;
}

class LateAcceptances implements LateIndex<Acceptance> {
  readonly what = "acceptances";
  readonly waiting = new WaitingEntries<Acceptance>(packedAcceptance);
  readonly waitingMax: number;
  readonly tell = tellSettled;
  readonly #context: AcceptancesContext;
  readonly runs: Runs<Acceptance>;
  #settledTo: Offset;

  constructor(context: AcceptancesContext, { runs, settledTo = context.ledgerEnd.offset }: AcceptanceIndex) {
    this.waitingMax = context.unsettledMax;
    this.#context = context;
    this.runs = runs;
    this.#settledTo = settledTo;
  }

  get settledTo(): Offset {
    return this.#settledTo;
  }
  settledUpTo(offset: Offset): void {
    this.waiting.leaveTo(offset);
    this.#settledTo = offset;
  }

  /** Those that no command can repeat any more: pruned, and older than any deduplication period. */
  get isOver(): LateIndex<Acceptance>["isOver"] {
    const { tables, ledgerEnd, longestPeriod } = this.#context,
      { clearedTo } = readPruningPoint(tables),
      before = ledgerEnd.recordTime - longestPeriod;
    return clearedTo === 0 ? undefined : ({ offset, recordTime }) => offset <= clearedTo && recordTime < before;
  }
}

export class Acceptances {
  readonly #longestPeriod: LongestPeriod;
  readonly #index: AcceptanceIndex;
  readonly #former: FormerChanges;
  readonly #late: LateAcceptances;
  readonly #settlement: RunSettlement<Acceptance>;
  /** Whether the file says how far they are settled: it does from the first one on that is not. */
  #isTold: boolean;

  constructor(context: AcceptancesContext) {
    const { tables, longestPeriod, sizes = usualSizes } = context;
    this.#longestPeriod = longestPeriod;
    this.#index = new AcceptanceIndex(tables);
    this.#former = new FormerChanges(context);
    this.#late = new LateAcceptances(context, this.#index);
    this.#isTold = this.#index.settledTo !== undefined;
    this.#settlement = new RunSettlement(context, this.#late, sizes);
    for (const { key: offset, value } of tables.completions.entries({ start: this.#late.settledTo + 1, end: offsetMax })) {
      const completion = decodeCompletion(value, offset),
        { deduplicationKey, recordTime } = completion;
      if (deduplicationKey === "" || acceptedUpdateId(completion) === undefined) continue;
      this.#late.waiting.add(deduplicationKey, { offset, recordTime, submissionId: submissionIdOf(completion) }, offset);
    }
  }

  /** The last one of a change. */
  get(changeKey: string): Acceptance | undefined {
    return this.#late.waiting.find(changeKey) ?? this.#index.find(changeKey, this.#former.mayHave);
  }

  /** By which it is told whether one is inside a period. */
  timesAt(now: bigint): DeduplicationTimes {
    return { now, longest: this.#longestPeriod };
  }

  /** Of a change only one is in flight, so nobody asks for it before it is durable. */
  add(group: CommitGroup, changeKey: string, acceptance: Acceptance): void {
    if (!this.#isTold) this.#tell(group);
    const { waiting } = this.#late,
      { end } = waiting;
    waiting.add(changeKey, acceptance, acceptance.offset);
    group.undoable(() => waiting.cutBack(end));
    this.#settlement.look(1);
  }

  /** Resolves when runs have all up to an offset, at most the ledger end. */
  settleTo(offset: Offset, options?: CommitOptions): Answer<void> {
    return this.#settlement.settleTo(offset, options);
  }

  async close(): Promise<void> {
    await this.#former.close();
    await this.#settlement.close();
  }

  #tell(group: CommitGroup): void {
    tellSettled(group, this.#late.settledTo, this.#late.runs.list);
    this.#isTold = true;
    group.undoable(() => (this.#isTold = false));
  }
}

const tellSettled = ({ batch, tables }: CommitGroup, settledTo: Offset, list: RunList): void =>
  batch.put(tables.state, settledAcceptancesKey, encodeSettled(new RecordWriter(), { offset: settledTo, runs: list }));
