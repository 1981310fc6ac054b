/** The engine's face: commands in, transaction out. Pure: no clock, no I/O; contracts come from the reader handed in. */
import { unreachable } from "../../base/assert.js";
import type { Result } from "../../base/result.js";
import { type DefinitionId, type LfVersion, type PackageId, showId } from "../ast.js";
import { type CompiledDefinition, type CompiledMode, createCompiledPackages, type LazyPackages } from "../compile/index.js";
import { type EngineError, FatalError } from "../errors.js";
import { PackageInterface, type PackageReader } from "../package-interface.js";
import { type Budget, type CompiledInterface, type CompiledPackages, DamlException, type Machine } from "../runtime/index.js";
import { keyHash, transactionSeed, type TimeBoundaries } from "../transaction/index.js";
import { fromCommandValue, toLedgerValue, ValueTypes } from "../conversion/index.js";
import type { LedgerValue, AnyValue, RecordValue, Value } from "../value/index.js";
import { ContractState } from "./contract-state.js";
import { findContractId } from "./contract-info.js";
import { Contracts } from "./contracts.js";
import { Definitions } from "./definitions.js";
import { asFailureOffLedger, asFailureStatus } from "./exceptions.js";
import { withTrace } from "./exercise-trace.js";
import { finishTransaction, type FinishedTransaction } from "./finish-transaction.js";
import { RunMetadata, RunResult } from "./interpretation.js";
import { guarded, refill } from "./limits.js";
import { UpdateMachine } from "./machine.js";
import { checkLanguageVersions, dependsOnTime, PackageClosures } from "./metadata.js";
import { PartialTransaction, type RawNode } from "./partial-transaction.js";
import { partySet } from "./parties.js";
import { lookup, missingKey, preprocessing, Preprocessor, type ReadyCommand, unwrap } from "./preprocess.js";
import type { EngineLimits, Interpretation, InterpretOptions, InterpretResult, Submission, TemplateKey, ViewResult } from "./submission.js";
import { Suffixes } from "./suffix.js";
import { retypePayload } from "./upgrade-runtime.js";

export type {
  Command,
  CommandArgument,
  ContractSalt,
  CreatedContract,
  EngineLimits,
  Interpretation,
  InterpretOptions,
  InterpretResult,
  LedgerReader,
  Submission,
  TemplateKey,
  TemplateReference,
  ViewResult,
} from "./submission.js";
export type { GlobalKey, KeyInput } from "./contract-state.js";
export { LedgerContract } from "./ledger-contract.js";

export interface EngineOptions {
  readonly packages: PackageReader;
  readonly limits: EngineLimits;
  /** Language versions that may run where contract keys exist (mode NUCK). */
  readonly languageVersions?: readonly LfVersion[];
  /** Told of each definition that is compiled, and how it is entered. */
  readonly onCompile?: (compiled: CompiledDefinition) => void;
  /** Told what code says by `trace`. */
  readonly onTrace?: (message: string) => void;
}

const stableVersions: readonly LfVersion[] = ["2.1", "2.2", "2.3"];
const keylessVersions: readonly LfVersion[] = ["2.1", "2.2"];

/** One engine serves one thread: its packages share compiled code and one budget. */
export class Engine {
  readonly #packages: PackageInterface;
  readonly #limits: EngineLimits;
  readonly #languageVersions: readonly LfVersion[];
  readonly #budget: Budget = { steps: 0, allocation: 0 };
  /** True while commands run: contract ids have no text then. */
  #onLedger = false;
  readonly #compiled: LazyPackages;
  readonly #definitions: Definitions;
  readonly #preprocessor: Preprocessor;
  readonly #closures: PackageClosures;

