/**
 * A ledger in memory, fresh for each script: the rules of submission are the engine's, and what the reference's
 * ledger for tests does is done here too. Parties are called as they were asked for, time stands still until it is set,
 * and the same script makes the same contract ids in every run.
 */
import { hash } from "node:crypto";
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import { partyProblem } from "../../ledger/index.js";
import type { DefinitionId, EngineError, Interpretation, LedgerValue, Transaction } from "../../lf/index.js";
import type {
  ActiveContract,
  InterfaceContract,
  KnownParty,
  LedgerSubmission,
  PackageNameVersion,
  ScriptLedger,
  ScriptUser,
  SubmitAnswer,
  UserRight,
} from "../ledger.js";
import type { FailedSubmission } from "../outcome.js";
import { shortId } from "../show/index.js";
import { questionFailed, ScriptStop } from "../stop.js";
import type { ContractStore } from "./contract-store.js";
import { eventsOf } from "./events.js";
import { failedSubmission } from "../failed-submission.js";
import { interpret } from "./interpret.js";
import { activeContract, Queries } from "./queries.js";
import type { MemoryStep } from "./record.js";
import type { Refused } from "./refused.js";
import { Users } from "./users.js";
import { type MemoryLedgerOptions, World } from "./world.js";

export class MemoryLedger implements ScriptLedger {
  readonly steps: MemoryStep[] = [];
  readonly #world: World;
  readonly #queries: Queries;
  readonly #users = new Users();
  #submissions = 0;

  constructor(options: MemoryLedgerOptions) {
    this.#world = new World(options);
    this.#queries = new Queries(this.#world);
  }

  get now(): bigint {
    return this.#world.time;
  }
  get contracts(): ContractStore {
    return this.#world.contracts;
  }
  labelOf(contractId: string): string {
    return this.contracts.get(contractId)?.label ?? shortId(contractId);
  }

  // Submissions

  async submit(submission: LedgerSubmission): Promise<SubmitAnswer> {
    const outcome = interpret(submission, this.#nextSeed(), this.#world);
    return "refused" in outcome ? this.#refuse(submission, outcome.refused) : this.#commit(submission, outcome.interpretation);
  }

  #nextSeed(): Uint8Array {
    return hash("sha256", `${this.#world.options.seed}/${this.#submissions++}`, "buffer");
  }

