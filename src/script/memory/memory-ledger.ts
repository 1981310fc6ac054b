/**
 * A ledger in memory, fresh for each script: the rules of submission are the engine's, and what the reference's
 * ledger for tests does is done here too. Parties are called as they were asked for, time stands still until it is set,
 * and the same script makes the same contract ids in every run.
 */
import { hash } from "node:crypto";
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import { HmacSha256 } from "../../base/sha256.js";
import { limits } from "../../config.js";
import { partyProblem } from "../../ledger/identifiers.js";
import {
  type Command, decodeContractInstance, type ContractInstance, type DefinitionId, type EngineError, type Interpretation, type LedgerReader, type LedgerValue, showId, type Transaction, type TemplateReference,
} from "../../lf/index.js";
import { showTimestamp } from "../../lf/running-code.js";
import type {
  ActiveContract, Disclosure, InterfaceContract, KnownParty, LedgerCommand, LedgerEvent, LedgerSubmission, PackageNameVersion, ScriptLedger, ScriptUser, SubmitAnswer, UserRight,
} from "../ledger.js";
import type { ContractMode, ScriptPackages } from "../packages.js";
import { questionFailed, ScriptStop } from "../stop.js";
import type { ContractAbsence, SubmitError } from "../submit-error.js";
import { ContractStore, type StoredContract } from "./contract-store.js";
import { submitErrorOf } from "./engine-errors.js";
import { failedSubmission } from "./failed-submission.js";
import { Users } from "./users.js";
import type { MemoryStep } from "./record.js";

export interface MemoryLedgerOptions {
  readonly packages: ScriptPackages;
  readonly mode: ContractMode;
  /** Of contract ids: equal seeds give equal ids. */
  readonly seed: string;
}

interface Failure { readonly error: SubmitError; readonly class_: string; readonly message: string; readonly hint?: string; readonly soFar?: Transaction | undefined; readonly engineError?: EngineError }

export class MemoryLedger implements ScriptLedger {
  readonly contracts = new ContractStore();
  readonly steps: MemoryStep[] = [];
  readonly #options: MemoryLedgerOptions;
  readonly #parties = new Set<string>();
  readonly #users = new Users();
  readonly #unvetted = new Set<string>();
  #time = 0n;
  #submissions = 0;

