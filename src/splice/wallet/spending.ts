/**
 * Payments from what a party holds: each takes as inputs all that it can, when its turn comes. One that loses a contract to somebody
 * outside the party's line is made again from what is left.
 */
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { type Answer, ledgerRefusal } from "../refusal.js";
import { type Submission, type Submitted, wasTaken } from "../submitter.js";
import { lineIsFull } from "./lines.js";
import { type Owner, submitted, type WalletContext } from "./wallet-context.js";

export interface Spends {
  readonly payer: Party;
  /** Contract id of what is paid for; who loses that has nothing to pay. */
  readonly subject?: string;
}

/** As the owner, in the payer's line. `prepare`: for each attempt anew, from what the payer holds then. */
export function spendAs(
  context: WalletContext,
  owner: Owner,
  { payer, subject }: Spends,
  prepare: () => Answer<Omit<Submission, "userId">>,
): Answer<Submitted> {
  const done = context.payments.inTurn(payer, async () => {
    for (let attempt = 1; ; attempt++) {
      const prepared = await prepare();
      if (isFailure(prepared)) return prepared;
      const paid = await submitted(context, owner, prepared.ok);
      if (!isFailure(paid)) return paid;
      if (attempt === limits.paymentAttemptsMax || !wasTaken(paid.error, subject)) return ledgerRefusal(paid.error);
    }
  });
  return done ?? Promise.resolve(lineIsFull(payer));
}
