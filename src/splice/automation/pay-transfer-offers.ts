/**
 * An offer that was accepted is paid by its sender's wallet, which backs out of it where he has not the means. Who has no wallet here,
 * or none any more, pays for himself.
 */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { backOut } from "../invalid-transfers.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { ledgerRefusal } from "../refusal.js";
import { leftToWalletMicros, paidByWallet } from "./payment.js";
import { contractsWhere, dueAt, nothingDue, type Trigger } from "./trigger.js";
import { walletProvidersOf } from "./wallet-owners.js";

interface AcceptedOffer extends OfDso {
  readonly sender: Party;
  readonly expiresAt: string;
}

export const payTransferOffers: Trigger = {
  name: "pay-transfer-offers",
  what: "pays transfer offers of wallets that were accepted; a wallet that has not the means backs out of its own",
  async due(economy, now, isWaiting) {
    const accepted = await contractsWhere<AcceptedOffer>(economy.contracts, {
      templates: [templates.acceptedTransferOffer],
      isWanted: ({ contractId, payload: { dso, expiresAt } }) =>
        dso === economy.dso && instantOf(expiresAt) > now && !isWaiting(contractId),
      max: Infinity,
    });
    if (accepted.length === 0) return nothingDue; // wallets may be many
    const providers = await walletProvidersOf(economy),
      payable = accepted.filter(({ payload: { sender } }) => providers.has(sender)).slice(0, limits.automationContractsMax),
      { packagePreference } = economy;
    return dueAt(
      now,
      payable.map(({ contractId, createdAt, payload: { sender } }) => ({
        at: instantOf(createdAt) + leftToWalletMicros,
        task: () => ({
          key: contractId,
          submission: () =>
            paidByWallet(
              economy,
              { owner: sender, provider: providers.get(sender)! },
              ({ context: transferContext, inputs, walletProvider }) =>
                exercise(templates.acceptedTransferOffer, contractId, "AcceptedTransferOffer_Complete", {
                  inputs,
                  transferContext,
                  walletProvider,
                }),
            ),
          instead: (error) => {
            const command = backOut(contractId, ledgerRefusal(error).error);
            return command && { actAs: [sender], commands: [command], packagePreference };
          },
        }),
      })),
    );
  },
};
