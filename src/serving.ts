/** What a node serves, and where. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  ledgerApi,
  nodeApi,
  type ReferencePage,
  registryApis,
  scanApi,
  serveApis,
  validatorApis,
  type Served,
  type Services,
} from "./api/index.js";
import { secretOf, type Authentication } from "./auth/index.js";
import { StaticClock, type Clock } from "./base/clock.js";
import type { Log, LogTail } from "./base/log.js";
import { isFailure } from "./base/result.js";
import type { Turns } from "./base/turns.js";
import { helpText, type StartOptions } from "./command-line.js";
import { limits, validatorUserDefault } from "./config.js";
import { BodyBudget, startTransport, type Route, type Transport } from "./http/index.js";
import { type Participant, participantNameOf } from "./ledger/index.js";
import { clashAmong, createSplice, readTokenRegistries, type Splice, type TokenRegistry } from "./splice/index.js";
import { StartFailure } from "./start-failure.js";
import { metricTable, type Metrics } from "./telemetry/index.js";
import { version } from "./version.js";

/** Ports at which one validator is found; everything else is the same at all of them. */
export interface Site {
  readonly name: string;
  /** The user whose primary party operates the validator. */
  readonly operator: string;
  readonly ports: readonly number[];
}

/** In the folder of the node: what Scan tells of each participant's ledger, as it was printed. */
const printedFolder = "scan-printed";

export interface ServingParts {
  /** Where the node lives. */
  readonly folder: string;
  readonly ledger: Participant;
  readonly authentication: Authentication;
  readonly clock: Clock;
  readonly log: Log;
  readonly turns: Turns;
  readonly metrics: Metrics;
  /** Of all that this process serves. */
  readonly bodies: BodyBudget;
  /** Undefined: one, at the port that is asked for. */
  readonly sites: readonly Site[] | undefined;
  /** Of the process, where it may be told. */
  readonly logTail: LogTail | undefined;
  /** Resolves when what follows from a move of static time was done. */
  readonly settle: (() => Promise<unknown>) | undefined;
}

export interface Serving {
  /** The first. */
  readonly port: number;
  readonly transport: Transport["kind"];
  readonly bodiesBytes: number;
  openStreams(): number;
  /** Up to here what Scan tells is printed. */
  scanPrintedOffset(): number;
  /** False if something still ran after `drainMs`. */
  close(drainMs: number): Promise<boolean>;
}

/** What is to be known beside the APIs. */
const programReference: readonly ReferencePage[] = [
  { path: "/docs/command-line", title: "The command line", write: () => `\`\`\`text\n${helpText().trimEnd()}\n\`\`\`` },
  { path: "/docs/metrics", title: "Metrics", write: metricTable },
];

export const bodyBudget = (): BodyBudget => new BodyBudget(limits.bodiesBytesMax);

/** What the sites of a node share. */
interface Shared extends ServingParts {
  readonly services: Services;
  readonly splice: Splice;
}

/** A site that is open. */
interface Open {
  readonly served: Served;
  readonly transport: Transport;
}

export async function serve(options: StartOptions, parts: ServingParts): Promise<Serving> {
  const { ledger, clock, settle, logTail } = parts,
    alone: Site = { name: "", operator: validatorUserDefault, ports: [options.port] };
  let isReady = true;
  const services: Services = {
    ledger,
    settle,
    logTail,
    administration: ledger.administration,
    ready: () => isReady,
    staticTime: options.staticTime,
    staticClock: clock instanceof StaticClock ? clock : undefined,
  };
  const printing = {
    folder: join(parts.folder, printedFolder, participantNameOf(ledger.participantId)),
    version,
    warn: (message: string) => parts.log.warn(message),
  };
  const splice = createSplice({ ledger, registries: tokenRegistriesOf(options, ledger), printing });
  const shared: Shared = { ...parts, services, splice },
    open: Open[] = [];
  const close = async (drainMs: number): Promise<boolean> => {
    isReady = false;
    for (const { served } of open) served.endStreams();
    const drained = await Promise.all(open.map(({ transport }) => transport.close(drainMs)));
    await splice.close();
    return drained.every((each) => each);
  };
  try {
    for (const site of parts.sites ?? [alone]) open.push(await openSite(options, site, shared));
  } catch (error) {
    await close(0);
    throw error;
  }
  void splice.resume();
  const [{ transport }] = open as [Open, ...Open[]];
  return {
    port: transport.port,
    transport: transport.kind,
    close,
    get bodiesBytes() {
      return shared.bodies.held;
    },
    scanPrintedOffset: () => splice.printedOffset(),
    openStreams: () => open.reduce((sum, { served }) => sum + served.openStreams(), 0),
  };
}

