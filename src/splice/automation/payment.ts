/** Payments that automation makes with the amulets of those for whom it acts. */
import { microsOf } from "../../base/clock.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { templates } from "../names.js";
import { inputsMaxOf, type OfDso } from "../network.js";
import type { Submission } from "../submitter.js";
import type { Economy } from "./trigger.js";

/** What a wallet is to pay is left to it for so long. */
export const leftToWalletMicros = microsOf(limits.paymentLeftToWalletSeconds);

/** Who pays sees what he needs through the DSO. */
export const paidBy = ({ dso, packagePreference }: Economy, payers: readonly Party[], command: object): Submission => ({
  actAs: [...new Set(payers)],
  readAs: [dso],
  commands: [command],
  packagePreference,
});

interface Amulet extends OfDso {
  readonly owner: Party;
}

/** The arguments under which a choice takes rules, round and amulets; `featuredAppRight`: of who is featured for it. */
export async function payment({ network, amuletRules, dso }: Economy, payer: Party, featuredAppRight: string | null = null) {
  const round = await network.usableRound(dso);
  const own = await network.contracts<Amulet>(dso, templates.amulet, {
    stakeholder: payer,
    where: ({ payload }) => payload.owner === payer,
    max: inputsMaxOf(amuletRules.payload),
    withBlobs: false,
  });
  return {
    context: {
      amuletRules: amuletRules.contractId,
      context: { openMiningRound: round.ok?.contractId, issuingMiningRounds: [], validatorRights: [], featuredAppRight },
    },
    inputs: own.map(({ contractId }) => ({ tag: "InputAmulet", value: contractId })),
  };
}

/** What a wallet pays by itself: who provides it takes part, featured if he is. `command`: what takes the arguments that wallets give. */
export async function paidByWallet(
  economy: Economy,
  { owner, provider }: { readonly owner: Party; readonly provider: Party },
  command: (argument: Awaited<ReturnType<typeof payment>> & { readonly walletProvider: Party }) => object,
): Promise<Submission> {
  const [right] = await economy.network.featuredAppRights(economy.dso, provider);
  const argument = { ...(await payment(economy, owner, right?.contractId)), walletProvider: provider };
  return paidBy(economy, [owner, provider], command(argument));
}
