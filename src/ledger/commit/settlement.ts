/**
 * Tables whose keys have no order get their entries late: these wait in memory until there are many, and then are written in the order of
 * their keys, part by part, which takes fewer pages than one after the other. Until then the log, or a tail beside it, tells them too.
 */
import { Exclusive } from "../../base/exclusive.js";
import { hexNumber } from "../../base/hex-number.js";
import type { Log } from "../../base/log.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { CommitGroup } from "./commit-group.js";
import type { CommitOptions, Committer } from "./commit.js";
import type { LedgerEnd } from "./ledger-end.js";
import type { LedgerErrorData, Offset } from "../model/index.js";

export interface Settled<V> {
  readonly key: string;
  readonly value: V;
}

/** A part of what is settled together: it has the keys of a range, in order. */
export interface LatePart<V> {
  readonly entries: readonly Settled<V>[];
  readonly index: number;
  /** All parts; there is one at least. */
  readonly of: readonly (readonly Settled<V>[])[];
  /** All that came up to here is in them. */
  readonly settledTo: Offset;
}

/** A table that is written late. */
export interface LateTable<V extends { readonly offset: Offset }> {
  /** What waits, in words. */
  readonly what: string;
  /** By the keys of the table, in hex; in the order of their offsets, but where one came again. */
  readonly waiting: ReadonlyMap<string, V>;
  /** When so many wait they are settled. */
  readonly waitingMax: number;
  /** From which digit on keys differ by chance. */
  readonly digitsFrom: number;
  write(group: CommitGroup, part: LatePart<V>): void;
  /** A part of it is durable. */
  written?(): void;
  /** What goes with each part besides, if anything. */
  besides?(group: CommitGroup): void;
  /** With the last part: the table has all up to here. */
  writeSettledTo(group: CommitGroup, offset: Offset): void;
  /** All of it is durable. */
  settled(entries: Iterable<Settled<V>>, settledTo: Offset): void;
}

export interface SettlementContext {
  readonly committer: Pick<Committer, "commit">;
  readonly ledgerEnd: Pick<LedgerEnd, "offset">;
  readonly log: Log;
}

export class Settlement<V extends { readonly offset: Offset }> {
  readonly #context: SettlementContext;
  readonly #table: LateTable<V>;
  readonly #settling: Exclusive;
  #settledTo: Offset;
  #isAside = false;

  /** `settling`: what else writes to the table waits for it, too. */
  constructor(context: SettlementContext, table: LateTable<V>, settledTo: Offset, settling = new Exclusive()) {
    this.#context = context;
    this.#settling = settling;
    this.#table = table;
    this.#settledTo = settledTo;
  }

  get settledTo(): Offset {
    return this.#settledTo;
  }

  /** After something was added: beside all else, where enough waits. */
  look(): void {
    if (this.#isAside || this.#table.waiting.size < this.#table.waitingMax) return;
    this.#isAside = true;
    const failed = (error: string): void => this.#context.log.error(`${this.#table.what} stay in memory for now`, { error });
    void this.#settling
      .run(() => this.#settle())
      .then(
        (settled) => isFailure(settled) && failed(settled.error.cause),
        (error: unknown) => failed(String(error)),
      )
      .finally(() => (this.#isAside = false));
  }

  /** Resolves when the table has all up to an offset, at most the ledger end. */
  settleTo(offset: Offset, options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    return this.#settling.run(async () => (offset <= this.#settledTo ? ok(undefined) : this.#settle(options)));
  }

  /** So that the next start finds nothing to read. Where it cannot be written it is read then. */
  async close(): Promise<void> {
    if (this.#table.waiting.size > 0) await this.settleTo(this.#context.ledgerEnd.offset);
  }

  /** Part by part: what a crash leaves in the table is told elsewhere as well. */
  async #settle(options?: CommitOptions): Promise<Result<void, LedgerErrorData>> {
    const { committer, ledgerEnd } = this.#context,
      { offset: settledTo } = ledgerEnd,
      table = this.#table;
    const parts = this.#partsTo(settledTo);
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      part.sort(inOrder);
      const written = await committer.commit((group) => {
        table.write(group, { entries: part, index, of: parts, settledTo });
        table.besides?.(group);
        if (isLast) table.writeSettledTo(group, settledTo);
      }, options);
      if (isFailure(written)) return written;
      table.written?.();
    }
    this.#settledTo = settledTo;
    for (const part of parts) table.settled(part, settledTo);
    return ok(undefined);
  }

  /**
   * Each has the keys of a range, behind those of the part before; there is one at least. Where more waits they are larger and not more of
   * them: each is a commit, and as much may come with every commit as a part holds.
   */
  #partsTo(settledTo: Offset): Waiting<V>[][] {
    const { waiting, waitingMax, digitsFrom } = this.#table,
      perPart = Math.ceil(waitingMax / limits.settlementParts);
    const count = Math.min(limits.settlementParts, Math.ceil(waiting.size / perPart)) || 1,
      parts = Array.from({ length: count }, (): Waiting<V>[] => []);
    for (const [key, value] of waiting) {
      if (value.offset > settledTo) continue;
      const rank = hexNumber(key, digitsFrom, rankDigits);
      parts[Math.floor((rank / ranks) * parts.length)]!.push({ key, value, rank });
    }
    return parts;
  }
}

/** `rank`: what orders almost all of them, as a number; texts take several times as long to compare. */
interface Waiting<V> extends Settled<V> {
  readonly rank: number;
}

const inOrder = (a: Waiting<unknown>, b: Waiting<unknown>): number => a.rank - b.rank || (a.key < b.key ? -1 : 1);

/** Runs have their entries by the same ones. */
const rankDigits = 8,
  ranks = 16 ** rankDigits;