  constructor(options: MemoryLedgerOptions) { this.#options = options; }

  get now(): bigint { return this.#time; }
  get #packages(): ScriptPackages { return this.#options.packages; }

  // Submissions

  async submit(submission: LedgerSubmission): Promise<SubmitAnswer> {
    const outcome = this.#run(submission);
    return "failure" in outcome ? this.#failed(submission, outcome.failure) : this.#commit(submission, outcome.interpretation);
  }

  #run(submission: LedgerSubmission): { readonly failure: Failure } | { readonly interpretation: Interpretation } {
    const { actAs, readAs, commands, disclosures } = submission;
    const unknown = [...actAs, ...readAs].filter((party) => !this.#parties.has(party));
    if (unknown.length > 0) return { failure: notAllocated(unknown) };
    const disclosed = this.#disclosed(disclosures);
    if ("failure" in disclosed) return disclosed;
    const parties = new Set([...actAs, ...readAs]);
    const submissionSeed = this.#nextSeed(), salt = new HmacSha256(submissionSeed);
    let soFar: Transaction | undefined;
    const result = this.#packages.engine.interpret({
      actAs, readAs, commands: commands.map((command) => this.#engineCommand(command)), disclosed: disclosed.instances, ledgerTime: this.#time, preparationTime: this.#time, submissionSeed,
      participantId: "script", packagePreference: this.#preference(submission.packagePreference), mode: this.#options.mode,
    }, { salt: (discriminator) => salt.digest(discriminator), reader: this.#reader(parties), onFailure: (transaction) => { soFar = transaction; } });
    if (isFailure(result)) return { failure: this.#describe(result.error, submission, parties, soFar) };
    const refused = this.#refusal(result.ok, disclosures);
    return refused === undefined ? { interpretation: result.ok } : { failure: { ...refused, soFar: result.ok.transaction } };
  }

  /** What only a finished transaction shows. */
  #refusal(interpretation: Interpretation, disclosures: readonly Disclosure[]): Failure | undefined {
    const unknown = [...new Set(interpretation.blinding.disclosure.flat())].filter((party) => !this.#parties.has(party));
    if (unknown.length > 0) return notAllocated(unknown.sort());
    const archived = disclosures.find(({ contractId }) => this.contracts.get(contractId)?.archivedBy !== undefined);
    if (archived !== undefined) {
      const { contractId, templateId } = archived;
      return { error: { kind: "ContractNotFound", contractIds: [contractId], absence: { kind: "NotActive", contractId, templateId } }, class_: "ContractNotActive", message: `the disclosed contract ${contractId} is archived` };
    }
    const unvetted = interpretation.metadata.usedPackages.find((packageId) => this.#unvetted.has(packageId));
    if (unvetted === undefined) return undefined;
    const { name, version } = this.#packages.package(unvetted)!;
    const message = `package ${name}-${version} is not vetted`;
    return { error: { kind: "UnknownError", message }, class_: "LookupError", message };
  }

  #reader(parties: ReadonlySet<string>): LedgerReader {
    const { contracts } = this, time = this.#time;
    return {
      readContract: (contractId) => {
        const looked = contracts.lookUp(contractId, parties, time);
        return "found" in looked ? looked.found.instance : undefined;
      },
      *readKey(keyHash) {
        for (const { instance } of contracts.withKey(keyHash)) if ("found" in contracts.lookUp(instance.contractId, parties, time)) yield instance;
      },
    };
  }

  #disclosed(disclosures: readonly Disclosure[]): { readonly instances: readonly ContractInstance[] } | { readonly failure: Failure } {
    const instances: ContractInstance[] = [];
    for (const { blob } of disclosures) {
      const decoded = decodeContractInstance(Buffer.from(blob, "hex"));
      if (isFailure(decoded)) return { failure: { error: { kind: "UnknownError", message: decoded.error.message }, class_: "DisclosureDecoding", message: `a disclosed contract is not readable: ${decoded.error.message}` } };
      instances.push(decoded.ok);
    }
    return { instances };
  }

  #engineCommand(command: LedgerCommand): Command {
    const template = this.#reference(command.template, command.exactPackage);
    switch (command.kind) {
      case "create": return { kind: "create", template, argument: { value: command.argument } };
      case "exercise": return { kind: "exercise", template, contractId: command.contractId, choice: command.choice, argument: { value: command.argument } };
      case "exerciseByKey": return { kind: "exerciseByKey", template, key: { value: command.key }, choice: command.choice, argument: { value: command.argument } };
      case "createAndExercise": return { kind: "createAndExercise", template, createArgument: { value: command.createArgument }, choice: command.choice, argument: { value: command.argument } };
    }
  }

  #reference({ packageId, module, name }: DefinitionId, exact: boolean): TemplateReference {
    const packageName = this.#packages.package(packageId)?.name;
    return { package: exact || packageName === undefined ? { id: packageId } : { name: packageName }, module, name };
  }

  #preference(preferred: readonly string[]): ReadonlyMap<string, string> {
    const unknown = preferred.find((id) => this.#packages.package(id) === undefined);
    if (unknown !== undefined) throw questionFailed("IllegalArgumentException", `No such PackageId ${unknown}`);
    return this.#packages.preference(this.#unvetted, preferred);
  }

  #nextSeed(): Uint8Array { return hash("sha256", `${this.#options.seed}/${this.#submissions++}`, "buffer"); }

  #describe(error: EngineError, { actAs, readAs }: LedgerSubmission, parties: ReadonlySet<string>, soFar: Transaction | undefined): Failure {
    if (error.phase === "interpretation" && error.class === "LimitExceeded") throw new ScriptStop({ kind: "limit", message: `A submission of the script did too much and was stopped: ${error.message}` });
    const described = submitErrorOf(error, (contractId) => this.#absence(contractId, actAs, readAs, parties));
    const hint = described.kind === "EffectfulRollbackError" ? "An exception rolled back a create or an archive, which ledgers with contract keys refuse. To run as on a ledger without: --contract-mode keyless." : undefined;
    const message = described.kind === "ContractNotFound" ? absenceText(described, error.message) : error.message;
    return { error: described, class_: classOf(error), message, soFar, engineError: error, ...(hint === undefined ? {} : { hint }) };
  }

  #absence(contractId: string, actAs: readonly string[], readAs: readonly string[], parties: ReadonlySet<string>): ContractAbsence {
    const looked = this.contracts.lookUp(contractId, parties, this.#time);
    if ("found" in looked || looked.missing === "unknown") return { kind: "NotFound" };
    const { templateId, stakeholders, createdAt } = looked.contract.instance;
    switch (looked.missing) {
      case "archived": return { kind: "NotActive", contractId, templateId };
      case "notEffective": return { kind: "NotEffective", contractId, templateId, effectiveAt: showTimestamp(createdAt) };
      case "notVisible": return { kind: "NotVisible", contractId, templateId, actAs, readAs, observers: stakeholders };
    }
  }

  #failed(submission: LedgerSubmission, { error, class_, message, hint, soFar, engineError }: Failure): SubmitAnswer {
    const { actAs, readAs, location, expects } = submission, step = this.steps.length;
    if (expects !== "success") this.#remember({ kind: "failure", expected: expects === "failure", error: message, actAs, readAs, location });
    return {
      kind: "failed", error, class_, message, ...(hint === undefined ? {} : { hint }),
      submission: () => failedSubmission({ submission, soFar, engineError, packages: this.#packages, labelOf: (contractId) => this.labelOf(contractId), step }),
    };
  }

  #commit({ actAs, readAs, location, commands }: LedgerSubmission, interpretation: Interpretation): SubmitAnswer {
    const { transaction, created, blinding } = interpretation, step = this.steps.length;
    this.contracts.apply(created, transaction, (nodeId) => `#${step}:${nodeId}`);
    if (this.contracts.size > limits.scriptContractsMax) throw new ScriptStop({ kind: "limit", message: `The script made more than ${limits.scriptContractsMax.toLocaleString("en")} contracts and was stopped.` });
    this.#remember({ kind: "transaction", time: this.#time, transaction, witnesses: blinding.disclosure, actAs, readAs, location });
    assert(transaction.roots.length >= commands.length, "every command has a root");
    return { kind: "committed", events: transaction.roots.flatMap((root) => eventOf(transaction, root) ?? []) };
  }

  #remember(step: MemoryStep): void {
    if (this.steps.length >= limits.scriptStepsMax) throw new ScriptStop({ kind: "limit", message: `The script took more than ${limits.scriptStepsMax.toLocaleString("en")} steps on the ledger and was stopped.` });
    this.steps.push(step);
  }

