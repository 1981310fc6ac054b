/** What featured apps marked as activity of theirs becomes coupons of the round that is open, many markers at a time. */
import { microsOf } from "../../base/clock.js";
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { comparePackageVersions } from "../../lf/index.js";
import type { Contract } from "../contracts.js";
import { amuletOf } from "../generations.js";
import { instantOf } from "../instants.js";
import { packageNames, templates } from "../names.js";
import type { OfDso } from "../network.js";
import { batchOf } from "./batch.js";
import { idsOf } from "./reward-coupons.js";
import { byRules, dueAt, nothingDue, ofDsoWhere, type Economy, type Trigger } from "./trigger.js";

interface Marker extends OfDso {
  readonly provider: Party;
  readonly beneficiary: Party;
}

const gatheringMicros = microsOf(limits.activityMarkersGatherSeconds);

export const convertActivityMarkers: Trigger = {
  name: "convert-activity-markers",
  what: "makes coupons of what featured apps marked as activity of theirs",
  async due(economy, now, isWaiting) {
    const max = limits.automationContractsMax;
    const markers = await ofDsoWhere<Marker>(economy, templates.featuredAppActivityMarker, ({ contractId }) => !isWaiting(contractId), max),
      [oldest] = markers;
    if (oldest === undefined) return nothingDue;
    const round = await economy.network.usableRound(economy.dso);
    if (isFailure(round)) return nothingDue;
    const openMiningRoundCid = round.ok.contractId,
      since = instantOf(oldest.createdAt);
    const convert = (some: readonly Contract<Marker>[]) =>
      byRules(economy, "DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers", {
        amuletRulesCid: economy.amuletRules.contractId,
        argument: { markerCids: idsOf(some), openMiningRoundCid, ...(knowsObservers(economy) ? { observers: stakeholdersOf(some) } : {}) },
      });
    return dueAt(now, [{ at: markers.length === max ? since : since + gatheringMicros, task: () => batchOf(markers, convert) }]);
  },
};

const stakeholdersOf = (markers: readonly Contract<Marker>[]): readonly Party[] => [
  ...new Set(markers.flatMap(({ payload: { provider, beneficiary, dso } }) => [provider, beneficiary, dso])),
];

/** Whether who has a part in it may be shown all of it, by the Amulet that the rules were compiled with. */
function knowsObservers({ ledger, newest }: Economy): boolean {
  const governance = newest(packageNames.governance),
    used = governance && amuletOf(governance, { get: (id) => ledger.packageSummary(id) });
  return used !== undefined && comparePackageVersions(used.version, firstWithObservers) >= 0;
}
const firstWithObservers = "0.1.16";
