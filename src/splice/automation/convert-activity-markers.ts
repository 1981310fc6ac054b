/** What featured apps marked as activity of theirs becomes coupons of the round that is open, many markers at a time. */
import { microsOf } from "../../base/clock.js";
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { batchOf } from "./batch.js";
import { idsOf } from "./reward-coupons.js";
import { byDso, dueAt, nothingDue, ofDsoWhere, type Trigger } from "./trigger.js";

const gatheringMicros = microsOf(limits.activityMarkersGatherSeconds);

export const convertActivityMarkers: Trigger = {
  name: "convert-activity-markers",
  what: "makes coupons of what featured apps marked as activity of theirs",
  async due(economy, now, isWaiting) {
    const max = limits.automationContractsMax;
    const markers = await ofDsoWhere(economy, templates.featuredAppActivityMarker, ({ contractId }) => !isWaiting(contractId), max),
      [oldest] = markers;
    if (oldest === undefined) return nothingDue;
    const round = await economy.network.usableRound(economy.dso);
    if (isFailure(round)) return nothingDue;
    const openMiningRoundCid = round.ok.contractId,
      since = instantOf(oldest.createdAt);
    const convert = (some: readonly Contract[]) =>
      byDso(
        economy,
        exercise(templates.amuletRules, economy.amuletRules.contractId, "AmuletRules_ConvertFeaturedAppActivityMarkers", {
          markerCids: idsOf(some),
          openMiningRoundCid,
        }),
      );
    return dueAt(now, [{ at: markers.length === max ? since : since + gatheringMicros, task: () => batchOf(markers, convert) }]);
  },
};
