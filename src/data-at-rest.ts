/** A ledger that no process runs: proved, examined, pruned; and copied, which one that runs is, too. */
import { accessSync, constants, existsSync } from "node:fs";
import { wallClock } from "./base/clock.js";
import { isFailure, type Result } from "./base/result.js";
import type { PruneCommandLine } from "./command-line.js";
import { limits } from "./config.js";
import {
  adviceOnDenial,
  asUnusable,
  isClosedToOwner,
  isOnReadOnlyMedium,
  lockDataFolder,
  lockDataFolderToRead,
  lockDataFolderToReadFromAfar,
  type DataFolder,
  type Purpose,
} from "./data-folder.js";
import { type Backup, backUpLedger, namesProblem, pruneLedger, type Progress, verifyLedger, type VerifyReport } from "./ledger/index.js";
import { asStartFailure, StartFailure } from "./start-failure.js";
import type { StartOptions } from "./start-options.js";
import { checkFile, dataFile, holdsAny, journalFile, lockFile, StoreFormatError } from "./store/index.js";
import { createLog } from "./telemetry/index.js";

/** Checks a ledger that no process runs. */
export const verifyData = (path: string, progress?: Progress): Promise<VerifyReport> =>
  withDataAtRest(path, toRead, async (folder) => {
    const report = await verifyLedger(folder, progress);
    return { ...report, text: report.text.replaceAll(folder, path) };
  });

interface Use {
  readonly purpose: Purpose;
  lock(path: string): DataFolder;
}

/** Also where its owner has made it read-only. */
const toRead: Use = {
  purpose: "be read",
  lock: (path) =>
    isClosedToOwner(path) ? lockDataFolderToReadFromAfar(path, [dataFile, journalFile], [lockFile]) : lockDataFolderToRead(path),
};
const toChange: Use = { purpose: "hold a ledger", lock: lockDataFolder };

export interface LedgerAtRest {
  /** What a start would find wrong with its file, or that it is not for this version. */
  readonly damage: string | undefined;
  /** False of a file whose first start did not get as far as its first user, and where there is none. */
  readonly isMade: boolean;
}

/** Of a folder that no process uses. */
export function examineFile(folder: string): LedgerAtRest {
  try {
    const checked = checkFile(folder, {
      wholeBytesMax: limits.startCheckBytesMax,
      logBytesMax: limits.startCheckLogBytesMax,
      withJournal: true,
    });
    if (checked && isFailure(checked)) return { damage: checked.error.text, isMade: true };
    return { damage: undefined, isMade: checked !== undefined && (!checked.ok.isWhole || holdsAny(checked.ok, ["users", "updates"])) };
  } catch (error) {
    if (error instanceof StoreFormatError) return { damage: error.message, isMade: true };
    throw asUnusable(folder, error);
  }
}

/** Why a start with these flags would refuse the ledger that is there, by who is in it. */
export const namesProblemOf = (
  path: string,
  { participantName, participants, synchronizers }: Pick<StartOptions, "participantName" | "participants" | "synchronizers">,
): Promise<string | undefined> =>
  withDataAtRest(path, toRead, (folder) =>
    namesProblem(folder, { participantNames: [participantName, ...participants.map(({ name }) => name)], synchronizers }),
  );

/** Prunes a ledger that no process runs; one that runs is pruned over its API. */
export async function pruneData({ data, ...options }: PruneCommandLine): Promise<void> {
  const pruned = await withDataAtRest(data, toChange, (folder) =>
    pruneLedger(folder, { ...options, clock: wallClock(), log: createLog("warn") }),
  );
  if (pruned === undefined) throw new StartFailure(`The ledger in ${data} has no participant ${options.participantName}.`);
  if (isFailure(pruned)) throw new StartFailure(`${pruned.error.code}: ${pruned.error.cause}`);
}

async function withDataAtRest<T>(path: string, { purpose, lock }: Use, use: (folder: string) => Promise<T>): Promise<T> {
  requireLedger(path);
  try {
    const folder = lock(path);
    try {
      return await use(folder.path);
    } finally {
      folder.release();
    }
  } catch (error) {
    throw asStartFailure(asUnusable(path, error, purpose));
  }
}

/** Copies a ledger, whether a process runs it or not. Where nothing can be written it must be at rest: there LMDB's readers cannot say what they read. */
export async function backUpData(path: string, target: string): Promise<Backup> {
  requireLedger(path);
  const backUp = (folder: string): Promise<Result<Backup, string>> => backUpLedger(folder, target),
    isAtRest = isOnReadOnlyMedium(path) || isClosedToOwner(path);
  const backup = await (isAtRest ? withDataAtRest(path, toRead, backUp) : backUp(path)).catch((error: unknown) => {
    throw asStartFailure(error);
  });
  if (isFailure(backup)) throw new StartFailure(backup.error);
  return backup.ok;
}

function requireLedger(path: string): void {
  if (!existsSync(path)) throw new StartFailure(`There is no ledger in ${path}.`);
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw new StartFailure(`${path} cannot be read: ${(error as Error).message}. ${adviceOnDenial(path, "be read")}`);
  }
}
