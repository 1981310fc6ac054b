/**
 * Proposals to mint somebody's rewards are for validators, and of parties that they set up: a wallet declines others for its owner, and
 * of several of one party all but the last.
 */
import { groupBy } from "../../base/group-by.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { setUpUsers } from "./set-up-users.js";
import { nothingDue, type Trigger } from "./trigger.js";
import { walletOwnersOf } from "./wallet-owners.js";

interface Proposal {
  readonly delegation: { readonly beneficiary: Party; readonly delegate: Party; readonly dso: Party };
}

export const rejectMintingProposals: Trigger = {
  name: "reject-minting-proposals",
  what: "declines proposals to mint rewards that are for no validator, or of nobody whom it set up, or that came before another",
  async due(economy) {
    const { contracts, dso } = economy,
      proposals = (await contracts.all<Proposal>(templates.mintingDelegationProposal)).filter(
        ({ payload: { delegation } }) => delegation.dso === dso,
      );
    if (proposals.length === 0) return nothingDue; // wallets may be many
    const owners = await walletOwnersOf(economy),
      setUp = await setUpUsers(
        economy,
        proposals.map(({ payload: { delegation } }) => delegation.beneficiary),
      );
    const ofOne = groupBy(proposals, ({ payload: { delegation } }) => pairOf(delegation.beneficiary, delegation.delegate));
    const declined = [...ofOne.values()].flatMap((several) => {
      const { beneficiary, delegate } = several[0].payload.delegation;
      return setUp.get(beneficiary)?.has(delegate) === true ? several.slice(0, -1) : several;
    });
    return {
      tasks: declined
        .filter(({ payload: { delegation } }) => owners.has(delegation.delegate))
        .slice(0, limits.automationContractsMax)
        .map(({ contractId, createdAt, payload: { delegation } }) => ({
          key: contractId,
          since: instantOf(createdAt),
          submission: () => ({
            actAs: [delegation.delegate],
            commands: [exercise(templates.mintingDelegationProposal, contractId, "MintingDelegationProposal_Reject", {})],
            packagePreference: economy.packagePreference,
          }),
        })),
    };
  },
};

const pairOf = (beneficiary: Party, delegate: Party): string => `${beneficiary} ${delegate}`;
