/** Licenses of this node's validators tell which release they run, and that they were there within the hour. */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { dueAt, nothingDue, ofDso, type Trigger } from "./trigger.js";

interface ValidatorLicense extends OfDso {
  readonly validator: Party;
  readonly metadata?: { readonly version: string } | null;
  readonly lastActiveAt?: string | null;
}

const reportedMicros = BigInt(limits.validatorReportedHours) * 3_600_000_000n;

export const reportValidators: Trigger = {
  name: "report-validators",
  what: "writes into the licenses of this node's validators which release they run, and each hour that they are there",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const { validators, programVersion: version, packagePreference } = economy;
    if (validators.length === 0) return nothingDue;
    const licenses = await ofDso<ValidatorLicense>(economy, templates.validatorLicense);
    const timed = licenses.flatMap(({ contractId, payload: { validator, metadata, lastActiveAt } }) => {
      // Earlier releases of the license know nothing of it.
      if (!validators.includes(validator) || !lastActiveAt) return [];
      const report = (choice: string, argument: object) => ({
        key: contractId,
        submission: () => ({
          actAs: [validator],
          commands: [exercise(templates.validatorLicense, contractId, choice, argument)],
          packagePreference,
        }),
      });
      return metadata?.version === version || version === undefined
        ? { at: instantOf(lastActiveAt) + reportedMicros, task: () => report("ValidatorLicense_ReportActive", {}) }
        : { at: now, task: () => report("ValidatorLicense_UpdateMetadata", { version, contactPoint: "" }) };
    });
    return dueAt(now, timed);
  },
};
