/**
 * Where transactions are that were signed by keys of external parties, by the hash that was signed. The log is read once, then
 * only what is new; of each hash its beginning is kept, within a bound, and what it leads to is looked at.
 */
import { assert } from "../../base/assert.js";
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { LedgerErrorData, Offset, Participant } from "../../ledger/index.js";
import { TransactionText, unquoted } from "./event-text.js";
import { anyPartyFormat, effects, transactionTextPages } from "./reading.js";

type Ledger = Pick<Participant, "openUpdates" | "readUpdate" | "ledgerEnd" | "prunedOffsets">;

const everything = anyPartyFormat({ cumulative: [] });
const pattern = /^[0-9a-f]{64}$/;

export class SignedTransactions {
  readonly #ledger: Ledger;
  readonly #reading = new Exclusive();
  readonly #kept: OffsetsByHash;
  #readTo: Offset = 0;

  constructor(ledger: Ledger, transactionsKeptMax: number = limits.signedTransactionsKeptMax) {
    this.#ledger = ledger;
    this.#kept = new OffsetsByHash(transactionsKeptMax);
  }

  /** `hash`: hexadecimal. */
  async offsetOf(hash: string): Promise<Result<Offset | undefined, LedgerErrorData>> {
    if (!pattern.test(hash)) return ok(undefined);
    const caughtUp = await this.#reading.run(() => this.#catchUp());
    if (isFailure(caughtUp)) return caughtUp;
    for (const offset of this.#kept.candidates(hash)) if ((await this.#hashAt(offset)) === hash) return ok(offset);
    return this.#kept.forgottenTo === 0 ? ok(undefined) : this.#reading.run(() => this.#search(hash, this.#kept.forgottenTo));
  }

  async #catchUp(): Promise<Result<undefined, LedgerErrorData>> {
    const end = this.#ledger.ledgerEnd();
    for await (const page of transactionTextPages(this.#ledger, { format: everything, after: this.#readTo, to: end })) {
      if (isFailure(page)) return page;
      for (const transaction of page.ok) {
        const hash = hashOf(transaction);
        if (hash !== undefined) this.#kept.add(hash, transaction.offset);
        this.#readTo = transaction.offset;
      }
    }
    this.#readTo = end;
    return ok(undefined);
  }

  /** Where what was kept of it was forgotten. */
  async #search(hash: string, to: Offset): Promise<Result<Offset | undefined, LedgerErrorData>> {
    for await (const page of transactionTextPages(this.#ledger, { format: everything, after: 0, to })) {
      if (isFailure(page)) return page;
      const found = page.ok.find((transaction) => hashOf(transaction) === hash);
      if (found) return ok(found.offset);
    }
    return ok(undefined);
  }

  async #hashAt(offset: Offset): Promise<string | undefined> {
    const read = await this.#ledger.readUpdate({ by: { offset }, format: effects(everything), form: "flat" });
    return isFailure(read) ? undefined : hashOf(new TransactionText(read.ok)); // it may have been pruned
  }
}

function hashOf(transaction: TransactionText): string | undefined {
  const hash = transaction.get("externalTransactionHash");
  return hash === "null" ? undefined : unquoted(hash);
}

const entriesOfSegment = 65_536,
  hexCharsKept = 8;

/** Offsets by the first four bytes of a hash: many hashes may begin alike. */
class OffsetsByHash {
  /** The oldest first; all but the last are full. */
  readonly #segments: { readonly beginnings: Uint32Array; readonly offsets: Float64Array; count: number }[] = [];
  readonly #segmentsMax: number;
  /** Up to here none is known. */
  forgottenTo: Offset = 0;

  constructor(entriesMax: number) {
    this.#segmentsMax = Math.max(1, Math.floor(entriesMax / entriesOfSegment));
  }

  add(hash: string, offset: Offset): void {
    let last = this.#segments.at(-1);
    if (!last || last.count === entriesOfSegment) {
      last = { beginnings: new Uint32Array(entriesOfSegment), offsets: new Float64Array(entriesOfSegment), count: 0 };
      this.#segments.push(last);
      if (this.#segments.length > this.#segmentsMax) this.forgottenTo = this.#segments.shift()!.offsets[entriesOfSegment - 1]!;
    }
    last.beginnings[last.count] = beginningOf(hash);
    last.offsets[last.count++] = offset;
  }

  *candidates(hash: string): Iterable<Offset> {
    const beginning = beginningOf(hash);
    for (const { beginnings, offsets, count } of [...this.#segments].reverse())
      for (let at = beginnings.indexOf(beginning); at >= 0 && at < count; at = beginnings.indexOf(beginning, at + 1)) {
        const offset = offsets[at];
        assert(offset !== undefined && offset > 0, "a transaction stands at an offset");
        yield offset;
      }
  }
}

const beginningOf = (hash: string): number => Number.parseInt(hash.slice(0, hexCharsKept), 16);
