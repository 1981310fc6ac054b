/** Runs recorded static upgrade checks; with several violations only the verdict is comparable, so classes are told apart. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../src/base/result.js";
import type { PackageId } from "../../src/lf/ast.js";
import { isUtilityPackage } from "../../src/lf/archive/index.js";
import { checkUpgrade } from "../../src/lf/upgrade.js";
import { packageReader, readPackages } from "./scenario-packages.js";

interface RecordedUpgrade {
  readonly case: string;
  readonly old: string;
  readonly new: string;
  readonly oldId: PackageId;
  readonly newId: PackageId;
  readonly verdict: "ok" | "error" | "skipped";
  readonly class?: string;
}

export interface UpgradeCount {
  readonly cases: number;
  readonly equal: number;
  readonly skipped: number;
  /** The verdict is another one. */
  readonly differences: readonly string[];
  /** Refused by both, for different reasons. */
  readonly otherClasses: readonly string[];
}

export function runUpgrades(folder: string, darFolder = join(folder, "dars-upgrade")): UpgradeCount {
  const recorded = JSON.parse(readFileSync(join(folder, "upgrades.json"), "utf8")) as readonly RecordedUpgrade[];
  const differences: string[] = [];
  const otherClasses: string[] = [];
  let skipped = 0;
  for (const expected of recorded) {
    if (![expected.old, expected.new].every((dar) => existsSync(join(darFolder, `${dar}.dar`)))) {
      skipped += 1;
      continue;
    }
    const actual = verdict(expected, darFolder);
    const shown = `${expected.case}: recorded ${expected.verdict} ${expected.class ?? ""}, ours ${actual.verdict} ${actual.class ?? ""}`;
    if (actual.verdict !== expected.verdict) differences.push(shown);
    else if (actual.class !== expected.class) otherClasses.push(shown);
  }
  return {
    cases: recorded.length,
    equal: recorded.length - skipped - differences.length - otherClasses.length,
    skipped,
    differences,
    otherClasses,
  };
}

/** Every recorded pair that is here, with the sentence that refuses it. */
export function refusedUpgrades(folder: string): ReadonlyMap<string, { readonly class: string; readonly message: string }> {
  const recorded = JSON.parse(readFileSync(join(folder, "upgrades.json"), "utf8")) as readonly RecordedUpgrade[];
  const refused = new Map<string, { readonly class: string; readonly message: string }>();
  for (const pair of recorded) {
    const { class: class_, message } = verdict(pair, join(folder, "dars-upgrade"));
    if (class_ !== undefined && message !== undefined) refused.set(pair.case, { class: class_, message });
  }
  return refused;
}

function verdict(
  { old, new: new_, oldId, newId }: RecordedUpgrade,
  darFolder: string,
): { readonly verdict: string; readonly class?: string; readonly message?: string } {
  const packages = readPackages(darFolder, [
    { dar: old, packageId: oldId },
    { dar: new_, packageId: newId },
  ]);
  const [older, newer] = [packages.get(oldId), packages.get(newId)];
  if (older === undefined || newer === undefined) return { verdict: "missing package" };
  if (isUtilityPackage(older) || isUtilityPackage(newer)) return { verdict: "skipped" };
  const result = checkUpgrade(older, newer, packageReader(packages));
  return isFailure(result) ? { verdict: "error", class: result.error.class, message: result.error.message } : { verdict: "ok" };
}
