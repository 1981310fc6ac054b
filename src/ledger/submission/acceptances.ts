/**
 * Which commands were accepted lately, by change id. Change ids have no order that commits have: an entry in the table of them costs each
 * command a page of its own. A completion tells the same, so the latest acceptances are held here until there are many of them, and then
 * go to the table in the order of their keys. Behind an offset in the file, `settledTo`, a start reads them from the completions again.
 */
import type { Log } from "../../base/log.js";
import type { Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { offsetMax, RecordReader, RecordWriter, type Tables, unseal } from "../../store/index.js";
import {
  type CommitGroup,
  type CommitOptions,
  type Committer,
  type LatePart,
  type LateTable,
  type LedgerEnd,
  type Settled,
  Settlement,
} from "../commit/index.js";
import type { LedgerErrorData, Offset } from "../model/index.js";
import { acceptedUpdateId, decodeCompletion, submissionIdOf } from "../records/index.js";
import { SettledChanges } from "./settled-changes.js";
import { type Acceptance, encodeAcceptance, readAcceptance } from "../intake/index.js";

const version = 1,
  name = "settledAcceptances";

/** The table has every acceptance up to here that pruning left; undefined: every one there is. */
export function readSettledTo({ state }: Pick<Tables, "state">): Offset | undefined {
  const record = state.read(name);
  return record && new RecordReader(unseal(record, version, "state")).offset();
}

export interface AcceptancesContext {
  readonly tables: Tables;
  readonly committer: Committer;
  readonly ledgerEnd: LedgerEnd;
  readonly log: Log;
  readonly turns: Turns;
  /** When so many wait they are settled. */
  readonly unsettledMax: number;
}

class LateAcceptances implements LateTable<Acceptance> {
  readonly what = "acceptances";
  readonly digitsFrom = 0;
  readonly waiting = new Map<string, Acceptance>();
  readonly waitingMax: number;
  readonly known: SettledChanges;

  constructor(context: AcceptancesContext) {
    this.waitingMax = context.unsettledMax;
    this.known = new SettledChanges(context);
  }

  write({ batch, tables, writer }: CommitGroup, { entries }: LatePart<Acceptance>): void {
    for (const { key, value } of entries) batch.put(tables.deduplication, key, encodeAcceptance(writer, value));
  }

  writeSettledTo({ batch, tables }: CommitGroup, offset: Offset): void {
    batch.put(tables.state, name, new RecordWriter().offset(offset).finish(version));
  }

  settled(entries: Iterable<Settled<Acceptance>>): void {
    for (const { key, value } of entries) {
      this.known.add(key);
      if (this.waiting.get(key) === value) this.waiting.delete(key);
    }
  }
}

export class Acceptances {
  readonly #context: AcceptancesContext;
  readonly #late: LateAcceptances;
  readonly #settlement: Settlement<Acceptance>;
  /** Whether the file says how far they are settled: it does from the first one on that is not. */
  #isTold: boolean;

  constructor(context: AcceptancesContext) {
    this.#context = context;
    this.#late = new LateAcceptances(context);
    const told = readSettledTo(context.tables),
      settledTo = told ?? context.ledgerEnd.offset;
    this.#isTold = told !== undefined;
    this.#settlement = new Settlement(context, this.#late, settledTo);
    for (const { key: offset, value } of context.tables.completions.entries({ start: settledTo + 1, end: offsetMax })) {
      const completion = decodeCompletion(value, offset),
        { deduplicationKey, recordTime } = completion;
      if (deduplicationKey === "" || acceptedUpdateId(completion) === undefined) continue;
      this.#late.waiting.set(deduplicationKey, { offset, recordTime, submissionId: submissionIdOf(completion) });
    }
  }

  /** The last one of a change. */
  get(changeKey: string): Acceptance | undefined {
    const { waiting, known } = this.#late;
    return waiting.get(changeKey) ?? (known.mayHave(changeKey) ? readAcceptance(this.#context.tables, changeKey) : undefined);
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
    this.#settlement.look();
  }

  /** Resolves when the table has all up to an offset, at most the ledger end. */
  settleTo(offset: Offset, options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    return this.#settlement.settleTo(offset, options);
  }

  async close(): Promise<void> {
    await this.#late.known.close();
    await this.#settlement.close();
  }

  #tell(group: CommitGroup): void {
    this.#late.writeSettledTo(group, this.#settlement.settledTo);
    this.#isTold = true;
    group.undoable(() => (this.#isTold = false));
  }
}
