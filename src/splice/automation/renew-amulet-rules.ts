/**
 * Rules of the older generation stop working when packages of the newer one are uploaded: names then mean the new packages,
 * to which transfer fees are an invalid configuration, and they look for states of the configuration that nobody made. So
 * the rules are made again, without fees, and with those states. Their own package has to archive them: to the new one they
 * are invalid.
 */
import type { PackageSummary } from "../../ledger/index.js";
import { fees } from "../bootstrap/index.js";
import { amuletOf, generationOf } from "../generations.js";
import { instantOf } from "../instants.js";
import { packageIdOf, packageNames, templates } from "../names.js";
import type { AmuletConfig } from "../network.js";
import { openRoundTriple } from "./open-round-triple.js";
import { nothingDue, type Economy, type Trigger } from "./trigger.js";

export const renewAmuletRules: Trigger = {
  name: "renew-amulet-rules",
  what: "makes the rules anew when packages of a newer generation were uploaded",
  async due(economy) {
    const { amuletRules, dso } = economy,
      newest = economy.newest(packageNames.amulet);
    if (newest === undefined || !isOutdated(economy, newest)) return nothingDue;
    const governance = economy.newest(packageNames.governance),
      used = governance && amuletOf(governance, lookupOf(economy));
    if (used === undefined || generationOf(used) === "rounds")
      return blocked(`${newest.name} ${newest.version} was uploaded, but not the ${packageNames.governance} that goes with it`);
    const triple = await openRoundTriple(economy);
    if (triple === undefined) return blocked("there are not three open rounds");
    const { entity } = templates.amuletRules,
      { configSchedule, ...rest } = amuletRules.payload;
    const archive = { templateId: amuletRules.templateId, contractId: amuletRules.contractId, choice: "Archive", choiceArgument: {} };
    const make = {
      templateId: `${newest.packageId}:${entity}`,
      createArguments: { ...rest, configSchedule: withoutFees(configSchedule, economy) },
      choice: "AmuletRules_BootstrapExternalPartyConfigState",
      choiceArgument: { openMiningRoundTriple: triple, expectedDso: dso },
    };
    const commands = [{ ExerciseCommand: archive }, { CreateAndExerciseCommand: make }];
    const submission = () => ({ actAs: [dso], commands });
    return { tasks: [{ key: amuletRules.contractId, since: instantOf(amuletRules.createdAt), submission }] };
  },
};

const blocked = (obstacle: string) => ({ tasks: [], obstacle });

/** Whether rules are of an older generation than the packages that their names mean. */
export function isOutdated({ ledger, amuletRules }: Pick<Economy, "ledger" | "amuletRules">, newest: PackageSummary): boolean {
  const own = ledger.packageSummary(packageIdOf(amuletRules.templateId));
  return own !== undefined && generationOf(own) === "rounds" && generationOf(newest) === "configStates";
}

const lookupOf = ({ ledger }: Economy) => ({ get: (id: string) => ledger.packageSummary(id) });

interface Schedule {
  readonly initialValue: AmuletConfig;
  readonly futureValues: readonly { readonly _1: unknown; readonly _2: AmuletConfig }[];
}

function withoutFees(schedule: unknown, economy: Economy): Schedule {
  const { initialValue, futureValues } = schedule as Schedule;
  const renewed = (config: AmuletConfig): AmuletConfig => ({
    ...config,
    transferConfig: { ...config.transferConfig, ...fees.configStates },
    packageConfig: { ...config.packageConfig, ...newestVersions(economy) },
    featuredAppActivityMarkerAmount: config.transferConfig.extraFeaturedAppRewardAmount,
  });
  return { initialValue: renewed(initialValue), futureValues: futureValues.map(({ _1, _2 }) => ({ _1, _2: renewed(_2) })) };
}

function newestVersions({ newest }: Economy) {
  const named = {
    amulet: packageNames.amulet,
    amuletNameService: packageNames.nameService,
    dsoGovernance: packageNames.governance,
    validatorLifecycle: packageNames.validatorLifecycle,
    wallet: packageNames.wallet,
    walletPayments: packageNames.walletPayments,
  };
  const versions = Object.entries(named).map(([part, name]) => [part, newest(name)?.version] as const);
  return Object.fromEntries(versions.filter(([, version]) => version !== undefined));
}
