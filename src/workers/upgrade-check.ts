/** What the ledger asks before it takes a package for an upgrade of another: the engine reads both. */
import { isFailure } from "../base/result.js";
import { limits } from "../config.js";
import { ledgerError, type LedgerErrorData, showVersion, type UpgradeCheck, type UpgradePair } from "../ledger/index.js";
import type { FailedUpgrade } from "./messages.js";
import type { ParticipantEngine } from "./participant-engine.js";

/** What was found an upgrade once is not checked again. */
export function upgradeCheck(engine: ParticipantEngine): UpgradeCheck {
  const passed = new Set<string>(),
    keyOf = ({ older, newer }: UpgradePair): string => `${older.packageId} ${newer.packageId}`;
  return async (pairs, added) => {
    const open = pairs.filter((pair) => !passed.has(keyOf(pair)));
    if (open.length === 0) return undefined;
    const checked = await engine.checkUpgrades(
      open.map(({ older, newer }) => ({ older: older.packageId, newer: newer.packageId })),
      added.flatMap(({ summary: { packageId }, payload }) => (payload === undefined ? [] : [{ packageId, payload }])),
    );
    if (isFailure(checked)) return noUpgrade(checked.error, open);
    if (passed.size + open.length > limits.upgradesKeptMax) passed.clear();
    for (const pair of open) passed.add(keyOf(pair));
    return undefined;
  };
}

function noUpgrade({ pair, reason }: FailedUpgrade, pairs: readonly UpgradePair[]): LedgerErrorData {
  const { older, newer } = pairs.find((one) => one.older.packageId === pair.older && one.newer.packageId === pair.newer)!;
  const [oldPackage, newPackage] = [showVersion(older), showVersion(newer)];
  return ledgerError(
    "NOT_VALID_UPGRADE_PACKAGE",
    `Upgrade checks indicate that ${newPackage} cannot be an upgrade of ${oldPackage}. Reason: ${reason}.`,
    {
      context: { newPackage, oldPackage, upgradeError: `${reason}.` },
    },
  );
}