  #refuse(submission: LedgerSubmission, { error, reference, message, hint, soFar, engineError }: Refused): SubmitAnswer {
    const { actAs, readAs, location, expects } = submission,
      described = this.#described(submission, soFar, engineError, this.steps.length);
    if (expects !== "success")
      this.#remember({ kind: "failure", expected: expects === "failure", error: message, actAs, readAs, location });
    const { class_, text: referenceText } = reference;
    return { kind: "failed", error, class_, message, referenceText, ...(hint === undefined ? {} : { hint }), submission: described };
  }

  /** `step`: its number, if it was committed. */
  #described(
    submission: LedgerSubmission,
    soFar: Transaction | undefined,
    engineError: EngineError | undefined,
    step: number,
  ): () => FailedSubmission {
    return () =>
      failedSubmission({
        submission,
        soFar,
        engineError,
        packages: this.#world.packages,
        labelOf: (contractId) => this.labelOf(contractId),
        step,
      });
  }

  #commit(submission: LedgerSubmission, interpretation: Interpretation): SubmitAnswer {
    const { actAs, readAs, location, commands } = submission,
      { transaction, blinding } = interpretation,
      step = this.steps.length;
    this.contracts.apply(interpretation, (nodeId) => `#${step}:${nodeId}`);
    if (this.contracts.size > limits.scriptContractsMax)
      throw new ScriptStop({
        kind: "limit",
        message: `The script made more than ${limits.scriptContractsMax.toLocaleString("en")} contracts and was stopped.`,
      });
    this.#remember({ kind: "transaction", time: this.now, transaction, witnesses: blinding.disclosure, actAs, readAs, location });
    assert(transaction.roots.length >= commands.length, "every command has a root");
    return { kind: "committed", events: eventsOf(transaction), submission: this.#described(submission, undefined, undefined, step) };
  }

  #remember(step: MemoryStep): void {
    if (this.steps.length >= limits.scriptStepsMax)
      throw new ScriptStop({
        kind: "limit",
        message: `The script took more than ${limits.scriptStepsMax.toLocaleString("en")} steps on the ledger and was stopped.`,
      });
    this.steps.push(step);
  }

  // Queries

  async activeContracts(parties: readonly string[], template: DefinitionId): Promise<readonly ActiveContract[]> {
    return this.#queries.byTemplate(parties, template);
  }
  async contract(parties: readonly string[], template: DefinitionId, contractId: string): Promise<ActiveContract | undefined> {
    const found = this.#queries.byId(parties, contractId);
    return found && { ...activeContract(found), templateId: template };
  }
  async contractsByKey(
    parties: readonly string[],
    template: DefinitionId,
    key: LedgerValue,
    limit: number,
  ): Promise<readonly ActiveContract[]> {
    return this.#queries.byKey(parties, template, key, limit);
  }
  async interfaceContracts(parties: readonly string[], interface_: DefinitionId): Promise<readonly InterfaceContract[]> {
    return this.#queries.byInterface(parties, interface_);
  }
  async interfaceContract(
    parties: readonly string[],
    interface_: DefinitionId,
    contractId: string,
  ): Promise<InterfaceContract | undefined> {
    return this.#queries.throughInterface(parties, interface_, contractId);
  }

  // Parties and time

  async allocateParty(hint: string): Promise<string> {
    const { parties } = this.#world;
    if (parties.has(hint)) {
      const message = `Tried to allocate a party that already exists: ${hint}`;
      throw questionFailed("PartyAlreadyExists", message, { referenceText: `Error: ${message}` });
    }
    const problem = partyProblem(hint);
    if (problem !== undefined)
      throw questionFailed("InvalidPartyName", `Invalid party name: ${hint}. ${problem}`, {
        referenceText: `Error: Invalid party: ${problem}`,
      });
    parties.add(hint);
    return hint;
  }
  async knownParties(): Promise<readonly KnownParty[]> {
    return [...this.#world.parties].map((party) => ({ party, isLocal: true }));
  }

  async time(): Promise<bigint> {
    return this.now;
  }
  async setTime(time: bigint): Promise<void> {
    this.#remember({ kind: "time", from: this.now, to: time });
    this.#world.time = time;
  }

  // Users

  async createUser(user: ScriptUser, rights: readonly UserRight[]): Promise<boolean> {
    return this.#users.create(user, rights);
  }
  async getUser(userId: string): Promise<ScriptUser | undefined> {
    return this.#users.get(userId);
  }
  async deleteUser(userId: string): Promise<boolean> {
    return this.#users.delete(userId);
  }
  async listUsers(): Promise<readonly ScriptUser[]> {
    return this.#users.list();
  }
  async grantRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    return this.#users.grant(userId, rights);
  }
  async revokeRights(userId: string, rights: readonly UserRight[]): Promise<readonly UserRight[] | undefined> {
    return this.#users.revoke(userId, rights);
  }
  async listRights(userId: string): Promise<readonly UserRight[] | undefined> {
    return this.#users.rights(userId);
  }

  // Packages

  async vetPackages(packages: readonly PackageNameVersion[]): Promise<void> {
    this.#world.vetting.vet(packages);
  }
  async unvetPackages(packages: readonly PackageNameVersion[]): Promise<void> {
    this.#world.vetting.unvet(packages);
  }
  async vettedPackages(): Promise<readonly PackageNameVersion[]> {
    return this.#world.vetting.vetted();
  }
  async allPackages(): Promise<readonly PackageNameVersion[]> {
    return this.#world.vetting.all();
  }
}
