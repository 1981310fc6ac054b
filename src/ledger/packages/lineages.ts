/**
 * Versions of a name that are vetted together are a lineage: each has to be an upgrade of the one before. A change concerns the lineages of
 * what is new and of all that this needs, windows of vetting aside: also what is not vetted yet or any more has its place in them.
 */
import { comparePackages, isEarlyStandardLibrary } from "../../lf/index.js";
import type { PackageSummary } from "../interpretation/index.js";
import { ledgerError, type LedgerErrorData } from "../model/index.js";

export interface UpgradePair {
  readonly older: PackageSummary;
  readonly newer: PackageSummary;
}

export interface LineageCheck {
  /** To be checked before the refusal is told: dependencies come first. */
  readonly pairs: readonly UpgradePair[];
  readonly refusal: LedgerErrorData | undefined;
}

/** `together`: all that would be vetted, the new ones among them. */
export function checkLineages(
  added: readonly PackageSummary[],
  together: readonly PackageSummary[],
  known: (packageId: string) => PackageSummary | undefined,
): LineageCheck {
  const pairs: UpgradePair[] = [],
    byName = lineages(together);
  for (const name of concernedNames(added, known)) {
    const lineage = byName.get(name) ?? [];
    const refusal = noStandardLibrary(lineage) ?? sameVersion(lineage);
    if (refusal !== undefined) return { pairs, refusal };
    pairs.push(...neighbours(lineage));
  }
  return { pairs, refusal: undefined };
}

/** In the order of their versions, without what is not upgraded. */
function lineages(together: readonly PackageSummary[]): ReadonlyMap<string, readonly PackageSummary[]> {
  const byName = new Map<string, PackageSummary[]>();
  for (const summary of together) {
    if (summary.isUtility || isEarlyStandardLibrary(summary.packageId)) continue;
    const lineage = byName.get(summary.name);
    if (lineage === undefined) byName.set(summary.name, [summary]);
    else lineage.push(summary);
  }
  for (const lineage of byName.values()) lineage.sort(comparePackages);
  return byName;
}

/** Of what is new and what it needs, dependencies first. What is not known leads no further. */
function concernedNames(added: readonly PackageSummary[], known: (packageId: string) => PackageSummary | undefined): ReadonlySet<string> {
  const names = new Set<string>(),
    visited = new Set<string>();
  const visit = (summary: PackageSummary): void => {
    if (visited.has(summary.packageId)) return;
    visited.add(summary.packageId);
    for (const id of summary.dependencies) {
      const dependency = known(id);
      if (dependency !== undefined) visit(dependency);
    }
    names.add(summary.name);
  };
  for (const summary of added) visit(summary);
  return names;
}

const neighbours = (lineage: readonly PackageSummary[]): readonly UpgradePair[] =>
  lineage.slice(1).map((newer, index) => ({ older: lineage[index]!, newer }));

export const showVersion = ({ packageId, name, version }: PackageSummary): string => `${packageId} (${name} v${version})`;

const reservedNames: readonly string[] = ["daml-prim", "daml-stdlib"];

function noStandardLibrary([first]: readonly PackageSummary[]): LedgerErrorData | undefined {
  if (first === undefined || !reservedNames.includes(first.name)) return undefined;
  return ledgerError(
    "DAML_PRIM_NOT_UTILITY_PACKAGE",
    `Tried to vet a package ${showVersion(first)}, but this package is not a utility package. All packages named \`daml-prim\` or \`daml-std-lib\` must be a utility package.`,
    { context: { packageToBeVetted: showVersion(first) } },
  );
}

function sameVersion(lineage: readonly PackageSummary[]): LedgerErrorData | undefined {
  const twins = neighbours(lineage).find(({ older, newer }) => older.version === newer.version);
  if (twins === undefined) return undefined;
  const [firstPackage, secondPackage] = [showVersion(twins.older), showVersion(twins.newer)];
  return ledgerError(
    "KNOWN_PACKAGE_VERSION",
    `Tried to vet two packages with the same name and version: ${firstPackage} and ${secondPackage}.`,
    { context: { firstPackage, secondPackage } },
  );
}