  constructor({ packages, limits, languageVersions = stableVersions, onCompile, onTrace }: EngineOptions) {
    this.#packages = new PackageInterface(packages);
    this.#limits = limits;
    this.#languageVersions = languageVersions;
    this.#compiled = createCompiledPackages({
      packages: this.#packages,
      budget: this.#budget,
      limits,
      onLedger: () => this.#onLedger,
      retype: (template, from, payload) => this.#retype(template, from, payload),
      checkView: (interface_, view) => void this.#ledgerView(this.#definitions.interface(interface_)!, view),
      ...(onCompile === undefined ? {} : { onCompile }),
      ...(onTrace === undefined ? {} : { onTrace }),
    });
    this.#definitions = new Definitions(this.#compiled, new ValueTypes(this.#packages));
    this.#preprocessor = new Preprocessor(this.#definitions, this.#packages);
    this.#closures = new PackageClosures(this.#packages);
  }

  /** How values are typed; shared with whoever shows or reads them. */
  get types(): ValueTypes {
    return this.#definitions.types;
  }
  get packages(): PackageInterface {
    return this.#packages;
  }
  get compiled(): CompiledPackages {
    return this.#compiled;
  }

  /** Compiles a definition before something comes to it; false when that cannot be done. */
  prepare(id: DefinitionId, mode: CompiledMode): boolean {
    return guarded(() => this.#compiled.prepare(id, mode)).ok === true;
  }

  /** What packages made once and kept for all runs; it is made again where it is needed. */
  forgetConstants(): void {
    this.#compiled.forgetConstants();
  }

  interpret(submission: Submission, options: InterpretOptions): InterpretResult {
    return guarded(() => {
      this.#start({ onLedger: true });
      const commands = this.#preprocessor.prepare(submission.commands, submission.packagePreference);
      return this.#interpret(submission, commands, options);
    });
  }

  /** What is wrong with the commands as they are written, if anything: their references, and the types of their values. */
  check({ commands, packagePreference }: Pick<Submission, "commands" | "packagePreference">): Result<void, EngineError> {
    return guarded(() => {
      this.#start({ onLedger: true });
      this.#preprocessor.prepare(commands, packagePreference);
    });
  }

  /** The same of keys of templates. */
  checkKeys(keys: readonly TemplateKey[], packagePreference: Submission["packagePreference"]): Result<void, EngineError> {
    return guarded(() => {
      this.#start({ onLedger: true });
      this.#preprocessor.checkKeys(keys, packagePreference);
    });
  }

  #start({ onLedger }: { readonly onLedger: boolean }): void {
    this.#onLedger = onLedger;
    refill(this.#budget, this.#limits);
  }

  /** Runs pure code off the ledger, with a budget of its own. A Daml exception passes through. */
  evaluate<T>(compute: (compiled: CompiledPackages) => T): Result<T, EngineError> {
    return guarded(() => {
      this.#start({ onLedger: false });
      return compute(this.#compiled);
    });
  }

  /** What a Daml exception becomes where no handler is left. */
  asFailure(exception: AnyValue): EngineError {
    const described = this.evaluate(() => asFailureStatus(this.#compiled, exception).error);
    return described.ok ?? described.error;
  }

  /** The hash by which the ledger knows a contract key. */
  keyHash(templateId: DefinitionId, key: LedgerValue): Result<string, EngineError> {
    return guarded(() => {
      const template = this.#preprocessor.template(templateId);
      if (template.key === undefined) throw missingKey(templateId);
      const contractId = findContractId(key);
      if (contractId !== undefined)
        throw preprocessing("ContractIdInContractKey", `Contract IDs are not supported in contract keys: ${contractId}`);
      return Buffer.from(keyHash(template.compiled.packageName, templateId, template.key.type, key)).toString("hex");
    });
  }

  #interpret(submission: Submission, commands: readonly ReadyCommand[], { salt, reader, onFailure }: InterpretOptions): Interpretation {
    const { actAs, submissionSeed, participantId, preparationTime, ledgerTime, mode, disclosed, packagePreference } = submission;
    const state = new ContractState(mode);
    const contracts = new Contracts({
      compiled: this.#compiled,
      definitions: this.#definitions,
      packages: this.#packages,
      state,
      reader,
      disclosed,
      packagePreference,
    });
    const transaction = new PartialTransaction(state, {
      submitters: partySet(actAs),
      preparationTime,
      nodesMax: this.#limits.transactionNodesMax,
      seed: {
        compute: () => transactionSeed(submissionSeed, participantId, preparationTime),
        roots: submission.rootSeeds ?? [],
      },
    });
    const machine = new UpdateMachine({
      compiled: this.#compiled,
      definitions: this.#definitions,
      state,
      contracts,
      transaction,
      ledgerTime,
      allowance: { bytes: this.#limits.transactionBytesMax },
    });
    const finished = (nodes: readonly RawNode[]): FinishedTransaction =>
      finishTransaction(nodes, new Suffixes(salt, ledgerTime), (id) => this.#preprocessor.template(id).type);
    let roots: readonly RawNode[];
    try {
      roots = this.#run(machine, transaction, commands);
    } catch (error) {
      onFailure?.(finished(transaction.abandon()).transaction);
      throw error;
    }
    const metadata = this.#describe(submission, transaction.packages, machine.timeBoundaries, roots);
    const run = { metadata, inputs: state.inputs, keyInputs: state.keyInputs, usedPackages: [...transaction.packages] };
    return new RunResult(run, roots, () => finished(roots));
  }

  #run(machine: UpdateMachine, transaction: PartialTransaction, commands: readonly ReadyCommand[]): readonly RawNode[] {
    let current: ReadyCommand | undefined;
    try {
      for (current of commands) runCommand(machine, current);
    } catch (error) {
      const failure = error instanceof DamlException ? asFailureStatus(this.#compiled, error.exception) : error;
      throw failure instanceof FatalError
        ? withTrace(failure, {
            open: () => transaction.openExercises(),
            command: current,
            template: (id) => this.#preprocessor.template(id),
            choicesMax: this.#limits.exerciseTraceChoicesMax,
          })
        : failure;
    }
    return transaction.finish();
  }

  #describe(
    { mode, submissionSeed, preparationTime }: Submission,
    packages: ReadonlySet<PackageId>,
    timeBoundaries: TimeBoundaries,
    roots: readonly RawNode[],
  ): RunMetadata {
    const used = this.#closures.usedBy(packages);
    checkLanguageVersions(used, mode === "NUCK" ? this.#languageVersions : keylessVersions);
    return new RunMetadata(
      { submissionSeed, preparationTime, usedPackages: used.ids, dependsOnTime: dependsOnTime(timeBoundaries), timeBoundaries },
      roots,
    );
  }

  /** The view of a contract, computed off ledger by the code of `template`. */
  computeView(request: {
    readonly template: DefinitionId;
    readonly argument: LedgerValue;
    readonly interface: DefinitionId;
  }): Result<ViewResult, EngineError> {
    return guarded(() => {
      this.#start({ onLedger: false });
      return { template: request.template, view: this.#view(request.template, request.argument, request.interface) };
    });
  }

  #view(templateId: DefinitionId, argument: LedgerValue, interfaceId: DefinitionId): LedgerValue {
    this.#preprocessor.checkPackage(templateId.packageId, () => showId(templateId));
    this.#preprocessor.checkPackage(interfaceId.packageId, () => showId(interfaceId));
    const template = this.#preprocessor.template(templateId);
    const interface_ = this.#definitions.interface(interfaceId);
    if (interface_ === undefined) throw lookup("MissingInterface", `unknown interface ${showId(interfaceId)}`, showId(interfaceId));
    const instance = template.compiled.instance(interfaceId);
    if (instance === undefined)
      throw lookup(
        "MissingInterfaceInstance",
        `unknown interface instance ${showId(interfaceId)} for ${showId(templateId)}`,
        showId(interfaceId),
      );
    const payload = unwrap(fromCommandValue(template.type, argument)) as RecordValue;
    try {
      return this.#ledgerView(interface_, instance.view(payload));
    } catch (error) {
      if (error instanceof DamlException) throw asFailureOffLedger(this.#compiled, error.exception);
      throw error;
    }
  }

  #ledgerView({ viewType }: CompiledInterface, view: Value): LedgerValue {
    return toLedgerValue(this.#definitions.types.of(viewType), view, { bytes: this.#limits.transactionBytesMax });
  }

  /** For `from_interface` to another version of the payload's template. */
  #retype(templateId: DefinitionId, from: DefinitionId, payload: RecordValue): RecordValue {
    const template = this.#preprocessor.template(templateId);
    return retypePayload(toLedgerValue(this.#definitions.types.ofData(from), payload), from, template);
  }
}

/** Results of commands are of no use to anybody: only their nodes count. */
function runCommand(machine: Machine, command: ReadyCommand): void {
  switch (command.kind) {
    case "create":
      machine.create(command.templateId, command.argument);
      return;
    case "exercise":
      machine.exercise(command.templateId, command.choice, command.contractId, command.argument);
      return;
    case "exerciseInterface":
      machine.exerciseInterface(command.interfaceId, command.choice, command.contractId, command.argument);
      return;
    case "exerciseByKey":
      machine.exerciseByKey(command.templateId, command.choice, command.key, command.argument);
      return;
    case "createAndExercise": {
      const contractId = machine.create(command.templateId, command.createArgument);
      machine.exercise(command.templateId, command.choice, contractId, command.argument);
      return;
    }
    default:
      unreachable(command);
  }
}
