/** Who approves of transfers to him in advance has a validator that agrees, pays and renews. */
import { microsOf } from "../../base/clock.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { isHosted } from "../hosting.js";
import { instantOf, javaInstant } from "../instants.js";
import { templates } from "../names.js";
import type { TransferPreapproval } from "../network.js";
import { paidBy, payment } from "./payment.js";
import { byRules, contractsWhere, dueAt, ofDso, type Economy, type Trigger } from "./trigger.js";

interface Proposal {
  readonly receiver: Party;
  readonly provider: Party;
  readonly expectedDso?: Party | null;
}

const accept = "TransferPreapprovalProposal_Accept";
const microsPerDay = 86_400_000_000n;
const lifetimeMicros = BigInt(limits.preapprovalLifetimeDays) * microsPerDay;
const renewedBeforeMicros = BigInt(limits.preapprovalRenewedBeforeDays) * microsPerDay;

export const acceptPreapprovals: Trigger = {
  name: "accept-preapprovals",
  what: "accepts proposals to approve of transfers in advance, and pays for them",
  async due(economy, now) {
    const { contracts, validators, dso } = economy;
    const acceptable = await contractsWhere<Proposal>(contracts, {
      templates: [templates.transferPreapprovalProposal],
      stakeholders: validators,
      isWanted: ({ payload: { receiver, provider, expectedDso } }) =>
        validators.includes(provider) && (expectedDso ?? dso) === dso && isHosted(economy.ledger, receiver),
      max: Infinity,
    });
    // One of each receiver's: what is accepted of it is what the others come too late for.
    const first = [...new Map([...acceptable].reverse().map((proposal) => [proposal.payload.receiver, proposal])).values()];
    const approved = await approvedOf(
      economy,
      first.map(({ payload }) => payload.receiver),
      now,
    );
    const delayMicros = microsOf(economy.acceptanceDelaySeconds);
    return dueAt(
      now,
      first
        .filter(({ payload }) => !approved.has(payload.receiver))
        .map(({ contractId, createdAt, payload: { provider } }) => ({
          at: instantOf(createdAt) + delayMicros,
          task: () => ({
            key: contractId,
            submission: async () =>
              paidBy(
                economy,
                [provider],
                exercise(templates.transferPreapprovalProposal, contractId, accept, {
                  ...(await payment(economy, provider)),
                  expiresAt: javaInstant(now + lifetimeMicros),
                }),
              ),
          }),
        })),
    );
  },
};

export const renewPreapprovals: Trigger = {
  name: "renew-preapprovals",
  what: "renews approvals of transfers before they expire",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const own = (await lasting(economy)).filter(({ payload }) => economy.validators.includes(payload.provider));
    const live = own.filter(({ payload }) => instantOf(payload.expiresAt) > now);
    return dueAt(
      now,
      live.map(({ contractId, payload: { provider, expiresAt } }) => ({
        at: instantOf(expiresAt) - renewedBeforeMicros,
        task: () => ({
          key: contractId,
          submission: async () =>
            paidBy(
              economy,
              [provider],
              exercise(templates.transferPreapproval, contractId, "TransferPreapproval_Renew", {
                ...(await payment(economy, provider)),
                newExpiresAt: javaInstant(instantOf(expiresAt) + lifetimeMicros),
              }),
            ),
        }),
      })),
    );
  },
};

export const expirePreapprovals: Trigger = {
  name: "expire-preapprovals",
  what: "archives approvals of transfers that expired",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    return dueAt(
      now,
      (await lasting(economy)).map(({ contractId, payload }) => ({
        at: instantOf(payload.expiresAt) + 1n,
        task: () => ({
          key: contractId,
          submission: () => byRules(economy, "DsoRules_ExpireTransferPreapproval", { transferPreapprovalCid: contractId }),
        }),
      })),
    );
  },
};

const lasting = (economy: Economy) => ofDso<TransferPreapproval>(economy, templates.transferPreapproval);

/** Those among these receivers whose approval that began last is not over. */
async function approvedOf({ contracts, dso }: Economy, receivers: readonly Party[], now: bigint): Promise<ReadonlySet<Party>> {
  const wanted = new Set(receivers);
  const approvals = await contractsWhere<TransferPreapproval>(contracts, {
    templates: [templates.transferPreapproval],
    stakeholders: receivers,
    isWanted: ({ payload }) => payload.dso === dso && wanted.has(payload.receiver),
    max: Infinity,
  });
  const byBegin = [...approvals].sort((a, b) => Number(instantOf(a.payload.validFrom) - instantOf(b.payload.validFrom)));
  const newest = new Map(byBegin.map(({ payload }) => [payload.receiver, payload]));
  return new Set(receivers.filter((receiver) => newest.has(receiver) && instantOf(newest.get(receiver)!.expiresAt) > now));
}
