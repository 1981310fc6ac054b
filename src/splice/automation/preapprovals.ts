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

/** Each provider approves by himself: what another one approved of is nothing to him. */
interface Pair {
  readonly receiver: Party;
  readonly provider: Party;
}
interface Proposal extends Pair {
  readonly expectedDso?: Party | null;
}

const keyOf = ({ receiver, provider }: Pair): string => JSON.stringify([receiver, provider]);

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
    // One of each pair's: what is accepted of it is what the others come too late for.
    const first = [...new Map([...acceptable].reverse().map((proposal) => [keyOf(proposal.payload), proposal])).values()];
    const approved = await approvedOf(
      economy,
      first.map(({ payload }) => payload),
      now,
    );
    const delayMicros = microsOf(economy.acceptanceDelaySeconds);
    return dueAt(
      now,
      first
        .filter(({ payload }) => !approved.has(keyOf(payload)))
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

/** The keys of those among these pairs whose approval that began last is not over. */
async function approvedOf({ contracts, dso }: Economy, pairs: readonly Pair[], now: bigint): Promise<ReadonlySet<string>> {
  const wanted = new Set(pairs.map(keyOf));
  const approvals = await contractsWhere<TransferPreapproval>(contracts, {
    templates: [templates.transferPreapproval],
    stakeholders: pairs.map(({ receiver }) => receiver),
    isWanted: ({ payload }) => payload.dso === dso && wanted.has(keyOf(payload)),
    max: Infinity,
  });
  const byBegin = [...approvals].sort((a, b) => Number(instantOf(a.payload.validFrom) - instantOf(b.payload.validFrom)));
  const newest = new Map(byBegin.map(({ payload }) => [keyOf(payload), payload]));
  return new Set([...newest].filter(([, { expiresAt }]) => instantOf(expiresAt) > now).map(([key]) => key));
}
