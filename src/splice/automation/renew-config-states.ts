/** Of the two states of the configuration that transfers may be prepared with, the older makes room for a new one. */
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { openRoundTriple } from "./open-round-triple.js";
import { byRules, dueAt, nothingDue, ofDso, type Trigger } from "./trigger.js";

interface ExternalPartyConfigState extends OfDso {
  readonly targetArchiveAfter: string;
}

export const renewConfigStates: Trigger = {
  name: "renew-config-states",
  what: "replaces the older of the two states of the configuration",
  async due(economy, now) {
    const { amuletRules } = economy;
    const found = await ofDso<ExternalPartyConfigState>(economy, templates.externalPartyConfigState);
    const states = [...found].sort((a, b) => (archivedAfter(a) < archivedAfter(b) ? -1 : 1)),
      [older, newer] = states;
    const triple = await openRoundTriple(economy);
    if (states.length !== 2 || triple === undefined) return nothingDue;
    const submission = () =>
      byRules(economy, "DsoRules_UpdateExternalPartyConfigStates", {
        amuletRulesCid: amuletRules.contractId,
        externalPartyConfigStateCid0: older!.contractId,
        externalPartyConfigStateCid1: newer!.contractId,
        openMiningRoundTriple: triple,
      });
    // The rules demand that its time is over, not that it just comes to its end.
    return dueAt(now, [{ at: archivedAfter(older!) + 1n, task: () => ({ key: older!.contractId, submission }) }]);
  },
};

const archivedAfter = ({ payload }: { readonly payload: ExternalPartyConfigState }): bigint => instantOf(payload.targetArchiveAfter);
