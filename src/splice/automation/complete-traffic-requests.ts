/**
 * A wallet buys traffic right after it made the request for it. One that was stopped in between, or had too many others to pay first,
 * leaves the request behind, and its tracking id with it: automation buys it for the wallet, or cancels it with the reason.
 */
import type { LedgerErrorData, Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { cancelTraffic } from "../invalid-transfers.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { ledgerRefusal, type Refusal } from "../refusal.js";
import { leftToWalletMicros, paidByWallet } from "./payment.js";
import { contractsWhere, dueAt, nothingDue, type Trigger } from "./trigger.js";
import { walletProvidersOf } from "./wallet-owners.js";

interface TrafficRequest extends OfDso {
  readonly endUserParty: Party;
  readonly expiresAt: string;
}

/** Who comes first, this or the wallet, takes the request with it, so that the other is refused and nothing is bought twice. */
export const completeTrafficRequests: Trigger = {
  name: "complete-traffic-requests",
  what: "buys traffic that a wallet asked for and did not buy itself, or cancels the request where it cannot be paid",
  async due(economy, now) {
    const { contracts, network, dso, packagePreference } = economy;
    const open = await contractsWhere<TrafficRequest>(contracts, {
      templates: [templates.buyTrafficRequest],
      isWanted: ({ payload }) => payload.dso === dso && instantOf(payload.expiresAt) > now,
      max: Infinity,
    });
    if (open.length === 0) return nothingDue; // wallets may be many
    const round = await network.usableRound(dso);
    if (round.error !== undefined) return { tasks: [], obstacle: round.error.message };
    const providers = await walletProvidersOf(economy);
    return dueAt(
      now,
      open.flatMap(({ contractId, createdAt, payload: { endUserParty: owner } }) => {
        const provider = providers.get(owner);
        if (provider === undefined) return [];
        const submission = () =>
          paidByWallet(economy, { owner, provider }, (argument) =>
            exercise(templates.buyTrafficRequest, contractId, "BuyTrafficRequest_Complete", argument),
          );
        const instead = (error: LedgerErrorData) => {
          const refusal = ledgerRefusal(error).error;
          return isFinal(refusal) ? { actAs: [owner], commands: [cancelTraffic(contractId, refusal)], packagePreference } : undefined;
        };
        return [{ at: instantOf(createdAt) + leftToWalletMicros, task: () => ({ key: contractId, submission, instead }) }];
      }),
    );
  },
};

/** The model says no; what else keeps it from being paid may pass. */
const isFinal = ({ kind, failure }: Refusal): boolean => failure !== undefined || kind === "conflict";
