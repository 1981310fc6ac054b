/** A confirmation of an action that was not executed in its time is archived. */
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { Confirmation } from "./confirmed-actions.js";
import { byRules, dueAt, ofDso, type Trigger } from "./trigger.js";

export const expireConfirmations: Trigger = {
  name: "expire-confirmations",
  what: "archives confirmations that expired",
  async due(economy, now) {
    const confirmations = await ofDso<Confirmation>(economy, templates.confirmation);
    return dueAt(
      now,
      confirmations.map(({ contractId, payload }) => ({
        at: instantOf(payload.expiresAt) + 1n,
        task: () => ({
          key: contractId,
          submission: () => byRules(economy, "DsoRules_ExpireStaleConfirmation", { staleConfirmationCid: contractId }),
        }),
      })),
    );
  },
};
