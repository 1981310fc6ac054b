/** A subscription whose next payment may be made is paid for by the wallet of who subscribed, if it is here. */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { paidByWallet } from "./payment.js";
import { contractsWhere, dueAt, nothingDue, type Trigger } from "./trigger.js";
import { walletProvidersOf } from "./wallet-owners.js";

interface IdleState {
  readonly subscriptionData: { readonly sender: Party; readonly dso: Party };
  readonly payData: { readonly paymentDuration: { readonly microseconds: string } };
  readonly nextPaymentDueAt: string;
}

export const paySubscriptions: Trigger = {
  name: "pay-subscriptions",
  what: "pays for subscriptions of wallets whose next payment may be made, until it is late",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const open = await contractsWhere<IdleState>(economy.contracts, {
      templates: [templates.subscriptionIdleState],
      isWanted: ({
        payload: {
          subscriptionData: { dso },
          nextPaymentDueAt,
        },
      }) => dso === economy.dso && instantOf(nextPaymentDueAt) > now,
      max: Infinity,
    });
    if (open.length === 0) return nothingDue; // wallets may be many
    const providers = await walletProvidersOf(economy),
      payable = open.filter(({ payload }) => providers.has(payload.subscriptionData.sender));
    return dueAt(
      now,
      payable.map(
        ({
          contractId,
          payload: {
            subscriptionData: { sender },
            payData,
            nextPaymentDueAt,
          },
        }) => ({
          at: instantOf(nextPaymentDueAt) - BigInt(payData.paymentDuration.microseconds),
          task: () => ({
            key: contractId,
            submission: () =>
              paidByWallet(economy, { owner: sender, provider: providers.get(sender)! }, (argument) =>
                exercise(templates.subscriptionIdleState, contractId, "SubscriptionIdleState_MakePayment", argument),
              ),
          }),
        }),
      ),
    );
  },
};
