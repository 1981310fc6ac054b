/** What featured apps marked as activity of theirs becomes coupons of the round that is open, many markers at a time. */
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { idsOf } from "./reward-coupons.js";
import { byDso, dueAt, nothingDue, ofDsoWhere, type Trigger } from "./trigger.js";

const gatheringMicros = BigInt(limits.activityMarkersGatherSeconds) * 1_000_000n;

export const convertActivityMarkers: Trigger = {
  name: "convert-activity-markers",
  what: "makes coupons of what featured apps marked as activity of theirs",
  async due(economy, now) {
    const markers = await ofDsoWhere(economy, templates.featuredAppActivityMarker, () => true, limits.automationContractsMax),
      [oldest] = markers;
    if (oldest === undefined) return nothingDue;
    const round = await economy.network.usableRound(economy.dso);
    if (isFailure(round)) return nothingDue;
    const argument = { markerCids: idsOf(markers), openMiningRoundCid: round.ok.contractId };
    const isFull = markers.length === limits.automationContractsMax,
      since = instantOf(oldest.createdAt);
    const convert = () =>
      byDso(
        economy,
        exercise(templates.amuletRules, economy.amuletRules.contractId, "AmuletRules_ConvertFeaturedAppActivityMarkers", argument),
      );
    return dueAt(now, [{ at: isFull ? since : since + gatheringMicros, task: () => ({ key: oldest.contractId, submission: convert }) }]);
  },
};
