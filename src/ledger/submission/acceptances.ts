/**
 * Which commands were accepted lately, by change id. Change ids have no order that commits have: an entry in the table of them costs each
 * command a page of its own. A completion tells the same, so the latest acceptances are held here until there are many of them, and then
 * go to the table in the order of their keys. Behind an offset in the file, `settledTo`, a start reads them from the completions again.
 */
import { Exclusive } from "../../base/exclusive.js";
import type { Log } from "../../base/log.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import { offsetMax, RecordReader, RecordWriter, type Tables, unseal } from "../../store/index.js";
import type { CommitGroup, CommitOptions, Committer, LedgerEnd } from "../commit/index.js";
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

export class Acceptances {
  readonly #context: AcceptancesContext;
  readonly #settling = new Exclusive();
  /** In the order of their offsets, but where a change was accepted again. */
  readonly #unsettled = new Map<string, Acceptance>();
  readonly #settled: SettledChanges;
  #settledTo: Offset;
  /** Whether the file says how far they are settled: it does from the first one on that is not. */
  #isTold: boolean;
  #isSettling = false;

  constructor(context: AcceptancesContext) {
    this.#context = context;
    this.#settled = new SettledChanges(context);
    const settledTo = readSettledTo(context.tables);
    this.#isTold = settledTo !== undefined;
    this.#settledTo = settledTo ?? context.ledgerEnd.offset;
    for (const { key: offset, value } of context.tables.completions.entries({ start: this.#settledTo + 1, end: offsetMax })) {
      const completion = decodeCompletion(value, offset),
        { deduplicationKey, recordTime } = completion;
      if (deduplicationKey === "" || acceptedUpdateId(completion) === undefined) continue;
      this.#unsettled.set(deduplicationKey, { offset, recordTime, submissionId: submissionIdOf(completion) });
    }
  }

  /** The last one of a change. */
  get(changeKey: string): Acceptance | undefined {
    const unsettled = this.#unsettled.get(changeKey);
    return unsettled ?? (this.#settled.mayHave(changeKey) ? readAcceptance(this.#context.tables, changeKey) : undefined);
  }

  /** Of a change only one is in flight, so nobody asks for it before it is durable. */
  add(group: CommitGroup, changeKey: string, acceptance: Acceptance): void {
    if (!this.#isTold) this.#tell(group);
    const before = this.#unsettled.get(changeKey);
    this.#unsettled.set(changeKey, acceptance);
    group.undoable(() => {
      if (before === undefined) this.#unsettled.delete(changeKey);
      else this.#unsettled.set(changeKey, before);
    });
    if (this.#unsettled.size >= this.#context.unsettledMax && !this.#isSettling) this.#settleAside();
  }

  /** Resolves when the table has all up to an offset, at most the ledger end. */
  settleTo(offset: Offset, options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    return this.#settling.run(async () => (offset <= this.#settledTo ? ok(undefined) : this.#settle(options)));
  }

  /** So that the next start finds nothing to read. Where they cannot be written they are read then. */
  async close(): Promise<void> {
    await this.#settled.close();
    if (this.#unsettled.size > 0) await this.settleTo(this.#context.ledgerEnd.offset);
  }

  #tell(group: CommitGroup): void {
    writeSettledTo(group, this.#settledTo);
    this.#isTold = true;
    group.undoable(() => (this.#isTold = false));
  }

  #settleAside(): void {
    this.#isSettling = true;
    const failed = (error: string): void => this.#context.log.error("acceptances stay in memory for now", { error });
    void this.#settling
      .run(() => this.#settle())
      .then(
        (settled) => isFailure(settled) && failed(settled.error.cause),
        (error: unknown) => failed(String(error)),
      )
      .finally(() => (this.#isSettling = false));
  }

  /** Part by part: what a crash leaves in the table is what the completions tell as well. */
  async #settle(options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    const { committer, ledgerEnd } = this.#context,
      { offset: settledTo } = ledgerEnd;
    const parts = this.#partsTo(settledTo);
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      part.sort(([a], [b]) => (a < b ? -1 : 1));
      const written = await committer.commit((group) => {
        for (const [key, acceptance] of part) group.batch.put(group.tables.deduplication, key, encodeAcceptance(group.writer, acceptance));
        if (isLast) writeSettledTo(group, settledTo);
      }, options);
      if (isFailure(written)) return written;
    }
    this.#settledTo = settledTo;
    for (const part of parts)
      for (const [key, acceptance] of part) {
        this.#settled.add(key);
        if (this.#unsettled.get(key) === acceptance) this.#unsettled.delete(key);
      }
    return ok(undefined);
  }

  /** Each has the keys of a range, behind those of the part before; there is one at least. */
  #partsTo(settledTo: Offset): [string, Acceptance][][] {
    const perPart = Math.ceil(this.#context.unsettledMax / limits.acceptanceSettlementParts);
    const parts = Array.from({ length: Math.ceil(this.#unsettled.size / perPart) || 1 }, (): [string, Acceptance][] => []);
    for (const entry of this.#unsettled) {
      const [key, { offset }] = entry,
        range = Math.floor((Number.parseInt(key.slice(0, rangeDigits), 16) * parts.length) / ranges);
      if (offset <= settledTo) parts[range]!.push(entry);
    }
    return parts;
  }
}
const rangeDigits = 6,
  ranges = 16 ** rangeDigits;

const writeSettledTo = ({ batch, tables }: CommitGroup, settledTo: Offset): void =>
  batch.put(tables.state, name, new RecordWriter().offset(settledTo).finish(version));
