/**
 * Validators record in each round that they are there, for which they get a share of its rewards. One at a time: a record makes the license
 * anew, and of rounds that are open together the older comes first.
 */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { parseDecimal } from "../decimal.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { firstRoundAfter } from "./first-round-after.js";
import { contractsWhere, dueAt, type Economy, type Trigger } from "./trigger.js";

interface ValidatorLicense extends OfDso {
  readonly validator: Party;
  readonly faucetState?: { readonly lastReceivedFor: { readonly number: string } } | null;
  /** Of what its records count for; 0: they are refused. */
  readonly weight?: string | null;
}

export const recordLiveness: Trigger = {
  name: "record-liveness",
  what: "records in each round that the validators of this node are there",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const rounds = await economy.network.openRounds(economy.dso);
    const recording = (await licensesOf(economy)).flatMap(({ contractId, payload: { validator, faucetState } }) => {
      const round = firstRoundAfter(faucetState?.lastReceivedFor.number, rounds);
      return round === undefined ? [] : { contractId, validator, round };
    });
    return dueAt(
      now,
      recording.map(({ contractId, validator, round }) => ({
        at: instantOf(round.payload.opensAt),
        task: () => ({
          key: contractId,
          submission: () => ({
            actAs: [validator],
            readAs: [economy.dso],
            commands: [
              exercise(templates.validatorLicense, contractId, "ValidatorLicense_RecordValidatorLivenessActivity", {
                openRoundCid: round.contractId,
              }),
            ],
            packagePreference: economy.packagePreference,
          }),
        }),
      })),
    );
  },
};

/** Of this node's validators; of a network without such records none. */
async function licensesOf({ contracts, dso, validators }: Economy) {
  if (validators.length === 0 || !contracts.knows(templates.validatorLivenessActivityRecord)) return [];
  return contractsWhere<ValidatorLicense>(contracts, {
    templates: [templates.validatorLicense],
    stakeholders: validators,
    isWanted: ({ payload: { dso: of, validator, weight } }) =>
      of === dso && validators.includes(validator) && (weight == null || parseDecimal(weight) > 0n),
    max: Infinity,
  });
}
