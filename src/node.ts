/** The composition root: the only file that knows every folder. It builds the node from below and closes it in reverse. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configureAuthentication, ReloadableAuthentication, type Authentication } from "./auth/index.js";
import { type Clock, StaticClock, wallClock } from "./base/clock.js";
import { Closing, waitForAll } from "./base/closing.js";
import { Damage, type Ending, found, onEnding } from "./base/damage.js";
import { flushToDisk } from "./base/flush-to-disk.js";
import type { Log } from "./base/log.js";
import { isLoopback } from "./base/loopback.js";
import { isFailure, ok, type Result } from "./base/result.js";
import { Turns } from "./base/turns.js";
import { removeWhole, writeProblem } from "./base/whole-file.js";
import { limits } from "./config.js";
import { asUnusable, lockDataFolder, makePrivate, temporaryDataFolder, type DataFolder } from "./data-folder.js";
import type { NetworkHost } from "./hosted-network.js";
import { createNetwork, inWords, type LedgerErrorData, type Network, type Participant, verifyLedger } from "./ledger/index.js";
import { bodyBudget, connectionsOfProcess, serve, type Serving, type ServingParts } from "./serving.js";
import { asStartFailure, StartFailure } from "./start-failure.js";
import { grpcPortOf, portFlag, type StartOptions } from "./start-options.js";
import {
  asNeedsRoom,
  dataFile,
  journalFile,
  lockFile,
  openingLockFile,
  reserveFile,
  openStore,
  type Store,
  StoreDamaged,
} from "./store/index.js";
import { createLog, Metrics, type ProcessLog, Tracing } from "./telemetry/index.js";
import { openTls } from "./tls.js";
import { version } from "./version.js";
import { builtInPackages, EnginePool, upgradeCheck, usedDefinitionsFile } from "./workers/index.js";

export interface RunningNode {
  readonly port: number;
  /** Of the gRPC Ledger API, where it is served. */
  readonly grpcPort: number | undefined;
  readonly ledger: Participant;
  /** The participants beside it. */
  readonly doors: readonly {
    readonly name: string;
    readonly port: number;
    readonly grpcPort: number | undefined;
    readonly participantId: string;
  }[];
  /** Resolves if it must not run on: what is stored is damaged, or cannot be written any more. */
  readonly ending: Promise<Ending>;
  /** Why it runs no commands now, though it is there for readers. */
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
  warnOf(asked, log);
  const closing = new Closing((error) => log.error("a part of the node could not be closed", { reason: String(error) })),
    servings: Serving[] = [],
    measured: Metrics[] = [];
  /** The doors first. False if something still ran there after `drainMs`. */
  const closeAll = async (drainMs: number): Promise<boolean> => {
    let drained: readonly boolean[] = [];
    closing.add(async () => (drained = await waitForAll(servings.map((serving) => serving.close(drainMs)))));
    await closing.close();
    return drained.every((each) => each);
  };
  const ending = new Promise<Ending>((resolve) => closing.add(onEnding(resolve)));
  try {
    // Only who runs a network waits for its code.
    const host =
      asked.splice === undefined && asked.localnet === undefined ? undefined : (await import("./hosted-network.js")).networkHost(asked);
    const options = host?.options ?? asked,
      opening: Opening = { options, log, closing };
    const stored = await openStored(opening, () => servings[0]?.port),
      { store, turns } = stored;
    const { network, pool, tracing } = await openNetwork(opening, stored, {
      host,
      isOwnProcess: embedded === undefined,
      onDroppedSpans: (spans) => measured[0]?.observeDroppedSpans(spans),
    });
    const { participants } = network,
      [ledger, ...others] = participants;
    await uploadDars(participants, options.dars, embedded);
    for (const [index, participant] of participants.entries()) {
      const metrics = metricsOf({ ledger: participant, store, pool, log }, () => servings[index]!);
      measured.push(metrics);
      closing.add(() => metrics.close());
    }
    const economy = await host?.start({ ledger, others, log, turns, observe: (...task) => measured[0]!.observeAutomation(...task) });
    if (economy) closing.add(() => economy.close());
    const rereads = await openDoors(opening, {
      ...stored,
      tracing,
      participants,
      measured,
      sites: host?.sites,
      settle: economy?.settle,
      loadsMetrics: embedded === undefined,
      servings,
    });
    if (!store.isProven) closing.add(checkWhileServing(pool, log));
    pool.keepWarm(); // only now: the ready line should not wait for it
    void ending.then(({ verdict, place, problem }) => log.error(`the ledger ${verdict}`, { place, problem }));
    return {
      port: servings[0]!.port,
      grpcPort: servings[0]!.grpcPort,
      ending,
      ledger,
      doors: others.map(({ participantName, participantId }, index) => ({
        name: participantName,
        port: servings[index + 1]!.port,
        grpcPort: servings[index + 1]!.grpcPort,
        participantId,
      })),
      get impediment() {
        return ledger.impediment();
      },
      reload: (again) => reload(again, { rereads, log }),
      uploadDar: (bytes) => uploadDar(participants, bytes),
      async close(drainMs, why) {
        const since = performance.now();
        log.info("stopping", { why });
        const drained = await closeAll(drainMs);
        log.info("stopped", { drained, tookMs: Math.round(performance.now() - since) });
      },
    };
  } catch (error) {
    await closeAll(0).catch(() => undefined); // the log has it; what is told is why it did not start
    throw asStartFailure(error);
  }
}

