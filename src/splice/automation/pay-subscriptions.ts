/** A subscription whose next payment may be made is paid for by whoever's wallet is here. */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { mayActFor } from "../hosting.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { paidBy, payment } from "./payment.js";
import { contractsWhere, dueAt, type Trigger } from "./trigger.js";

interface IdleState {
  readonly subscriptionData: { readonly sender: Party; readonly dso: Party };
  readonly payData: { readonly paymentDuration: { readonly microseconds: string } };
  readonly nextPaymentDueAt: string;
}

export const paySubscriptions: Trigger = {
  name: "pay-subscriptions",
  what: "pays for subscriptions whose next payment may be made, until it is late",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const payable = await contractsWhere<IdleState>(economy.contracts, {
      templates: [templates.subscriptionIdleState],
      isWanted: ({
        payload: {
          subscriptionData: { sender, dso },
          nextPaymentDueAt,
        },
      }) => dso === economy.dso && instantOf(nextPaymentDueAt) > now && mayActFor(economy.ledger, sender),
      max: Infinity,
    });
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
            submission: async () => {
              const walletProvider = economy.validators[0] ?? sender;
              const pay = exercise(templates.subscriptionIdleState, contractId, "SubscriptionIdleState_MakePayment", {
                ...(await payment(economy, sender)),
                walletProvider,
              });
              return paidBy(economy, [sender, walletProvider], pay);
            },
          }),
        }),
      ),
    );
  },
};
