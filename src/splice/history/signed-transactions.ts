/** Where transactions are that were signed by keys of external parties, by the hash that was signed. Read once, then only what is new. */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import type { LedgerErrorData, Offset, Participant } from "../../ledger/index.js";
import { anyPartyFormat, transactionPages } from "./reading.js";

type Ledger = Pick<Participant, "openUpdates" | "ledgerEnd" | "prunedOffsets">;

const everything = anyPartyFormat({ cumulative: [] });

export class SignedTransactions {
  readonly #ledger: Ledger;
  readonly #reading = new Exclusive();
  readonly #offsets = new Map<string, Offset>();
  #readTo: Offset = 0;

  constructor(ledger: Ledger) { this.#ledger = ledger; }

  /** `hash`: hexadecimal. */
  async offsetOf(hash: string): Promise<Result<Offset | undefined, LedgerErrorData>> {
    if (!this.#offsets.has(hash)) {
      const caughtUp = await this.#reading.run(() => this.#catchUp());
      if (isFailure(caughtUp)) return caughtUp;
    }
    return ok(this.#offsets.get(hash));
  }

  async #catchUp(): Promise<Result<undefined, LedgerErrorData>> {
    const end = this.#ledger.ledgerEnd();
    for await (const page of transactionPages(this.#ledger, { format: everything, after: this.#readTo, to: end })) {
      if (isFailure(page)) return page;
      for (const { externalTransactionHash: hash, offset } of page.ok) {
        if (hash !== null) this.#offsets.set(hash, offset);
        this.#readTo = offset;
      }
    }
    this.#readTo = end;
    return ok(undefined);
  }
}
