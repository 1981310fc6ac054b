/**
 * Offers, requests and delegations whose time is over end, so that those who wait for them learn of it: a wallet does that for its
 * owner. What has no wallet behind it stays.
 */
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { templates, type Name } from "../names.js";
import type { OfDso } from "../network.js";
import { limits } from "../../config.js";
import { dueAt, nothingDue, type Economy, type Trigger } from "./trigger.js";
import { walletOwnersOf } from "./wallet-owners.js";

interface Terms extends OfDso {
  readonly expiresAt: string;
  readonly sender?: Party;
  readonly receiver?: Party;
  readonly endUserParty?: Party;
  readonly delegate?: Party;
}
interface Kind {
  readonly template: Name;
  readonly choice: string;
  /** Whose wallet ends it, the first that is here. */
  readonly owners: readonly ("sender" | "receiver" | "endUserParty" | "delegate")[];
  /** The choice asks who makes it. */
  readonly isNamed?: boolean;
}
interface Proposal {
  readonly delegation?: Terms;
}

const kinds: readonly Kind[] = [
  { template: templates.transferOffer, choice: "TransferOffer_Expire", owners: ["sender", "receiver"], isNamed: true },
  { template: templates.acceptedTransferOffer, choice: "AcceptedTransferOffer_Expire", owners: ["sender", "receiver"], isNamed: true },
  { template: templates.appPaymentRequest, choice: "AppPaymentRequest_Expire", owners: ["sender"], isNamed: true },
  { template: templates.buyTrafficRequest, choice: "BuyTrafficRequest_Expire", owners: ["endUserParty"] },
  { template: templates.mintingDelegationProposal, choice: "MintingDelegationProposal_Reject", owners: ["delegate"] },
  { template: templates.mintingDelegation, choice: "MintingDelegation_Reject", owners: ["delegate"] },
];

export const expireRequests: Trigger = {
  name: "expire-requests",
  what: "ends transfer offers, requests for payments and for traffic, and delegations of minting whose time is over",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const there = await Promise.all(kinds.map(({ template }) => economy.contracts.all<Terms & Proposal>(template)));
    if (there.every(({ length }) => length === 0)) return nothingDue; // wallets may be many
    const walletOwners = await walletOwnersOf(economy);
    return dueAt(
      now,
      kinds.flatMap((kind, index) => ofKind(economy, kind, there[index]!, walletOwners)),
    );
  },
};

function ofKind(
  economy: Economy,
  { template, choice, owners, isNamed }: Kind,
  contracts: readonly Contract<Terms & Proposal>[],
  walletOwners: ReadonlySet<Party>,
) {
  return contracts.flatMap(({ contractId, payload }) => {
    const terms = payload.delegation ?? payload,
      owner = owners.map((field) => terms[field]).find((party) => party !== undefined && walletOwners.has(party));
    if (owner === undefined || terms.dso !== economy.dso) return [];
    const command = exercise(template, contractId, choice, isNamed ? { actor: owner } : {});
    const submission = () => ({ actAs: [owner], commands: [command], packagePreference: economy.packagePreference });
    return [{ at: instantOf(terms.expiresAt), task: () => ({ key: contractId, submission }) }];
  });
}
