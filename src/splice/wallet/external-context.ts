/** What a validator works with for parties that have keys of their own. */
import type { Participant } from "../../ledger/index.js";
import type { WalletContext } from "./wallet-context.js";

export interface ExternalContext extends WalletContext {
  readonly ledger: WalletContext["ledger"] & Pick<Participant, "external" | "interactive">;
  /** The validator's own participant, where that is another than the one that runs the network: both host its parties. */
  readonly home: Pick<Participant, "participantId" | "external"> | undefined;
}

/** A transaction for such a party to sign. */
export interface PreparedForParty {
  readonly transaction: Uint8Array;
  readonly hash: Uint8Array;
  /** Undefined where nobody asked. */
  readonly hashingDetails: string | undefined;
}
