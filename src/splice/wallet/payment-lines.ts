/** Who pays from what a party holds stands in its line, whoever asks for it: payments at once would want the same contracts. */
import { Exclusive } from "../../base/exclusive.js";
import type { Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { refuse, type Refusal } from "../refusal.js";

interface Line {
  readonly turns: Exclusive;
  /** Those that stand in it, the one whose turn it is among them. */
  length: number;
}

/** The lines of one ledger. */
export class PaymentLines {
  readonly #lines = new Map<Party, Line>();

  /** Refused as busy where the line is full. */
  async inTurn<T>(payer: Party, pay: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
    const line = this.#lines.get(payer) ?? { turns: new Exclusive(), length: 0 };
    if (line.length >= limits.walletPaymentsInLineMax)
      return refuse("busy", `As many payments of ${payer} as may wait do so: ${limits.walletPaymentsInLineMax}.`);
    this.#lines.set(payer, line);
    line.length++;
    try {
      return await line.turns.run(pay);
    } finally {
      line.length--;
      if (line.length === 0) this.#lines.delete(payer);
    }
  }
}
