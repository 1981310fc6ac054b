/** Where transactions are that were signed by keys of external parties, by the hash that was signed. Read once, then only what is new. */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { LedgerErrorData, Offset, Participant, UpdateFormatRequest } from "../../ledger/index.js";
import { readElements } from "../elements.js";
import type { Transaction } from "./transaction.js";

type Ledger = Pick<Participant, "openUpdates" | "ledgerEnd" | "prunedOffsets">;

const everything: UpdateFormatRequest = {
  includeTransactions: { eventFormat: { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: false }, shape: "ledgerEffects" },
  includeReassignments: undefined,
  includeTopologyEvents: undefined,
};

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
    while (this.#readTo < end) {
      const beginExclusive = Math.max(this.#readTo, this.#ledger.prunedOffsets().participantPrunedUpToInclusive);
      const opened = this.#ledger.openUpdates({ beginExclusive, endInclusive: end, format: everything, form: "update", descending: false });
      const elements = await readElements<{ readonly update: { readonly Transaction: { readonly value: Transaction } } }>(opened, limits.scanPageElementsMax);
      if (isFailure(elements)) return elements;
      for (const { update: { Transaction: { value } } } of elements.ok)
        if (value.externalTransactionHash !== null) this.#offsets.set(value.externalTransactionHash, value.offset);
      this.#readTo = elements.ok.length < limits.scanPageElementsMax ? end : elements.ok.at(-1)!.update.Transaction.value.offset;
    }
    return ok(undefined);
  }
}
