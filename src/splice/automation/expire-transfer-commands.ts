/** Transfers that parties with keys of their own asked for and that nobody sent in time: the DSO, who sees all of them, ends them. */
import { limits } from "../../config.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { byDso, dueAt, ofDso, type Trigger } from "./trigger.js";

interface TransferCommand extends OfDso {
  readonly expiresAt: string;
}

export const expireTransferCommands: Trigger = {
  name: "expire-transfer-commands",
  what: "ends such transfers that were not sent in time",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const commands = await ofDso<TransferCommand>(economy, templates.transferCommand);
    return dueAt(
      now,
      commands.map(({ contractId, payload }) => ({
        at: instantOf(payload.expiresAt) + 1n, // until then it may still be sent
        task: () => ({
          key: contractId,
          submission: () => byDso(economy, exercise(templates.transferCommand, contractId, "TransferCommand_Expire", { p: economy.dso })),
        }),
      })),
    );
  },
};