async function openSite(options: StartOptions, site: Site, shared: Shared): Promise<Open> {
  const { authentication, log, turns, metrics, services, bodies } = shared,
    { host, allowedHosts, allowedOrigins } = options;
  const splice = shared.splice.operatedBy(site.operator),
    spliceServices = { splice, ready: services.ready, version };
  const apis = [
    ledgerApi({ services, authentication }),
    nodeApi({ services, authentication }),
    scanApi(spliceServices),
    ...registryApis({ splice, authentication }),
    ...validatorApis({ services: spliceServices, authentication }),
  ];
  const served = serveApis(apis, {
    log,
    turns,
    origins: { tokens: authentication.enabled, host, allowedHosts, allowedOrigins },
    listElementsMax: options.listElementsMax,
    listWaitMs: options.listWaitMs,
    console: options.console,
    pages: programReference,
    observe: (operation, outcome, seconds) => metrics.observe(operation, outcome, seconds),
  });
  const [port, ...otherPorts] = site.ports as [number, ...number[]];
  const transport = await startTransport({
    ...served,
    routes: [...served.routes, served.guarded(metricsRoute(metrics), { authentication, token: metricsTokenOf(options, log) })],
    host,
    port,
    otherPorts,
    bodies,
    turns,
    transport: options.transport,
    onError: (error) =>
      log.error("the transport met an error", { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  }).catch((error: Error) => {
    throw new StartFailure(error.message);
  });
  const place = site.name === "" ? {} : { site: site.name, ports: site.ports.join(", ") };
  const participant = participantNameOf(shared.ledger.participantId);
  log.info("listening", { ...described(options), participant, transport: transport.kind, host, port: transport.port, ...place });
  return { served, transport };
}

function tokenRegistriesOf({ tokenRegistries }: StartOptions, { participantId }: Participant): readonly TokenRegistry[] {
  const namespace = participantId.slice(participantId.indexOf("::") + "::".length);
  const registries = tokenRegistries.flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      throw new StartFailure(`--token-registry: cannot read ${file}: ${(error as Error).message}`);
    }
    const read = readTokenRegistries(file, text, { namespace });
    if (isFailure(read)) throw new StartFailure(`--token-registry: ${read.error}`);
    return read.ok;
  });
  const clash = clashAmong(registries);
  if (clash !== undefined) throw new StartFailure(`--token-registry: ${clash}`);
  return registries;
}

/** What a log says of a node. No secrets: of each authentication service its kind alone. */
const described = (options: StartOptions) => ({
  version,
  data: options.memory ? "memory" : resolve(options.data),
  durability: options.durability,
  auth: options.auth.map((service) => service.split(":", 1)[0]).join(",") || "none",
});

function metricsTokenOf({ metricsToken }: StartOptions, log: Log): string | undefined {
  if (metricsToken === undefined) return undefined;
  const secret = secretOf(metricsToken, (message) => log.warn(message));
  if (isFailure(secret)) throw new StartFailure(`--metrics-token: ${secret.error}`);
  return secret.ok;
}

const metricsRoute = (metrics: Metrics): Route => ({
  method: "GET",
  path: "/metrics",
  bodyBytesMax: limits.bodyBytesMax,
  handle: async () => ({
    status: 200,
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    body: await metrics.text(),
  }),
});