  labelOf(contractId: string): string { return this.contracts.get(contractId)?.label ?? `${contractId.slice(0, 12)}...`; }

  // Queries

  async activeContracts(parties: readonly string[], template: DefinitionId): Promise<readonly ActiveContract[]> {
    const packageName = this.#packages.package(template.packageId)?.name ?? "";
    return [...this.#visible(this.contracts.activeOf(packageName, template), parties)].map(activeContract);
  }

  *#visible(contracts: Iterable<StoredContract>, parties: readonly string[]): IterableIterator<StoredContract> {
    for (const contract of contracts) {
      const { createdAt, stakeholders } = contract.instance;
      if (createdAt <= this.#time && stakeholders.some((party) => parties.includes(party))) yield contract;
    }
  }

  async contract(parties: readonly string[], template: DefinitionId, contractId: string): Promise<ActiveContract | undefined> {
    const found = this.#find(parties, contractId);
    return found && { ...activeContract(found), templateId: template };
  }

  #find(parties: readonly string[], contractId: string): StoredContract | undefined {
    const looked = this.contracts.lookUp(contractId, new Set(parties), this.#time);
    return "found" in looked ? looked.found : undefined;
  }

  async contractsByKey(parties: readonly string[], template: DefinitionId, key: LedgerValue, limit: number): Promise<readonly ActiveContract[]> {
    const keyHash = this.#packages.engine.keyHash(template, key);
    if (isFailure(keyHash)) throw questionFailed("RuntimeException", keyHash.error.message);
    return [...this.#visible(this.contracts.withKey(keyHash.ok), parties)].slice(0, limit).map(activeContract);
  }

  async interfaceContracts(parties: readonly string[], interface_: DefinitionId): Promise<readonly InterfaceContract[]> {
    const preference = this.#preference([]);
    return [...this.#visible(this.contracts.allActive(), parties)].flatMap((contract) => this.#seenThrough(interface_, contract, preference) ?? []);
  }

  async interfaceContract(parties: readonly string[], interface_: DefinitionId, contractId: string): Promise<InterfaceContract | undefined> {
    const contract = this.#find(parties, contractId);
    return contract && this.#seenThrough(interface_, contract, this.#preference([]));
  }

  /** By the code of the preferred version. Undefined when that does not implement the interface. */
  #seenThrough(interface_: DefinitionId, { instance }: StoredContract, preference: ReadonlyMap<string, string>): InterfaceContract | undefined {
    const { engine } = this.#packages;
    const packageId = preference.get(instance.packageName);
    if (packageId === undefined) return undefined;
    const template = { packageId, module: instance.templateId.module, name: instance.templateId.name };
    if (engine.compiled.template(template)?.instance(interface_) === undefined) return undefined;
    const view = engine.computeView({ template, argument: instance.argument, interface: interface_ });
    return { contractId: instance.contractId, view: isFailure(view) ? undefined : view.ok.view };
  }

  // Parties and time

  async allocateParty(hint: string): Promise<string> {
    if (this.#parties.has(hint)) throw questionFailed("PartyAlreadyExists", `Tried to allocate a party that already exists: ${hint}`);
    const problem = partyProblem(hint);
    if (problem !== undefined) throw questionFailed("InvalidPartyName", `Invalid party name: ${hint}. ${problem}`);
    this.#parties.add(hint);
    return hint;
  }

  async knownParties(): Promise<readonly KnownParty[]> { return [...this.#parties].map((party) => ({ party, isLocal: true })); }

  async time(): Promise<bigint> { return this.#time; }
  async setTime(time: bigint): Promise<void> {
    this.#remember({ kind: "time", from: this.#time, to: time });
    this.#time = time;
  }

  // Users

  async createUser(user: ScriptUser, rights: readonly UserRight[]): Promise<boolean> { return this.#users.create(user, rights); }
  async getUser(userId: string): Promise<ScriptUser | undefined> { return this.#users.get(userId); }
  async deleteUser(userId: string): Promise<boolean> { return this.#users.delete(userId); }
  async listUsers(): Promise<readonly ScriptUser[]> { return this.#users.list(); }
  async grantRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> { return this.#users.grant(userId, rights); }
  async revokeRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> { return this.#users.revoke(userId, rights); }
  async listRights(userId: string): Promise<readonly UserRight[] | undefined> { return this.#users.rights(userId); }

  // Packages

  async vetPackages(packages: readonly PackageNameVersion[]): Promise<void> { for (const id of this.#idsOf(packages)) this.#unvetted.delete(id); }
  async unvetPackages(packages: readonly PackageNameVersion[]): Promise<void> { for (const id of this.#idsOf(packages)) this.#unvetted.add(id); }

  #idsOf(packages: readonly PackageNameVersion[]): readonly string[] {
    return packages.map((wanted) => {
      const found = [...this.#packages.all].find(({ name, version }) => name === wanted.name && version === wanted.version);
      if (found === undefined) throw questionFailed("IllegalArgumentException", `Unknown package ${wanted.name}-${wanted.version}`);
      return found.id;
    });
  }

  async vettedPackages(): Promise<readonly PackageNameVersion[]> { return [...this.#packages.all].filter(({ id }) => !this.#unvetted.has(id)).map(nameVersion); }
  async allPackages(): Promise<readonly PackageNameVersion[]> { return [...this.#packages.all].map(nameVersion); }
}

const nameVersion = ({ name, version }: PackageNameVersion): PackageNameVersion => ({ name, version });

const activeContract = ({ instance: { contractId, templateId, argument }, blob }: StoredContract): ActiveContract => ({ contractId, templateId, argument, blob });

function notAllocated(parties: readonly string[]): Failure {
  const message = `Tried to submit a command with parties that have not been allocated: ${parties.join(", ")}`;
  return { error: { kind: "UnknownError", message }, class_: "PartiesNotAllocated", message };
}

/** The reference's names of errors, which `tryCommands` tells. */
function classOf(error: EngineError): string {
  switch (error.phase) {
    case "lookup": return "LookupError";
    case "preprocessing": return "Internal";
    case "interpretation": return error.class === "ContractNotFound" ? "ContractNotFound" : "RunnerException";
  }
}

function absenceText({ absence, contractIds }: Extract<SubmitError, { kind: "ContractNotFound" }>, otherwise: string): string {
  const [contractId] = contractIds;
  switch (absence?.kind) {
    case "NotActive": return `contract ${contractId} of ${showId(absence.templateId)} is archived`;
    case "NotEffective": return `contract ${contractId} of ${showId(absence.templateId)} is not effective before ${absence.effectiveAt}`;
    case "NotVisible":
      return `contract ${contractId} of ${showId(absence.templateId)} cannot be seen by those who act (${absence.actAs.join(", ")}) or read (${absence.readAs.join(", ") || "nobody"}); its stakeholders are ${absence.observers.join(", ")}`;
    default: return otherwise;
  }
}

/** Undefined for what is no event: fetches, queries and rollbacks. */
function eventOf(transaction: Transaction, id: number): LedgerEvent | undefined {
  const node = transaction.nodes[id]!;
  if (node.kind === "create") return { kind: "created", contractId: node.contractId, templateId: node.templateId, argument: node.argument };
  if (node.kind !== "exercise") return undefined;
  const { contractId, templateId, interfaceId, choice, argument, result, children } = node;
  assert(result !== undefined, "an exercise outside of rollbacks has a result");
  return { kind: "exercised", contractId, templateId, interfaceId, choice, argument, result, children: children.flatMap((child) => eventOf(transaction, child) ?? []) };
}