function warnOf({ shownSecrets, unknownVariables }: StartOptions, log: Log): void {
  for (const flag of shownSecrets)
    log.warn(`the secret of ${flag} is among the arguments, where every user of this machine sees it: use file:, or the environment`);
  if (unknownVariables.length > 0)
    log.warn("variables of the environment say nothing here: no flag is called so", { variables: unknownVariables.join(", ") });
}

/** What every part of a node is opened with. */
interface Opening {
  readonly options: StartOptions;
  readonly log: ProcessLog;
  /** Gets to know of whatever is open as soon as it is. */
  readonly closing: Closing;
}

/** Where a node lives, and what is stored there. */
interface Stored {
  /** Its path. */
  readonly folder: string;
  readonly store: Store;
  readonly turns: Turns;
  readonly clock: Clock;
}

/** `port`: once it listens. */
async function openStored({ options, log, closing }: Opening, port: () => number | undefined): Promise<Stored> {
  const folder = openFolder(options);
  closing.add(() => folder.release());
  const { portFile } = options;
  if (portFile !== undefined) {
    const why = writeProblem(portFile);
    if (why !== undefined) throw new StartFailure(`Cannot write ${portFile}: ${why}`);
    removeWhole(portFile, (text) => /^\d+\n/.test(text)); // an earlier one's, which was killed; one that runs has the folder
    closing.add(() => removeWhole(portFile, (text) => text.startsWith(`${port()}\n`)));
  }
  const opened = makePrivate(folder.path, [dataFile, journalFile, lockFile, openingLockFile, reserveFile, usedDefinitionsFile]);
  if (opened.length > 0) log.warn("files of the ledger could be read by others; now only by their owner", { files: opened.join(", ") });
  const turns = new Turns(limits.turnMs),
    clock = options.staticTime ? new StaticClock() : wallClock();
  const store = await openStore({
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
  closing.add(async () => {
    await store.close();
    if (options.durability === "none" && !options.memory) flushToDisk(join(folder.path, dataFile)); // from here on it is as with sync
  });
  return { folder: folder.path, store, turns, clock };
}

/** What runs commands on what is stored. */
interface Running {
  readonly network: Network;
  readonly pool: EnginePool;
  readonly tracing: Tracing | undefined;
}

interface RunningOptions {
  readonly host: NetworkHost | undefined;
  readonly isOwnProcess: boolean;
  readonly onDroppedSpans: (spans: number) => void;
}

async function openNetwork(
  { options, log, closing }: Opening,
  { folder, store, turns, clock }: Stored,
  { host, isOwnProcess, onDroppedSpans }: RunningOptions,
): Promise<Running> {
  const tracing = tracingOf(options, log, {
    instance: () => network.participants[0].participantName, // spans are of its commands
    onDropped: onDroppedSpans,
  });
  if (tracing !== undefined) closing.add(() => tracing.close());
  const pool = new EnginePool({
    dataFolder: folder,
    contractMode: "NUCK",
    isOwnProcess,
    workers: options.workers,
    log,
    spans: tracing,
    threads: new URL("./engine-thread.js", import.meta.url),
  });
  closing.add(() => pool.close());
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
  }).catch((error: unknown) => {
    throw asNeedsRoom(folder, error);
  });
  closing.add(() => network.close());
  return { network, pool, tracing };
}

