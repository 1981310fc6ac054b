/** What enough SVs confirmed is done, by one of them. What came too late for it stays until it expires. */
import { groupBy } from "../../base/group-by.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { votesNeeded } from "../votes/threshold.js";
import { archiveRound } from "./archive-closed-rounds.js";
import { argumentOf, type Action, type ActionKind, type Confirmation } from "./confirmed-actions.js";
import { collectFirstPayment, rejectFirstPayment } from "./name-entries.js";
import { idsOf } from "./reward-coupons.js";
import { createCounter } from "./send-transfer-commands.js";
import { issueRound } from "./start-issuing.js";
import { byRules, ofDso, type Economy, type Task, type Trigger } from "./trigger.js";

/** Others are for votes. */
const kinds: readonly ActionKind<any>[] = [issueRound, archiveRound, createCounter, collectFirstPayment, rejectFirstPayment];

export const executeConfirmedActions: Trigger = {
  name: "execute-confirmed-actions",
  what: "does what enough SVs have confirmed",
  async due(economy, now) {
    const { svs } = economy.dsoRules.payload,
      parties = new Set(svs.map(([party]) => party));
    const confirmations = (await ofDso<Confirmation>(economy, templates.confirmation)).filter(
      ({ payload }) => parties.has(payload.confirmer) && instantOf(payload.expiresAt) > now,
    );
    const actions = groupBy(confirmations, ({ payload }) => JSON.stringify(payload.action)).values();
    return {
      tasks: [...actions].flatMap((all) => {
        const byConfirmer = [...groupBy(all, ({ payload }) => payload.confirmer).values()].map(([first]) => first);
        return byConfirmer.length < votesNeeded(svs.length) ? [] : (execution(economy, all[0].payload.action, byConfirmer, now) ?? []);
      }),
    };
  },
};

/** Undefined: automation knows no such action. */
function execution(economy: Economy, action: Action, confirmations: readonly Contract[], now: bigint): Task | undefined {
  const kind = kinds.find((each) => argumentOf(each, action) !== undefined),
    last = confirmations.at(-1)!;
  if (kind === undefined) return undefined;
  const submission = async () => {
    if (await kind.isOver(economy, argumentOf(kind, action), now)) return undefined;
    return byRules(economy, "DsoRules_ExecuteConfirmedAction", {
      action,
      amuletRulesCid: economy.amuletRules.contractId,
      confirmationCids: idsOf(confirmations),
    });
  };
  return { key: last.contractId, since: instantOf(last.createdAt), submission };
}
