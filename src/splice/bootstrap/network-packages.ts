/** Which packages a network runs on: of each name the newest, all of one generation. */
import { fail, ok, type Result } from "../../base/result.js";
import type { PackageSummary } from "../../ledger/index.js";
import { comparePackages, comparePackageVersions } from "../../lf/index.js";
import { amuletOf, generationOf, type Generation } from "../generations.js";
import { packageNames } from "../names.js";

export interface NetworkPackages {
  readonly generation: Generation;
  /** Of the governance, which makes the network. */
  readonly governanceId: string;
  readonly versions: { readonly [Part in keyof typeof packageNames]: string };
}

type Lookup = ReadonlyMap<string, PackageSummary>;

/** `given`: those that are or will be vetted, beside whatever they refer to. Why not, in words for the operator. */
export function chooseNetworkPackages(given: readonly PackageSummary[]): Result<NetworkPackages, string> {
  const byId: Lookup = new Map(given.map((summary) => [summary.packageId, summary]));
  const newest = (name: string): PackageSummary | undefined =>
    [...byId.values()]
      .filter((summary) => summary.name === name)
      .sort(comparePackages)
      .at(-1);
  const missing = needed.filter((name) => newest(name) === undefined);
  if (missing.length > 0) return fail(`there is no ${missing.join(", no ")}`);
  const twins = twinsAmong([...byId.values()].filter(({ name }) => ownNames.has(name)));
  if (twins) return fail(`there are two packages ${twins.name} ${twins.version}`);

  const governance = newest(packageNames.governance)!;
  if (comparePackageVersions(governance.version, oldestGovernance) < 0)
    return fail(`${title(governance)} is too old: networks are kept alive from ${packageNames.governance} ${oldestGovernance} on`);

  const amulet = newest(packageNames.amulet)!,
    generation = generationOf(amulet);
  for (const name of [packageNames.governance, packageNames.wallet]) {
    const user = newest(name)!,
      used = amuletOf(user, byId);
    if (used === undefined || generationOf(used) === generation) continue;
    const advice = `add the ${name} of that, or take ${title(amulet)} away`;
    return fail(`${title(user)} is made for ${title(used)}, which does not go together with ${title(amulet)}: ${advice}`);
  }
  const versions = Object.entries(packageNames).map(([part, name]) => [part, (newest(name) ?? amulet).version] as const);
  return ok({
    generation,
    governanceId: governance.packageId,
    versions: Object.fromEntries(versions) as NetworkPackages["versions"],
  });
}

/** In those before not every SV may do what is due. */
const oldestGovernance = "0.1.13";
/** The others come with them. */
const needed = [packageNames.amulet, packageNames.governance, packageNames.wallet, packageNames.validatorLifecycle];
const ownNames: ReadonlySet<string> = new Set(Object.values(packageNames));
const title = ({ name, version }: PackageSummary): string => `${name} ${version}`;

function twinsAmong(summaries: readonly PackageSummary[]): PackageSummary | undefined {
  const seen = new Set<string>();
  return summaries.find((summary) => {
    const isSeen = seen.has(title(summary));
    seen.add(title(summary));
    return isSeen;
  });
}