async function uploadDars(participants: readonly Participant[], files: readonly string[], embedded: Embedded | undefined): Promise<void> {
  const upload = async (name: string, bytes: Uint8Array): Promise<void> => {
    const uploaded = await uploadDar(participants, bytes);
    if (isFailure(uploaded)) throw new StartFailure(`${name} was refused: ${inWords(uploaded.error)}`);
  };
  for (const file of files) await upload(file, readDar(file));
  for (const { name, bytes } of embedded?.dars ?? []) await upload(name, bytes);
}

/** What is served, and where it is put when it is. */
interface DoorsParts extends Pick<Stored, "folder" | "clock" | "turns">, Pick<ServingParts, "sites" | "settle"> {
  readonly tracing: Tracing | undefined;
  readonly participants: Network["participants"];
  /** By participant. */
  readonly measured: readonly Metrics[];
  /** Before somebody asks for them. */
  readonly loadsMetrics: boolean;
  /** Gets one for each participant; who made it closes them. */
  readonly servings: Serving[];
}

async function openDoors(
  { options, log }: Opening,
  { folder, clock, turns, tracing, participants, measured, sites, settle, loadsMetrics, servings }: DoorsParts,
): Promise<readonly Reread[]> {
  const [ledger, ...others] = participants,
    tls = options.tls && openTls(options.tls, (message) => log.warn(message)),
    shared = {
      folder,
      clock,
      log,
      turns,
      spans: tracing,
      bodies: bodyBudget(),
      connections: connectionsOfProcess(log),
      tls: tls?.identity,
    },
    rereads: Reread[] = tls === undefined ? [] : [tls.reread];
  const open = async (door: Door, at: StartOptions): Promise<void> => {
    const read = () => authenticationOf(at, door.ledger, log),
      authentication = new ReloadableAuthentication(await read());
    rereads.push(async () => {
      const again = await read();
      return () => authentication.replace(again);
    });
    const grpcPort = grpcPortOf(at, door.ledger === ledger, door.ledger.participantName);
    servings.push(await serve(at, { ...shared, ...door, authentication, grpcPort }));
    if (loadsMetrics) setImmediate(() => loadMetrics(door.metrics, log));
  };
  await open({ ledger, others, metrics: measured[0]!, logTail: log, sites, portFlag: portFlag(options), settle }, options);
  for (const [index, { name, port }] of options.participants.entries()) {
    await open(
      {
        ledger: others[index]!,
        others: [],
        metrics: measured[index + 1]!,
        logTail: undefined,
        sites: undefined,
        portFlag: portFlag(options, name),
        settle: undefined,
      },
      { ...options, port, tokenRegistries: [] },
    );
  }
  return rereads;
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

/** Reads again what is in files; gives how that is taken over, as all of it is or none. */
type Reread = () => (() => void) | Promise<() => void>;

async function reload(
  asked: Result<StartOptions, string>,
  { rereads, log }: { readonly rereads: readonly Reread[]; readonly log: ProcessLog },
): Promise<void> {
  try {
    if (isFailure(asked)) throw new StartFailure(asked.error);
    const read = await Promise.all(rereads.map(async (reread) => reread()));
    for (const take of read) take();
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
type Door = Pick<ServingParts, "ledger" | "others" | "metrics" | "logTail" | "sites" | "portFlag" | "settle">;

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
