/**
 * Makes a network on a ledger that has none, and finds the one that is there. What is left to do is read from the ledger, and
 * each step is one transaction: a process that was killed in between goes on where it was.
 */
import { readFileSync } from "node:fs";
import { assert } from "../../base/assert.js";
import type { Log } from "../../base/log.js";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { inWords, type LedgerErrorData, type PackageSummary, type Participant, type Party } from "../../ledger/index.js";
import { comparePackages } from "../../lf/index.js";
import { createAndExercise } from "../commands.js";
import { Contracts } from "../contracts.js";
import { mayActFor } from "../hosting.js";
import { templates } from "../names.js";
import { hostedDsoNote, Network } from "../network.js";
import { Submitter } from "../submitter.js";
import { compactForm } from "../values/forms.js";
import { ValueTypes } from "../values/value-types.js";
import { installWallet } from "../wallet-installs.js";
import { bootstrapArguments, type NetworkToMake } from "./configuration.js";
import { readDarFolder, type DarFile } from "./dar-folder.js";
import { KnownDars } from "./known-dars.js";
import { Members, type MembersPlan } from "./members.js";
import { chooseNetworkPackages, type NetworkPackages } from "./network-packages.js";

/** Who keeps the network alive; all of them are hosted here. */
export interface HostedNetwork {
  readonly dso: Party;
  readonly validators: readonly Party[];
}

export interface BootstrapOptions {
  readonly ledger: Participant;
  /** The participants beside it, of which some are at home to parties of the network. */
  readonly others?: readonly Participant[];
  readonly log: Log;
  /** The process's. */
  readonly turns: Turns;
  /** With the DARs of the network. */
  readonly folder: string;
  readonly members: MembersPlan;
}

/** Of the transactions that make the network. */
const userId = "splice-bootstrap";

/** Why not, in words for the operator. */
/** What it comes to, or why not, in words. */
type Step<T> = Promise<Result<T, string>>;

export async function bootstrapNetwork(options: BootstrapOptions): Step<HostedNetwork> {
  const { ledger, folder, log } = options;
  const known = new KnownDars(ledger),
    dars = await readDarFolder(folder, known, ledger);
  if (isFailure(dars)) return dars;
  const vetted = vettedPackages(ledger);
  const packages = chooseNetworkPackages([...vetted, ...dars.ok.flatMap((dar) => dar.packages)]);
  if (isFailure(packages)) return fail(`The packages of ${folder} do not make a network: ${packages.error}.`);
  for (const participant of [ledger, ...homes(options)]) {
    const uploaded = await upload(participant, dars.ok);
    if (isFailure(uploaded)) return uploaded;
  }
  const noted = await known.keep(new Map(dars.ok.map((dar) => [dar.hash, dar.packages])));
  if (noted && isFailure(noted))
    log.warn("what is in the DARs of the network is read again at the next start", { reason: noted.error.cause });
  const bootstrap = new Bootstrap(options, packages.ok),
    network = await bootstrap.run();
  if (isFailure(network)) return network;
  const { amulet, governance } = packages.ok.versions;
  log.info("the network is there", { dso: network.ok.dso, amulet, governance });
  return network;
}

/** Who sees a contract has to have its packages. */
const homes = ({ members, others = [] }: BootstrapOptions): readonly Participant[] =>
  others.filter(({ participantName }) => Object.values(members.homes ?? {}).includes(participantName));

function vettedPackages(ledger: Participant): readonly PackageSummary[] {
  const everything = {
    packageIds: [],
    namePrefixes: [],
    participantIds: [ledger.participantId],
    synchronizerIds: [ledger.synchronizerId],
    pageSize: 0,
    pageToken: new Uint8Array(),
  };
  const page = ledger.listVettedPackages(everything);
  assert(!isFailure(page), `what is vetted can be listed: ${page.error?.cause}`);
  return page.ok.states.flatMap(({ packages }) => packages.map(({ packageId }) => ledger.packageSummary(packageId)!));
}

/** Older versions of a name come first, so that each is an upgrade of what is there. */
async function upload(ledger: Participant, dars: readonly DarFile[]): Step<undefined> {
  const vetted = new Set(vettedPackages(ledger).map(({ packageId }) => packageId));
  for (const { file } of inUploadOrder(dars.filter(({ packages }) => packages.some(({ packageId }) => !vetted.has(packageId))))) {
    const uploaded = await ledger.uploadDar(readFileSync(file), { vetAllPackages: true, synchronizerId: ledger.synchronizerId });
    if (isFailure(uploaded)) return fail(`${file} was refused: ${told(uploaded).error}`);
  }
  return ok(undefined);
}

const inUploadOrder = (dars: readonly DarFile[]): readonly DarFile[] =>
  [...dars].sort(({ packages: [left] }, { packages: [right] }) => left!.name.localeCompare(right!.name) || comparePackages(left!, right!));

class Bootstrap {
  readonly #options: BootstrapOptions;
  readonly #packages: NetworkPackages;
  readonly #contracts: Contracts;
  readonly #network: Network;
  readonly #members: Members;
  readonly #submitter: Submitter;

