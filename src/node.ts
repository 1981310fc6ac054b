/** The composition root: the only file that knows every folder. It builds the node from below and closes it in reverse. */
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configureAuthentication, ReloadableAuthentication, type Authentication } from "./auth/index.js";
import { Damage, type Ending, found, onEnding, Unwritable } from "./base/damage.js";
import { StaticClock, wallClock } from "./base/clock.js";
import { flushToDisk } from "./base/flush-to-disk.js";
import type { Log } from "./base/log.js";
import { isLoopback } from "./base/loopback.js";
import { isFailure, ok, type Result } from "./base/result.js";
import { Turns } from "./base/turns.js";
import { removeWhole } from "./base/whole-file.js";
import type { PruneCommandLine } from "./command-line.js";
import { limits } from "./config.js";
import {
  asUnusable,
  DataFolderUnusable,
  isOnReadOnlyMedium,
  lockDataFolder,
  lockDataFolderToRead,
  makePrivate,
  temporaryDataFolder,
  type DataFolder,
} from "./data-folder.js";
import {
  type Backup,
  backUpLedger,
  createNetwork,
  inWords,
  ledgerError,
  type LedgerErrorData,
  type Participant,
  ParticipantNameDiffers,
  ParticipantNotNamed,
  pruneLedger,
  showVersion,
  SynchronizersDiffer,
  type UpgradeCheck,
  type UpgradePair,
  type Progress,
  verifyLedger,
  type VerifyReport,
} from "./ledger/index.js";
import { bodyBudget, connectionsOfProcess, serve, type Serving, type ServingParts } from "./serving.js";
import { StartFailure } from "./start-failure.js";
import type { StartOptions } from "./start-options.js";
import {
  checkFile,
  dataFile,
  journalFile,
  lockFile,
  openingLockFile,
  reserveFile,
  Store,
  StoreDamaged,
  StoreFormatError,
  StoreNeedsAddresses,
  StoreNeedsRoom,
} from "./store/index.js";
import { createLog, Metrics, type ProcessLog, Tracing } from "./telemetry/index.js";
import { version } from "./version.js";
import { builtInPackages, EnginePool, type FailedUpgrade, type ParticipantEngine, usedDefinitionsFile } from "./workers/index.js";

export { StartFailure };

/** What is stored is not what was written: nothing may be served from it. */
export class LedgerDamaged extends StartFailure {}

export interface RunningNode {
  readonly port: number;
  readonly ledger: Participant;
  /** The participants beside it. */
  readonly doors: readonly { readonly name: string; readonly port: number; readonly participantId: string }[];
  /** Resolves if it must not run on: what is stored is damaged, or cannot be written any more. */
  readonly ending: Promise<Ending>;
  /** Why it runs no commands, though it is there for readers. */
  readonly impediment: string | undefined;
  /**
   * Reads certificates and secrets from their files again, and takes over the log level: all of it, or nothing where something
   * is wrong, which the log tells. Other settings are those of the start.
   */
  reload(asked: Result<StartOptions, string>): Promise<void>;
  /** To all participants on all their synchronizers, as those of the options. */
  uploadDar(bytes: Uint8Array): Promise<Result<void, LedgerErrorData>>;
  /** `why` is for the log. */
  close(drainMs: number, why: string): Promise<void>;
}

