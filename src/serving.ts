/** What a node serves, and where. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ownApis, type ReferencePage, serveApis, type Served, type Services, spliceErrors } from "./api/index.js";
import { secretOf, type Authentication } from "./auth/index.js";
import { StaticClock, type Clock } from "./base/clock.js";
import { closeAll, waitForAll } from "./base/closing.js";
import { stackOf } from "./base/error-text.js";
import type { Log, LogTail } from "./base/log.js";
import { openFilesMax } from "./base/open-files.js";
import { isFailure } from "./base/result.js";
import type { Spans } from "./base/spans.js";
import type { Turns } from "./base/turns.js";
import { helpText } from "./command-line.js";
import { limits, validatorUserDefault } from "./config.js";
import type { GrpcServer } from "./grpc/index.js";
import { BodyBudget, CannotListen, Connections, connectionsMax, startTransport } from "./http/index.js";
import type { Route, TlsIdentity, Transport } from "./http/index.js";
import type { Participant } from "./ledger/index.js";
import { userAtSite } from "./site-user.js";
import { StartFailure } from "./start-failure.js";
import type { StartOptions } from "./start-options.js";
import { metricTable, type Metrics } from "./telemetry/index.js";
import type { TokenStandard } from "./token-standard.js";
import { version } from "./version.js";

/** Ports at which one validator is found; everything else is the same at all of them. */
export interface Site {
  readonly name: string;
  /** The user whose primary party operates the validator. */
  readonly operator: string;
  readonly ports: readonly number[];
  /** Of the gRPC Ledger API, unless another is asked for. */
  readonly grpcPort?: number | undefined;
}

/** In the folder of the node: what Scan tells of each participant's ledger, as it was printed. */
const printedFolder = "scan-printed";

export interface ServingParts {
  /** Where the node lives. */
  readonly folder: string;
  readonly ledger: Participant;
  /** The participants beside it: a site of the name of one is that of its validator. */
  readonly others: readonly Participant[];
  readonly authentication: Authentication;
  readonly clock: Clock;
  readonly log: Log;
  readonly turns: Turns;
  readonly metrics: Metrics;
  /** Absent: requests are not told of one by one. */
  readonly spans?: Spans | undefined;
  /** Of all that this process serves. */
  readonly bodies: BodyBudget;
  readonly connections: Connections;
  /** Undefined: without TLS. */
  readonly tls: TlsIdentity | undefined;
  /** Undefined: one, at the port that is asked for. */
  readonly sites: readonly Site[] | undefined;
  /** What gives it another port. */
  readonly portFlag: string;
  /** Of the gRPC Ledger API, at the first site; undefined: the site's, if it has one. */
  readonly grpcPort: number | undefined;
  /** Of the process, where it may be told. */
  readonly logTail: LogTail | undefined;
  /** Resolves when what follows from a move of static time was done. */
  readonly settle: ((maxMs?: number) => Promise<unknown>) | undefined;
}

export interface Serving {
  /** The first. */
  readonly port: number;
  /** Of the gRPC Ledger API, where it is served. */
  readonly grpcPort: number | undefined;
  readonly transport: Transport["kind"];
  readonly bodiesBytes: number;
  /** Whether commands run. */
  isReady(): boolean;
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

export const connectionsOfProcess = (log: Log): Connections =>
  new Connections(connectionsMax(openFilesMax()), (connections) =>
    log.warn("there is no room for more connections: new ones are closed until others end; ulimit -n gives more", { connections }),
  );

/** What the sites of a node share. */
interface Shared extends ServingParts {
  readonly services: Services;
  readonly standard: LaterStandard;
}

/** Where the token standard's servers are, and their documents. */
const standardPrefixes = ["/registry", "/api/scan", "/api/validator", "/api/sv"],
  standardDocuments = ["registry", "scan", "validator", "sv"].map((name) => `/docs/openapi/${name}`);

/** The token standard's servers, whose code and state only those nodes have where somebody asked for them. */
class LaterStandard {
  readonly #open: () => Promise<TokenStandard>;
  #opening: Promise<TokenStandard> | undefined;
  #opened: TokenStandard | undefined;

  constructor(open: () => Promise<TokenStandard>) {
    this.#open = open;
  }

