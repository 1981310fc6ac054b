/** A confirmation of an action that was not executed in its time is archived. */
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { bySv, dueAt, ofDso, type Trigger } from "./trigger.js";

interface Confirmation extends OfDso {
  readonly expiresAt: string;
}

export const expireConfirmations: Trigger = {
  name: "expire-confirmations",
  what: "archives confirmations that expired",
  async due(economy, now) {
    const { sv, dsoRules } = economy;
    const confirmations = await ofDso<Confirmation>(economy, templates.confirmation);
    return dueAt(
      now,
      confirmations.map(({ contractId, payload }) => ({
        at: instantOf(payload.expiresAt) + 1n,
        task: () => ({
          key: contractId,
          submission: () =>
            bySv(
              economy,
              exercise(templates.dsoRules, dsoRules.contractId, "DsoRules_ExpireStaleConfirmation", {
                staleConfirmationCid: contractId,
                sv,
              }),
            ),
        }),
      })),
    );
  },
};
