/** A Splice network that this node runs: `--splice`, `--localnet`. */
import type { Log } from "./base/log.js";
import { isFailure } from "./base/result.js";
import type { StartOptions } from "./command-line.js";
import { limits, validatorUserDefault } from "./config.js";
import type { Participant } from "./ledger/index.js";
import {
  localnetAcceptanceDelaySeconds,
  localnetAudience,
  localnetAuthentication,
  localnetMembers,
  localnetPausedTriggers,
  localnetSites,
  pingDar,
  pingPackageName,
} from "./localnet/index.js";
import type { Site } from "./serving.js";
import { Automation, triggers } from "./splice/automation/index.js";
import { bootstrapNetwork, spliceMembers } from "./splice/bootstrap/index.js";
import { StartFailure } from "./start-failure.js";

export interface NetworkHost {
  /** With what the network decides. */
  readonly options: StartOptions;
  /** Undefined: where the node is asked to listen. */
  readonly sites: readonly Site[] | undefined;
  /** Makes the network, or finds it, and does what is due. */
  start(parts: HostParts): Promise<HostedEconomy>;
}

export interface HostParts {
  readonly ledger: Participant;
  /** The participants beside it: no part of the network is run by them. */
  readonly others: readonly Participant[];
  readonly log: Log;
  readonly observe: (trigger: string, outcome: string, lagSeconds: number) => void;
}

export interface HostedEconomy {
  /** Resolves when nothing is due, or after a while. */
  readonly settle: () => Promise<unknown>;
  close(): Promise<void>;
}

export function networkHost(asked: StartOptions): NetworkHost {
  const known = ["all", ...triggers.map(({ name }) => name)],
    unknown = asked.noAutomation.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new StartFailure(`--no-automation ${unknown}: must be one of ${known.join(", ")}.`);
  if (asked.localnet === undefined) return { options: asked, sites: undefined, start: (parts) => start(asked, parts) };
  const options: StartOptions = {
    ...asked,
    auth: asked.auth.length > 0 ? asked.auth : localnetAuthentication,
    authAudience: asked.authAudience ?? (asked.auth.length > 0 ? undefined : localnetAudience),
    authTokenLifeMaxSeconds: asked.authTokenLifeMaxSeconds === limits.tokenLifeMaxSeconds ? Infinity : asked.authTokenLifeMaxSeconds,
    noAutomation: [...asked.noAutomation, ...localnetPausedTriggers],
  };
  const sites = localnetSites(asked.portShift);
  return { options: { ...options, port: sites[0]!.ports[0]! }, sites, start: (parts) => start(options, parts) };
}

async function start(
  { splice, localnet, noAutomation }: StartOptions,
  { ledger, others, log, observe }: HostParts,
): Promise<HostedEconomy> {
  const flag = localnet === undefined ? "--splice" : "--localnet",
    folder = (localnet ?? splice)!;
  if (localnet !== undefined) for (const participant of [ledger, ...others]) await ensurePing(participant);
  const network = await bootstrapNetwork({ ledger, log, folder, members: localnet === undefined ? spliceMembers : localnetMembers });
  if (isFailure(network)) throw new StartFailure(`${flag}: ${network.error}`);
  if (localnet !== undefined) for (const participant of others) await ensureAdmin(participant);
  const chosen = noAutomation.includes("all") ? [] : triggers.filter(({ name }) => !noAutomation.includes(name));
  const acceptanceDelaySeconds = localnet === undefined ? 0 : localnetAcceptanceDelaySeconds;
  const automation = new Automation({ ledger, log, observe, validators: network.ok.validators, triggers: chosen, acceptanceDelaySeconds });
  const settle = () => automation.settle(limits.automationSettleMs);
  if (!(await settle())) log.warn("automation had not done everything that was due when the node began to serve");
  return { settle, close: () => automation.close() };
}

/** Any version will do. */
async function ensurePing(ledger: Participant): Promise<void> {
  if (ledger.listPackages().some((id) => ledger.packageSummary(id)?.name === pingPackageName)) return;
  const uploaded = await ledger.uploadDar(pingDar(), { vetAllPackages: true, synchronizerId: "" });
  if (isFailure(uploaded)) throw new StartFailure(`--localnet: ${pingPackageName} was refused: ${uploaded.error.cause}`);
}

/** Whose tokens LocalNet's scripts bring to each of its participants. */
async function ensureAdmin({ administration }: Participant): Promise<void> {
  if (!isFailure(administration.getUser({ userId: validatorUserDefault, identityProviderId: "" }))) return;
  const user = {
    id: validatorUserDefault,
    primaryParty: "",
    identityProviderId: "",
    isDeactivated: false,
    primaryPartyAuthentication: false,
    annotations: {},
    resourceVersion: "",
  };
  const requester = { userId: undefined, participantAdmin: true, admin: true };
  const created = await administration.createUser({ user, rights: [{ kind: "ParticipantAdmin" }] }, requester);
  if (isFailure(created)) throw new StartFailure(`--localnet: user ${validatorUserDefault} was refused: ${created.error.cause}`);
}