  async open(): Promise<TokenStandard> {
    this.#opening ??= this.#open();
    try {
      return (this.#opened = await this.#opening);
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Undefined: nobody asked yet. */
  get opened(): TokenStandard | undefined {
    return this.#opened;
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined); // who asked for them was told
    await opened?.close();
  }
}

/** A site that is open. */
interface Open {
  readonly served: Served;
  readonly transport: Transport;
  /** The same participant over gRPC. */
  readonly grpc: GrpcServer | undefined;
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
    folder: join(parts.folder, printedFolder, ledger.participantName),
    version,
    warn: (message: string) => parts.log.warn(message),
  };
  const standard = new LaterStandard(async () => {
    const { openTokenStandard } = await import("./token-standard.js");
    return openTokenStandard(options, {
      ledger,
      turns: parts.turns,
      authentication: parts.authentication,
      printing,
      ready: services.ready,
    });
  });
  const shared: Shared = { ...parts, services, standard },
    open: Open[] = [];
  const close = async (drainMs: number): Promise<boolean> => {
    isReady = false;
    for (const { served } of open) served.endStreams();
    let drained: readonly boolean[] = [];
    await closeAll([
      async () =>
        (drained = await waitForAll(
          open.flatMap(({ transport, grpc }) => [transport.close(drainMs), ...(grpc === undefined ? [] : [grpc.close(drainMs)])]),
        )),
      () => standard.close(),
    ]);
    return drained.every((each) => each);
  };
  // Who runs a network wants them at once; and what is wrong with a registry's file is told before anything is served.
  if ([options.splice, options.localnet, ...options.tokenRegistries].some((asked) => asked !== undefined)) await standard.open();
  try {
    const sites = parts.sites ?? [alone];
    for (const [index, site] of sites.entries()) {
      const users = index === 0 ? {} : userAtSite(ledger.administration, site.operator, sites[0]!.operator),
        opened = await openSite(options, site, { ...shared, services: { ...services, ...users } }),
        askedPort = index === 0 ? parts.grpcPort : undefined,
        grpcPort = askedPort ?? site.grpcPort;
      open.push(opened);
      if (grpcPort === undefined) continue;
      const remedy = askedPort === undefined ? shared.portFlag : "--grpc-port";
      open[index] = { ...opened, grpc: await openGrpc(options, { port: grpcPort, remedy }, opened.served, shared) };
    }
  } catch (error) {
    await close(0).catch(() => undefined);
    throw error;
  }
  const tell = (message: string) => (error: unknown) => parts.log.error(message, { error: stackOf(error) });
  if (standard.opened !== undefined || existsSync(printing.folder))
    standard
      .open()
      .then(
        (opened) => opened.resume().catch(tell("the token standard's servers do not go on with what they print ahead")),
        tell("the token standard's servers could not be loaded"),
      );
  const [{ transport, grpc }] = open as [Open, ...Open[]];
  return {
    port: transport.port,
    grpcPort: grpc?.port,
    transport: transport.kind,
    close,
    get bodiesBytes() {
      return shared.bodies.held;
    },
    isReady: () => isReady && ledger.impediment() === undefined,
    scanPrintedOffset: () => standard.opened?.printedOffset() ?? 0,
    openStreams: () => open.reduce((sum, { served }) => sum + served.openStreams(), 0),
  };
}

async function openSite(options: StartOptions, site: Site, shared: Shared): Promise<Open> {
  const { authentication, log, turns, metrics, services, bodies, connections } = shared,
    { host, allowedHosts, allowedOrigins } = options;
  const { standard } = shared,
    home = shared.others.find(({ participantName }) => participantName === site.name);
  const later = {
    prefixes: standardPrefixes,
    documents: standardDocuments,
    errors: spliceErrors,
    load: async () => (await standard.open()).apis(site.operator, home),
  };
  const served = serveApis(
    [...ownApis({ services, authentication, pathPrefix: options.pathPrefix }), ...(standard.opened?.apis(site.operator, home) ?? [])],
    {
      later: standard.opened === undefined ? later : undefined,
      log,
      turns,
      origins: { authentication, host, allowedHosts, allowedOrigins },
      listElementsMax: options.listElementsMax,
      listWaitMs: options.listWaitMs,
      caughtUp: () => shared.ledger.caughtUp(),
      console: options.console,
      pages: programReference,
      spans: shared.spans,
      observe: (operation, outcome, seconds) => metrics.observe(operation, outcome, seconds),
    },
  );
  const [port, ...otherPorts] = site.ports as [number, ...number[]];
  const transport = await startTransport({
    ...served,
    routes: [...served.routes, served.guarded(metricsRoute(metrics), { authentication, token: metricsTokenOf(options, log) })],
    host,
    port,
    otherPorts,
    bodies,
    connections,
    turns,
    transport: options.transport,
    tls: shared.tls,
    onError: (error) => log.error("the transport met an error", { error: stackOf(error) }),
  }).catch((error: Error) => {
    const remedy = error instanceof CannotListen && error.isOfPlace ? ` Give another by ${shared.portFlag} or --host.` : "";
    throw new StartFailure(`${error.message}${remedy}`);
  });
  const place = site.name === "" ? {} : { site: site.name, ports: site.ports.join(", ") };
  const participant = shared.ledger.participantName;
  log.info("listening", { ...described(options), participant, transport: transport.kind, host, port: transport.port, ...place });
  return { served, transport, grpc: undefined };
}

/** Its code is loaded only where it is asked for. */
async function openGrpc(
  { host, staticTime }: StartOptions,
  { port, remedy }: { readonly port: number; readonly remedy: string },
  served: Served,
  shared: Shared,
): Promise<GrpcServer> {
  const { log, ledger, services } = shared,
    { openLedgerGrpc } = await import("./grpc/index.js");
  const server = await openLedgerGrpc({
    host,
    port,
    served,
    ledger,
    takesTokens: () => shared.authentication.enabled,
    isTimeStatic: staticTime,
    tls: shared.tls,
    turns: shared.turns,
    bodies: shared.bodies,
    connections: shared.connections,
    isReady: services.ready,
    onError: (error) => log.error("the gRPC Ledger API met an error", { error: stackOf(error) }),
  }).catch((error: Error) => {
    throw new StartFailure(`${error.message}${error instanceof CannotListen && error.isOfPlace ? ` Give another by ${remedy}.` : ""}`);
  });
  log.info("listening for gRPC", { participant: ledger.participantName, host, port: server.port });
  return server;
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
