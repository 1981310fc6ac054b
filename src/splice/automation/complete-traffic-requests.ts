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
import { leftToWalletMicros, paidBy, payment } from "./payment.js";
import { contractsWhere, dueAt, nothingDue, type Trigger } from "./trigger.js";
import { walletsOf } from "./wallet-owners.js";

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
    const validatorOf = new Map((await walletsOf(economy)).map(({ payload }) => [payload.endUserParty, payload.validatorParty]));
    return dueAt(
      now,
      open.flatMap(({ contractId, createdAt, payload: { endUserParty: owner } }) => {
        const walletProvider = validatorOf.get(owner);
        if (walletProvider === undefined) return [];
        const submission = async () => {
          const argument = { ...(await payment(economy, owner)), walletProvider };
          return paidBy(
            economy,
            [owner, walletProvider],
            exercise(templates.buyTrafficRequest, contractId, "BuyTrafficRequest_Complete", argument),
          );
        };
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