  constructor(options: BootstrapOptions, packages: NetworkPackages) {
    this.#options = options;
    this.#packages = packages;
    this.#contracts = new Contracts(options.ledger);
    this.#network = new Network(this.#contracts, options.ledger);
    this.#members = new Members(options.ledger, (hint) =>
      homes(options)
        .filter(({ participantName }) => participantName === options.members.homes?.[hint])
        .map(({ participantId }) => participantId),
    );
    this.#submitter = new Submitter(options.ledger, { userId });
  }

  async run(): Step<HostedNetwork> {
    const { ledger, members } = this.#options;
    const found = await this.#found();
    if (isFailure(found)) return found;
    const dso = found.ok,
      rules = await this.#network.dsoRules(dso);
    if (rules === undefined) return fail(`${dso} has AmuletRules on the ledger, but no DsoRules, which say who governs its network`);
    const sv = rules.payload.svs.map(([party]) => party).find((party) => mayActFor(ledger, party));
    if (sv === undefined || !mayActFor(ledger, dso))
      return fail(
        `The network on the ledger is that of ${dso}, and this node does not host ${sv === undefined ? "any of its SVs" : "its DSO"}`,
      );
    const kept = ledger.readNote(hostedDsoNote) === dso ? ok(undefined) : told(await ledger.keepNote(hostedDsoNote, dso));
    if (isFailure(kept)) return kept;
    const validators: Party[] = [];
    for (const hint of members.validators) {
      const validator = told(await this.#members.party(hint));
      if (isFailure(validator)) return validator;
      validators.push(validator.ok);
    }
    const users = await this.#users();
    if (isFailure(users)) return users;
    const installed = await this.#operatorsWallets(dso);
    return isFailure(installed) ? installed : ok({ dso, validators });
  }

  /** The DSO of the network that is there already, or is made now. Ours comes before what others made on the ledger. */
  async #found(): Step<Party> {
    const { ledger, members } = this.#options,
      noted = ledger.readNote(hostedDsoNote),
      own = noted ?? this.#members.partyOf(members.dso);
    if ((await this.#network.amuletRulesOf(own)).length > 0) return ok(own);
    const { ok: dso } = noted === undefined ? await this.#network.dso() : {};
    const isGoverned = dso !== undefined && mayActFor(ledger, dso) && (await this.#network.dsoRules(dso)) !== undefined;
    return isGoverned ? ok(dso) : this.#make();
  }

  /** All of it in one transaction. */
  async #make(): Step<Party> {
    const { ledger, members } = this.#options;
    const dso = told(await this.#members.party(members.dso));
    if (isFailure(dso)) return dso;
    const sv = told(await this.#members.party(members.sv));
    if (isFailure(sv)) return sv;
    const network = {
      dso: dso.ok,
      sv: { party: sv.ok, name: members.sv },
      participant: `PAR::${ledger.participantId}`,
      synchronizerId: ledger.synchronizerId,
      packages: this.#packages,
    };
    const command = createAndExercise(templates.dsoBootstrap, await this.#argumentsFor(network), "DsoBootstrap_Bootstrap", {});
    const made = told(await this.#submitter.submit({ actAs: [dso.ok], commands: [command], commandId: "make-network" }));
    return isFailure(made) ? fail(`The network could not be made: ${made.error}`) : dso;
  }

  /** Without what older packages do not know yet. */
  #argumentsFor(network: NetworkToMake): Promise<object> {
    const { ledger, turns } = this.#options,
      types = new ValueTypes(ledger, turns),
      templateId = `${this.#packages.governanceId}:${templates.dsoBootstrap.entity}`,
      position = { at: "createArgument", templateId } as const;
    return types.whileKnown([position], () => types.inForm(position, bootstrapArguments(network), compactForm) as object);
  }

  /** Of users whose party is a validator's. */
  async #operatorsWallets(dso: Party): Step<undefined> {
    const { validators, users } = this.#options.members,
      context = { contracts: this.#contracts, submitter: this.#submitter };
    for (const { id, primaryParty } of users) {
      if (!validators.includes(primaryParty)) continue;
      const party = this.#members.partyOf(primaryParty),
        installed = told(await installWallet(context, { validator: party, userName: id, party, dso }));
      if (isFailure(installed)) return fail(`The wallet of ${id} could not be made: ${installed.error}`);
    }
    return ok(undefined);
  }

  async #users(): Step<undefined> {
    const { ledger, members, others = [] } = this.#options;
    const atOthers = others.flatMap((at) => (members.usersAt?.(at.participantName) ?? []).map((user) => ({ user, at })));
    for (const { user, at } of [...members.users.map((user) => ({ user, at: ledger })), ...atOthers]) {
      const made = told(await this.#members.user(user, at));
      if (isFailure(made)) return made;
    }
    return ok(undefined);
  }
}

/** What the ledger refused, in words. */
const told = <T>(result: Result<T, LedgerErrorData>): Result<T, string> => (isFailure(result) ? fail(inWords(result.error)) : result);
