/** A Splice network that this node runs: `--splice`, `--localnet`. */
import type { Log } from "./base/log.js";
import { isLoopback } from "./base/loopback.js";
import { isFailure } from "./base/result.js";
import type { Turns } from "./base/turns.js";
import { limits, localnetParticipantNameDefault } from "./config.js";
import type { Participant, SynchronizerNames } from "./ledger/index.js";
import {
  localnetAcceptanceDelaySeconds,
  localnetAudience,
  localnetAuthentication,
  localnetLedgerPort,
  localnetMembers,
  localnetPausedTriggers,
  localnetScanUrl,
  type LocalnetSite,
  localnetSites,
  pingDar,
  pingPackageName,
} from "./localnet/index.js";
import type { Site } from "./serving.js";
import { Automation, triggers } from "./splice/automation/index.js";
import { bootstrapNetwork, networkSynchronizer, spliceMembers } from "./splice/bootstrap/index.js";
import { StartFailure } from "./start-failure.js";
import { addressAt, type StartOptions } from "./start-options.js";
import { version } from "./version.js";

export interface NetworkHost {
  /** With what the network decides. */
  readonly options: StartOptions;
  /** Undefined: where the node is asked to listen. */
  readonly sites: readonly Site[] | undefined;
  /** Where the network is, on a new ledger. */
  readonly synchronizer: SynchronizerNames;
  /** Of a new ledger's first participant, where it is given no other. */
  readonly participantName?: string;
  /** What the id of a new participant begins with. */
  readonly identifierOf?: (participantName: string) => string;
  /** Makes the network, or finds it, and does what is due. */
  start(parts: HostParts): Promise<HostedEconomy>;
}

export interface HostParts {
  readonly ledger: Participant;
  /** The participants beside it: no part of the network is run by them, but some of its parties may be at home there, too. */
  readonly others: readonly Participant[];
  readonly log: Log;
  readonly turns: Turns;
  readonly observe: (trigger: string, outcome: string, lagSeconds: number) => void;
}

export interface HostedEconomy {
  /** Resolves when nothing is due, or after a while. */
  readonly settle: (maxMs?: number) => Promise<unknown>;
  close(): Promise<void>;
}

export function networkHost(asked: StartOptions): NetworkHost {
  const known = ["all", ...triggers.map(({ name }) => name)],
    unknown = asked.noAutomation.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new StartFailure(`--no-automation ${unknown}: must be one of ${known.join(", ")}.`);
  const synchronizer = networkSynchronizer;
  if (asked.localnet === undefined) return { options: asked, sites: undefined, synchronizer, start: (parts) => start(asked, parts) };
  const participants = shifted(asked);
  const options: StartOptions = {
    ...asked,
    auth: asked.auth.length > 0 ? asked.auth : localnetAuthentication,
    authAudience: asked.authAudience ?? (asked.auth.length > 0 ? undefined : localnetAudience),
    noAutomation: [...asked.noAutomation, ...localnetPausedTriggers],
    participants,
    grpcPorts: [...asked.grpcPorts, ...ownGrpcPorts({ ...asked, participants })],
  };
  const sites = withoutParticipants(localnetSites(asked.portShift), options);
  return {
    options: { ...options, port: sites[0]!.ports[0]! },
    sites,
    synchronizer,
    participantName: localnetParticipantNameDefault,
    identifierOf: (name) => (sites.some((site) => site.name === name) ? localnetParticipantNameDefault : name),
    start: (parts) => start(options, parts),
  };
}

/** LocalNet's port of a site moves with the others, also where the site's own participant is given it. */
const shifted = ({ participants, portShift }: StartOptions): StartOptions["participants"] =>
  participants.map((participant) =>
    participant.port === localnetLedgerPort(participant.name) ? { ...participant, port: participant.port + portShift } : participant,
  );

/** Whether a site has a participant of its own: of its name, at its port of the ledger. */
const hasOwn = ({ name, ports: [ofLedger] }: Site, { participants }: Pick<StartOptions, "participants">): boolean =>
  participants.some((participant) => participant.name === name && participant.port === ofLedger);

/** Such a participant has the site's port for gRPC, too, unless it is asked for another. */
const ownGrpcPorts = (options: StartOptions): StartOptions["grpcPorts"] =>
  localnetSites(options.portShift)
    .filter((site) => hasOwn(site, options) && !options.grpcPorts.some(({ participant }) => participant === site.name))
    .map(({ name, grpcPort }) => ({ participant: name, port: grpcPort }));

/** A site does without the ports that its own participant has, and without one for gRPC that somebody else asked for. */
const withoutParticipants = (sites: readonly LocalnetSite[], options: StartOptions): readonly Site[] =>
  sites.map((site, index) => {
    if (index === 0) return site;
    if (hasOwn(site, options)) return { ...site, ports: site.ports.slice(1), grpcPort: undefined };
    return options.grpcPorts.some(({ port }) => port === site.grpcPort) ? { ...site, grpcPort: undefined } : site;
  });

/** Undefined: beyond this machine it goes by names that the node does not know. */
export function scanUrlOf({ localnet, portShift, host, port, tls }: StartOptions): string | undefined {
  if (localnet !== undefined) return localnetScanUrl(portShift);
  return isLoopback(host) && port !== 0 ? addressAt({ host, tls }, port) : undefined;
}

async function start(options: StartOptions, { ledger, others, log, turns, observe }: HostParts): Promise<HostedEconomy> {
  const { splice, localnet, noAutomation } = options,
    flag = localnet === undefined ? "--splice" : "--localnet",
    folder = (localnet ?? splice)!;
  if (localnet !== undefined) for (const participant of [ledger, ...others]) await ensurePing(participant);
  const members = localnet === undefined ? spliceMembers : localnetMembers;
  const network = await bootstrapNetwork({ ledger, others, log, turns, folder, members });
  if (isFailure(network)) throw new StartFailure(`${flag}: ${network.error}`);
  const chosen = noAutomation.includes("all") ? [] : triggers.filter(({ name }) => !noAutomation.includes(name));
  const acceptanceDelaySeconds = localnet === undefined ? 0 : localnetAcceptanceDelaySeconds;
  const automation = new Automation({
    ledger,
    log,
    observe,
    validators: network.ok.validators,
    triggers: chosen,
    acceptanceDelaySeconds,
    scanUrl: scanUrlOf(options),
    programVersion: version,
  });
  const settle = (maxMs: number = limits.automationSettleMs) => automation.settle(maxMs);
  if (!(await settle())) log.warn("automation had not done everything that was due when the node began to serve");
  return { settle, close: () => automation.close() };
}

/** Any version will do. */
async function ensurePing(ledger: Participant): Promise<void> {
  if (ledger.listPackages().some((id) => ledger.packageSummary(id)?.name === pingPackageName)) return;
  for (const { id: synchronizerId } of ledger.synchronizers) {
    const uploaded = await ledger.uploadDar(pingDar(), { vetAllPackages: true, synchronizerId });
    if (isFailure(uploaded)) throw new StartFailure(`--localnet: ${pingPackageName} was refused: ${uploaded.error.cause}`);
  }
}