/** In the process of somebody else, perhaps one of many. */
export interface Embedded {
  /** Uploaded like those of the options. */
  readonly dars: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** The figures of an embedded node are loaded only when they are asked for. */
export async function startNode(asked: StartOptions, embedded?: Embedded): Promise<RunningNode> {
  const log = createLog(asked.logLevel);
  for (const flag of asked.shownSecrets)
    log.warn(`the secret of ${flag} is among the arguments, where every user of this machine sees it: use file:, or the environment`);
  if (asked.unknownVariables.length > 0)
    log.warn("variables of the environment say nothing here: no flag is called so", { variables: asked.unknownVariables.join(", ") });
  const closing: (() => void | Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    let failed: { readonly error: unknown } | undefined;
    for (const close of closing.splice(0).reverse())
      try {
        await close();
      } catch (error) {
        log.error("a part of the node could not be closed", { reason: String(error) });
        failed ??= { error }; // all else is closed first
      }
    if (failed !== undefined) throw failed.error;
  };
  const ending = new Promise<Ending>((resolve) => closing.push(onEnding(resolve))),
    servings: Serving[] = [];
  let measured: readonly Metrics[] = [];
  try {
    // Only who runs a network waits for its code.
    const host =
      asked.splice === undefined && asked.localnet === undefined ? undefined : (await import("./hosted-network.js")).networkHost(asked);
    const options = host?.options ?? asked;
    const folder = openFolder(options);
    closing.push(() => folder.release());
    const { portFile } = options;
    if (portFile !== undefined) {
      removeWhole(portFile, (text) => /^\d+\n/.test(text)); // an earlier one's, which was killed; one that runs has the folder
      closing.push(() => removeWhole(portFile, (text) => text.startsWith(`${servings[0]?.port}\n`)));
    }
    const opened = makePrivate(folder.path, [dataFile, journalFile, lockFile, openingLockFile, reserveFile, usedDefinitionsFile]);
    if (opened.length > 0) log.warn("files of the ledger could be read by others; now only by their owner", { files: opened.join(", ") });
    const turns = new Turns(limits.turnMs),
      clock = options.staticTime ? new StaticClock() : wallClock();
    const store = await Store.open({
      folder: folder.path,
      turns,
      sets: 1 + options.participants.length,
      keepsReserve: !options.memory,
      flushes: options.durability === "sync",
      warn: (message) => log.warn(message),
      onReplayed: (commits) => log.info("the file got from the journal what only that had", { commits }),
      proveUncounted: () => proveSound(folder.path),
    }).catch((error: unknown) => {
      throw asUnusable(folder.path, error);
    });
    closing.push(async () => {
      await store.close();
      if (options.durability === "none" && !options.memory) flushToDisk(join(folder.path, dataFile)); // from here on it is as with sync
    });
    const tracing = tracingOf(options, log, {
      instance: () => network.participants[0].participantName, // spans are of its commands
      onDropped: (spans) => measured[0]?.observeDroppedSpans(spans),
    });
    if (tracing !== undefined) closing.push(() => tracing.close());
    const pool = new EnginePool({
      dataFolder: folder.path,
      contractMode: "NUCK",
      isOwnProcess: embedded === undefined,
      workers: options.workers,
      log,
      spans: tracing,
      threads: new URL("./engine-thread.js", import.meta.url),
    });
    closing.push(() => pool.close());
    const network = await createNetwork({
      store,
      turns,
      interpreterOf: (participant) => pool.of(participant),
      clock,
      log,
      spans: tracing,
      checkUpgradeOf: (participant) => upgradeCheck(pool.of(participant)),
      submissionsRunning: () => pool.submissionsRunning,
      builtInPackages,
      participantNames: [options.participantName, ...options.participants.map(({ name }) => name)],
      synchronizers: options.synchronizers,
      foundingParticipantName: host?.participantName,
      identifierOf: host?.identifierOf,
      foundingSynchronizer: host?.synchronizer,
      synchronizersOf: (name) => options.participants.find((one) => one.name === name)?.synchronizers,
      selfAllocatedPartiesMax: options.selfAllocatedPartiesMax,
      verboseHashing: options.verboseHashing,
      clockBehindMaxSeconds: options.clockBehindMaxSeconds,
      deduplicationMaxSeconds: options.deduplicationMaxSeconds,
    });
    closing.push(() => network.close());
    const {
      participants: [ledger, ...others],
    } = network;
    const upload = async (name: string, bytes: Uint8Array): Promise<void> => {
      const uploaded = await uploadDar(network.participants, bytes);
      if (isFailure(uploaded)) throw new StartFailure(`${name} was refused: ${inWords(uploaded.error)}`);
    };
    for (const dar of options.dars) await upload(dar, readDar(dar));
    for (const { name, bytes } of embedded?.dars ?? []) await upload(name, bytes);
    measured = network.participants.map((participant, index) =>
      metricsOf({ ledger: participant, store, pool, log }, () => servings[index]!),
    );
    const metrics = measured[0]!;
    for (const each of measured) closing.push(() => each.close());
    const economy = await host?.start({ ledger, others, log, observe: (...task) => metrics.observeAutomation(...task) });
    if (economy) closing.push(() => economy.close());
    const connections = connectionsOfProcess(log),
      shared = { folder: folder.path, clock, log, turns, spans: tracing, bodies: bodyBudget(), connections },
      guards: Guard[] = [];
    const open = async (door: Door, at: StartOptions): Promise<void> => {
      const read = () => authenticationOf(at, door.ledger, log),
        authentication = new ReloadableAuthentication(await read());
      guards.push({ authentication, read });
      servings.push(await serve(at, { ...shared, ...door, authentication }));
      if (embedded === undefined) setImmediate(() => loadMetrics(door.metrics, log));
    };
    await open({ ledger, others, metrics, logTail: log, sites: host?.sites, settle: economy?.settle }, options);
    for (const [index, { port }] of options.participants.entries()) {
      await open(
        { ledger: others[index]!, others: [], metrics: measured[index + 1]!, logTail: undefined, sites: undefined, settle: undefined },
        { ...options, port, tokenRegistries: [] },
      );
    }
    if (!store.isProven) closing.push(checkWhileServing(pool, log));
    pool.keepWarm(); // only now: the ready line should not wait for it
    void ending.then(({ verdict, place, problem }) => log.error(`the ledger ${verdict}`, { place, problem }));
    return {
      port: servings[0]!.port,
      ending,
      ledger,
      doors: others.map(({ participantName, participantId }, index) => ({
        name: participantName,
        port: servings[index + 1]!.port,
        participantId,
      })),
      impediment: ledger.impediment(),
      reload: (again) => reload(again, { guards, log }),
      uploadDar: (bytes) => uploadDar(network.participants, bytes),
      async close(drainMs, why) {
        const since = performance.now();
        log.info("stopping", { why });
        const drained = (await Promise.all(servings.map((serving) => serving.close(drainMs)))).every((each) => each);
        await closeAll();
        log.info("stopped", { drained, tookMs: Math.round(performance.now() - since) });
      },
    };
  } catch (error) {
    await Promise.all(servings.map((serving) => serving.close(0)));
    await closeAll();
    throw asStartFailure(error);
  }
}

/** Of a file that was too large to be gone through before. Gives how to be no longer interested in it. */
function checkWhileServing(pool: EnginePool, log: Log): () => void {
  const began = performance.now();
  let isOver = false;
  pool.checkFile().then(
    (problem) => {
      if (problem !== undefined) found(new Damage("the ledger's file", problem));
      else log.info("the ledger's file holds what was written to it", { tookMs: Math.round(performance.now() - began) });
    },
    (error: Error) => {
      if (!isOver) log.error("the ledger's file could not be gone through", { reason: error.message });
    },
  );
  return () => (isOver = true);
}

/** Who is let in at a door, and how that is read from its files. */
interface Guard {
  readonly authentication: ReloadableAuthentication;
  readonly read: () => Promise<Authentication>;
}

async function reload(
  asked: Result<StartOptions, string>,
  { guards, log }: { readonly guards: readonly Guard[]; readonly log: ProcessLog },
): Promise<void> {
  try {
    if (isFailure(asked)) throw new StartFailure(asked.error);
    const read = await Promise.all(guards.map((guard) => guard.read()));
    for (const [index, { authentication }] of guards.entries()) authentication.replace(read[index]!);
    log.level = asked.ok.logLevel;
    log.info("read again", { logLevel: asked.ok.logLevel });
  } catch (error) {
    log.error("nothing was read again: what was there goes on", { reason: (error as Error).message });
  }
}

type TracedNode = Pick<ConstructorParameters<typeof Tracing>[0], "instance" | "onDropped">;

function tracingOf({ traces: url, tracesOneIn: oneIn }: StartOptions, log: Log, node: TracedNode): Tracing | undefined {
  return url === undefined ? undefined : new Tracing({ url, oneIn, version, log, ...node });
}

/** What of a participant is served. */
type Door = Pick<ServingParts, "ledger" | "others" | "metrics" | "logTail" | "sites" | "settle">;

/** What was found an upgrade once is not checked again. */
function upgradeCheck(engine: ParticipantEngine): UpgradeCheck {
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

const openFolder = (options: StartOptions): DataFolder => (options.memory ? temporaryDataFolder() : lockDataFolder(options.data));

function readDar(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartFailure(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

/** The bytes may be given away. */
async function uploadDar(participants: readonly Participant[], bytes: Uint8Array): Promise<Result<void, LedgerErrorData>> {
  const places = participants.flatMap((ledger) => ledger.synchronizers.map(({ id: synchronizerId }) => ({ ledger, synchronizerId })));
  for (const { ledger, synchronizerId } of places) {
    const own = places.length === 1 ? bytes : Uint8Array.from(bytes),
      uploaded = await ledger.uploadDar(own, { vetAllPackages: true, synchronizerId });
    if (isFailure(uploaded)) return uploaded;
  }
  return ok(undefined);
}

async function authenticationOf(options: StartOptions, ledger: Participant, log: Log): Promise<Authentication> {
  const configured = await configureAuthentication({
    services: options.auth,
    ...(options.authAudience === undefined ? {} : { targetAudience: options.authAudience }),
    ...(options.authScope === undefined ? {} : { targetScope: options.authScope }),
    lifeMaxSeconds: options.authTokenLifeMaxSeconds,
    leewaySeconds: options.authLeewaySeconds,
    listensOnLoopback: isLoopback(options.host),
    participantId: ledger.participantId,
    directory: ledger.administration,
    warn: (message) => log.warn(message),
  });
  if (isFailure(configured)) throw new StartFailure(`--auth: ${configured.error}`);
  return configured.ok;
}

interface Measured {
  readonly ledger: Participant;
  readonly store: Store;
  readonly pool: EnginePool;
  readonly log: ProcessLog;
}

/** Of all parts, when somebody looks: nobody can before the node serves. */
const metricsOf = ({ ledger, store, pool, log }: Measured, serving: () => Serving): Metrics =>
  new Metrics({
    figures: {
      isReady: () => serving().isReady(),
      ledgerEnd: () => ledger.ledgerEnd(),
      commandsInFlight: () => ledger.commandsInFlight(),
      engine: () => pool.load,
      openStreams: () => serving().openStreams(),
      bodiesBytes: () => serving().bodiesBytes,
      store: () => store.sizes(),
      oldestReaderCommits: () => store.oldestReaderCommits(),
      scanPrintedOffset: () => serving().scanPrintedOffset(),
      logLinesDropped: () => log.linesDropped,
    },
    build: () => ({ version, transport: serving().transport }),
  });

function loadMetrics(metrics: Metrics, log: Log): void {
  try {
    metrics.load();
  } catch (error) {
    log.error("there are no metrics until they are asked for", { reason: (error as Error).message });
  }
}

/** Once, before a file is believed that an earlier version wrote. */
async function proveSound(folder: string): Promise<void> {
  const report = await verifyLedger(folder);
  if (!report.sound) throw new StoreDamaged(report.text);
}

/** Checks a ledger that no process runs. */
export const verifyData = (path: string, progress?: Progress): Promise<VerifyReport> =>
  withDataAtRest(path, lockDataFolderToRead, (folder) => verifyLedger(folder, progress));

/** What a start would find wrong with the file of a ledger that no process runs, or that it is not for this version. */
export function fileDamage(folder: string): string | undefined {
  try {
    const checked = checkFile(folder, {
      wholeBytesMax: limits.startCheckBytesMax,
      logBytesMax: limits.startCheckLogBytesMax,
      withJournal: true,
    });
    return checked && isFailure(checked) ? checked.error.text : undefined;
  } catch (error) {
    if (error instanceof StoreFormatError) return error.message;
    throw asUnusable(folder, error);
  }
}

/** Prunes a ledger that no process runs; one that runs is pruned over its API. */
export async function pruneData({ data, ...options }: PruneCommandLine): Promise<void> {
  const pruned = await withDataAtRest(data, lockDataFolder, (folder) =>
    pruneLedger(folder, { ...options, clock: wallClock(), log: createLog("warn") }),
  );
  if (pruned === undefined) throw new StartFailure(`The ledger in ${data} has no participant ${options.participantName}.`);
  if (isFailure(pruned)) throw new StartFailure(`${pruned.error.code}: ${pruned.error.cause}`);
}

async function withDataAtRest<T>(path: string, lock: (path: string) => DataFolder, use: (folder: string) => Promise<T>): Promise<T> {
  requireLedger(path);
  try {
    const folder = lock(path);
    try {
      return await use(folder.path);
    } finally {
      folder.release();
    }
  } catch (error) {
    throw asStartFailure(asUnusable(path, error));
  }
}

/** Copies a ledger, whether a process runs it or not. On a read-only medium it must be at rest: there LMDB's readers cannot say what they read. */
export async function backUpData(path: string, target: string): Promise<Backup> {
  requireLedger(path);
  const backUp = (): Promise<Result<Backup, string>> => backUpLedger(path, target);
  const backup = await (isOnReadOnlyMedium(path) ? withDataAtRest(path, lockDataFolderToRead, backUp) : backUp()).catch(
    (error: unknown) => {
      throw asStartFailure(error);
    },
  );
  if (isFailure(backup)) throw new StartFailure(backup.error);
  return backup.ok;
}

function requireLedger(path: string): void {
  if (!existsSync(path)) throw new StartFailure(`There is no ledger in ${path}.`);
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw new StartFailure(`${path} cannot be read: ${(error as Error).message}. It has to belong to the user who runs this.`);
  }
}

function asStartFailure(error: unknown): unknown {
  if (error instanceof StoreDamaged) return new LedgerDamaged(error.message);
  if (error instanceof Damage) return new LedgerDamaged(`The ledger is damaged: ${error.message}.`);
  if (error instanceof Unwritable)
    return new StartFailure(`The ledger ${error.verdict}: ${error.message}. Its disk refuses what is written.`);
  return error instanceof DataFolderUnusable
    || error instanceof StoreFormatError
    || error instanceof StoreNeedsAddresses
    || error instanceof StoreNeedsRoom
    || error instanceof ParticipantNameDiffers
    || error instanceof ParticipantNotNamed
    || error instanceof SynchronizersDiffer
    ? new StartFailure(error.message)
    : error;
}
