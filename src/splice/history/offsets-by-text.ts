/**
 * Where updates are in the log, by texts that they have in them. The log is read once, then only what is new; what is kept of a text leads
 * to updates that may have it, and whoever asks looks at them.
 */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import type { EventFormatRequest, LedgerErrorData, Offset, Participant } from "../../ledger/index.js";
import { NumbersByText } from "../numbers-by-text.js";
import type { TransactionText } from "./event-text.js";
import { transactionTextPages } from "./reading.js";

export interface OffsetsByTextOptions {
  readonly ledger: Pick<Participant, "openUpdates" | "ledgerEnd" | "prunedOffsets">;
  readonly turns: Turns;
  /** Of the transactions that have such texts; undefined: so far there can be none. */
  readonly format: () => EventFormatRequest | undefined;
  readonly textsIn: (transaction: TransactionText) => readonly string[];
  readonly keptMax: number;
}

export interface FoundOffsets {
  /** The newest first. */
  readonly candidates: Iterable<Offset>;
  /** Up to here nothing is known any more, and all has to be gone through; 0: all is known. */
  readonly forgottenTo: Offset;
}

export class OffsetsByText {
  readonly #options: OffsetsByTextOptions;
  readonly #reading = new Exclusive();
  readonly #kept: NumbersByText;
  #readTo: Offset = 0;

  constructor(options: OffsetsByTextOptions) {
    this.#options = options;
    this.#kept = new NumbersByText(options.keptMax);
  }

  async of(text: string): Promise<Result<FoundOffsets, LedgerErrorData>> {
    const caughtUp = await this.#reading.run(() => this.#catchUp());
    return isFailure(caughtUp) ? caughtUp : ok({ candidates: this.#kept.candidates(text), forgottenTo: this.#kept.forgottenTo });
  }

  async #catchUp(): Promise<Result<undefined, LedgerErrorData>> {
    const { ledger, turns, format: formatNow, textsIn } = this.#options,
      end = ledger.ledgerEnd(),
      format = formatNow();
    if (format)
      for await (const page of transactionTextPages({ ledger, turns }, { format, after: this.#readTo, to: end })) {
        if (isFailure(page)) return page;
        for (const transaction of page.ok) {
          for (const text of textsIn(transaction)) this.#kept.add(text, transaction.offset);
          this.#readTo = transaction.offset;
        }
      }
    this.#readTo = end;
    return ok(undefined);
  }
}
