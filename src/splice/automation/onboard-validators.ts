/** Validators that this node operates are licensed. License and funds come together, so who has the one has had the other. */
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { nothingDue, ofDso, type Trigger } from "./trigger.js";

interface ValidatorLicense extends OfDso {
  readonly validator: Party;
}

/** What a validator begins with on a network that gives away amulets: it pays for those who approve of transfers. */
const funds = "100000.0";

export const onboardValidators: Trigger = {
  name: "onboard-validators",
  what: "licenses the validators of this node",
  async due(economy, now) {
    const { network, dso, sv, validators, amuletRules, dsoRules, packagePreference } = economy;
    const licenses = await ofDso<ValidatorLicense>(economy, templates.validatorLicense);
    const licensed = new Set(licenses.map(({ payload }) => payload.validator)),
      others = validators.filter((party) => !licensed.has(party));
    if (others.length === 0) return nothingDue;
    const round = await network.usableRound(dso);
    if (round.error !== undefined) return { tasks: [], obstacle: round.error.message };
    const commandsFor = (validator: Party) => {
      const onboard = exercise(templates.dsoRules, dsoRules.contractId, "DsoRules_OnboardValidator", {
        sponsor: sv,
        validator,
        version: null,
        contactPoint: null,
      });
      const tap = exercise(templates.amuletRules, amuletRules.contractId, "AmuletRules_DevNet_Tap", {
        receiver: validator,
        amount: funds,
        openRound: round.ok.contractId,
      });
      return amuletRules.payload.isDevNet === true ? [onboard, tap] : [onboard];
    };
    return {
      tasks: others.map((validator) => ({
        key: validator,
        since: now,
        submission: () => ({ actAs: [...new Set([sv, validator])], readAs: [dso], commands: commandsFor(validator), packagePreference }),
      })),
    };
  },
};
