/** What should be one contract, but became several, is made one again. */
import { groupBy } from "../../base/group-by.js";
import { limits } from "../../config.js";
import { instantOf } from "../instants.js";
import { templates, type Name } from "../names.js";
import type { OfDso } from "../network.js";
import { idsOf } from "./reward-coupons.js";
import { byRules, ofDso, type Economy, type Trigger } from "./trigger.js";

interface Kind<P> {
  readonly name: string;
  readonly what: string;
  readonly template: Name;
  /** Contracts with the same text are to be one. */
  readonly of: (payload: P) => string;
  /** As many may stay apart. */
  readonly keptApart: (economy: Economy) => number;
  readonly choice: string;
  readonly argument: (economy: Economy, contractIds: readonly string[], payload: P) => object;
}

export const mergeTraffic = merging<{ readonly memberId: string; readonly synchronizerId: string; readonly migrationId: string }>({
  name: "merge-traffic",
  what: "puts the traffic that was bought for a member together in one contract, where there are many of them",
  template: templates.memberTraffic,
  of: ({ memberId, synchronizerId, migrationId }) => [memberId, synchronizerId, migrationId].join(),
  keptApart: ({ dsoRules }) => Number(dsoRules.payload.config.numMemberTrafficContractsThreshold),
  choice: "DsoRules_MergeMemberTrafficContracts",
  argument: ({ amuletRules }, trafficCids) => ({ amuletRulesCid: amuletRules.contractId, trafficCids }),
});

export const mergeLicenses = merging<{ readonly validator: string }>({
  name: "merge-licenses",
  what: "leaves one license to a validator that has several",
  template: templates.validatorLicense,
  of: ({ validator }) => validator,
  keptApart: () => 1,
  choice: "DsoRules_MergeValidatorLicense",
  argument: (_, validatorLicenseCids) => ({ validatorLicenseCids }),
});

export const mergeRewardStates = merging<{ readonly svName: string }>({
  name: "merge-reward-states",
  what: "does the same for what is kept of an SV's rewards, which who comes back has anew",
  template: templates.svRewardState,
  of: ({ svName }) => svName,
  keptApart: () => 1,
  choice: "DsoRules_MergeSvRewardState",
  argument: (_, rewardStateCids, { svName }) => ({ svName, rewardStateCids }),
});

function merging<P>({ name, what, template, of, keptApart, choice, argument }: Kind<P>): Trigger {
  return {
    name,
    what,
    restSeconds: limits.automationRestSeconds,
    async due(economy) {
      const groups = groupBy(await ofDso<P & OfDso>(economy, template), ({ payload }) => of(payload));
      const many = [...groups].filter(([, contracts]) => contracts.length > keptApart(economy));
      return {
        tasks: many.map(([key, contracts]) => {
          const oldest = contracts.slice(0, limits.automationContractsMax),
            { payload, createdAt } = contracts.at(-1)!;
          const submission = () => byRules(economy, choice, argument(economy, idsOf(oldest), payload));
          return { key, since: instantOf(createdAt), submission };
        }),
      };
    },
  };
}
