/**
 * What a worker keeps between tasks: the store, opened read-only, decoded packages, and one engine with its compiled code.
 * Each task reads one pinned snapshot and leaves nothing behind but caches.
 */
import { threadId } from "node:worker_threads";
import { assert, unreachable } from "../base/assert.js";
import { fail, isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import {
  checkDisclosed,
  type CheckRequest,
  encodeUnplaced,
  factsOfPlain,
  FreshContracts,
  type InterfaceViewReply,
  type InterfaceViewRequest,
  type InterpretRequest,
  ContractIndex,
  KeptContracts,
  type KnownContracts,
  KnownNumbers,
  readSigned,
  requestOfPlain,
  renderTransaction,
  type ReplayRequest,
  SnapshotLedgerReader,
  type SubmissionReader,
  type ToRecord,
  type UnplacedTransaction,
  type UnreadOutcome,
  type UnreadRequest,
} from "../ledger/engine/index.js";
import { decodeContractInstance, describePackage, describeType, Engine, toJson, type DefinitionId } from "../lf/index.js";
import { checkFile, RecordWriter, SnapshotReader, openStore, type Store } from "../store/index.js";
import { begin, type SharedProgress, tellUsed } from "./batch-progress.js";
import { DarTasks } from "./dar-tasks.js";
import type { CheckOutcome, WorkerReplies, WorkerReply, WorkerSettings, WorkerTask } from "./messages.js";
import { failedView } from "./failed-view.js";
import { collectGarbage } from "./garbage.js";
import { checkSelected, interpretSelected } from "./interpret-selected.js";
import { KeptMemory } from "./kept-memory.js";
import { PackageCache } from "./package-cache.js";
import {
  packedTransaction,
  packOutcomes,
  unpackRequests,
  type InterpretOutcome,
  type PackedOutcomes,
  type PlacedRequest,
} from "./packed-interpretations.js";
import { EngineValues } from "./rendered-values.js";
import { SigningTasks } from "./signing-tasks.js";
import { saltFrom } from "./submission.js";
import { toldError } from "./told-errors.js";
import { UsedDefinitions } from "./used-definitions.js";
import { warn } from "./warnings.js";

export class EngineHost {
  readonly #packages = new PackageCache();
  readonly #dars = new DarTasks(this.#packages);
  readonly #used: UsedDefinitions;
  readonly #engine = new Engine({ packages: this.#packages, limits, onCompile: (compiled) => this.#used.add(compiled) });
  readonly #values = new EngineValues(this.#engine);
  readonly #memory = new KeptMemory(() => this.#engine.forgetConstants());
  /** Something of a model ran here. */
  #isUsed = false;

  /** By participant. */
  readonly #numbers: KnownNumbers[] = [];
  readonly #contracts: KnownContracts[] = [];
  readonly #writer = new RecordWriter(limits.commitChunkBytes);
  readonly #signing: SigningTasks;
  readonly #warming = this.#warmSteps();

  private constructor(
    private readonly settings: WorkerSettings,
    private readonly store: Store,
    private readonly readPlain: SubmissionReader,
  ) {
    this.#used = new UsedDefinitions(settings.dataFolder, warn);
    this.#signing = new SigningTasks({
      engine: this.#engine,
      packages: this.#packages,
      values: this.#values,
      mode: settings.contractMode,
      contractsAt: (snapshot) => this.#contractsAt(snapshot),
      record: (transaction, snapshot) => this.#record(transaction, snapshot),
    });
  }

  static async open(settings: WorkerSettings, readPlain: SubmissionReader): Promise<EngineHost> {
    return new EngineHost(settings, await openStore({ folder: settings.dataFolder, readOnly: true }), readPlain);
  }

  run(task: WorkerTask): WorkerReply {
    if ("progress" in task) this.#beforeModel(task);
    return this.#run(task);
  }

  /** Bounds what is kept for the next task. */
  lookAtMemory(): void {
    this.#memory.look();
  }

  #beforeModel({ progress, forgetsConstants }: Extract<WorkerTask, { readonly progress: SharedProgress }>): void {
    if (this.#isUsed) tellUsed(progress);
    this.#isUsed = true;
    if (forgetsConstants === true) this.#engine.forgetConstants();
  }

  #run(task: WorkerTask): WorkerReply {
    switch (task.kind) {
      case "interpret":
        return this.#interpretAll(unpackRequests(task.requests), task.progress);
      case "checkCommands":
        begin(task.progress, 0);
        return this.#atSnapshot(task, () => this.#check(task.request), task.request.atOffset);
      case "prepare":
        begin(task.progress, 0);
        return this.#atSnapshot(task, (snapshot) => this.#signing.prepare(task.request, snapshot), task.request.submission.atOffset);
      case "replay":
        begin(task.progress, 0);
        return this.#atSnapshot(task, (snapshot) => this.#replay(task.request, snapshot), task.request.atOffset);
      case "checkDisclosed": {
        begin(task.progress, 0);
        const wrong = checkDisclosed(task.contracts);
        return wrong === undefined ? ok(undefined) : fail(wrong);
      }
      case "readSigned":
        begin(task.progress, 0);
        return readSigned(task.request);
      case "computeViews":
        return this.#atSnapshot(task, () => inParts(task, (request) => this.#computeView(request)));
      case "describeTypes":
        begin(task.progress, 0);
        return this.#atSnapshot(task, () => task.positions.map((position) => describeType(this.#values.typeAt(position))));
      case "checkUpgrades":
        return this.#atSnapshot(task, () => this.#dars.checkUpgrades(task.pairs, task.added));
      case "readDar":
        return this.#atSnapshot(task, () => this.#dars.read(task.bytes));
      case "listDar":
        return this.#atSnapshot(task, () => this.#dars.list(task.bytes));
      case "describePackage":
        return this.#atSnapshot(task, () => {
          const package_ = this.#packages.getPackage(task.packageId);
          assert(package_, "only stored packages are described");
          return describePackage(package_, { charsMax: limits.describedPackageCharsMax });
        });
      case "checkFile":
        return this.#atSnapshot({ participant: 0 }, (snapshot) => this.#checkFile(snapshot));
      case "warm":
        return this.#atSnapshot({ participant: 0 }, () => ({ threadId, isDone: this.#warmSlice() }));
      case "ping":
        return null;
      default:
        return unreachable(task);
    }
  }

  #atSnapshot<T>({ participant }: { readonly participant: number }, read: (snapshot: SnapshotReader) => T, atOffset = 0): T {
    const snapshot = SnapshotReader.pin(this.store, atOffset, participant);
    this.#packages.use(snapshot);
    try {
      return read(snapshot);
    } finally {
      this.#packages.use(undefined);
      snapshot.release();
      this.#used.write();
    }
  }

  #interpretAll(requests: readonly PlacedRequest[], progress: SharedProgress): PackedOutcomes {
    return this.#atSnapshot({ participant: 0 }, (pinned) =>
      packOutcomes(
        inParts({ requests, progress }, ({ participant, request, unread }) => {
          const snapshot = pinned.of(participant, (request ?? unread).atOffset);
          this.#packages.use(snapshot);
          return request === undefined ? this.#interpretUnread(unread, snapshot) : this.#interpret(request, snapshot);
        }),
      ),
    );
  }

  #interpret(request: InterpretRequest, snapshot: SnapshotReader, findsFresh = false): InterpretOutcome {
    const reader = new SnapshotLedgerReader(snapshot, [...request.actAs, ...request.readAs], this.#contractsAt(snapshot), findsFresh);
    const tools = { engine: this.#engine, packages: this.#packages, mode: this.settings.contractMode };
    const interpreted = interpretSelected(request, { salt: saltFrom(request.submissionSeed), reader }, tools);
    if (isFailure(interpreted)) {
      if (interpreted.error.phase === "interpretation" && interpreted.error.class === "LimitExceeded") collectGarbage();
      return fail(toldError(interpreted.error));
    }
    const { interpretation, submission } = interpreted.ok,
      disclosed = new Set(submission.disclosed.map(({ contractId }) => contractId));
    const { facts, actAs, ledgerTime } = request,
      transaction = renderTransaction({ interpretation, ledgerTime, disclosed, values: this.#values });
    return ok((facts && this.#record({ transaction, facts, actAs, ledgerTime }, snapshot)) ?? transaction);
  }

  #check(request: CheckRequest): CheckOutcome {
    const { error } = checkSelected(request, { engine: this.#engine, packages: this.#packages });
    return error === undefined ? ok(undefined) : fail(toldError(error));
  }

  #replay(request: ReplayRequest, snapshot: SnapshotReader): WorkerReplies["replay"] {
    const replayed = this.#signing.replay(request, snapshot);
    return isFailure(replayed) ? replayed : ok(packedTransaction(replayed.ok));
  }

  #record(toRecord: ToRecord, snapshot: SnapshotReader): UnplacedTransaction | undefined {
    const recorded = encodeUnplaced(this.#writer, toRecord, this.#numbersAt(snapshot));
    if (recorded !== undefined) this.#contractsAt(snapshot).fresh.add(toRecord.transaction.events);
    return recorded;
  }

  #interpretUnread(unread: UnreadRequest, snapshot: SnapshotReader): UnreadOutcome {
    const numbers = this.#numbersAt(snapshot),
      isKnown = (party: string): boolean => numbers.party(party) !== undefined;
    const plain = this.readPlain(unread.body),
      facts = plain && factsOfPlain(plain, unread, isKnown);
    if (plain === undefined || facts === undefined) return undefined;
    const outcome = this.#interpret(requestOfPlain(unread, plain.commands, facts), snapshot, unread.findsFresh);
    return isFailure(outcome) ? { refusal: outcome.error } : { facts, transaction: outcome.ok };
  }

  #contractsAt({ set, tables }: SnapshotReader): KnownContracts {
    return (this.#contracts[set] ??= { index: new ContractIndex(tables), kept: new KeptContracts(), fresh: new FreshContracts() });
  }

  #numbersAt({ set, tables }: SnapshotReader): KnownNumbers {
    return (this.#numbers[set] ??= new KnownNumbers()).at(tables);
  }

  #computeView({ instance, interfaceId, implementationPackageId }: InterfaceViewRequest): InterfaceViewReply {
    const contract = decodeContractInstance(instance);
    assert(!isFailure(contract), "a stored contract decodes");
    const interface_ = definitionId(interfaceId);
    const computed = this.#engine.computeView({
      template: { ...contract.ok.templateId, packageId: implementationPackageId },
      argument: contract.ok.argument,
      interface: interface_,
    });
    if (isFailure(computed)) return failedView(computed.error);
    const viewType = this.#engine.packages.interface(interface_)?.view;
    assert(viewType, "a computed view has a type");
    return { json: toJson(this.#engine.types.of(viewType), computed.ok.view) };
  }

  /** What a snapshot holds is not written over meanwhile; it holds it from its first read on. */
  #checkFile({ lastOffset }: SnapshotReader): string | undefined {
    assert(lastOffset >= 0, "there is a commit");
    return checkFile(this.settings.dataFolder, { logBytesMax: limits.startCheckLogBytesMax, isOpenHere: true })?.error?.text;
  }

  /** True when nothing is left to be done. */
  #warmSlice(): boolean {
    const until = performance.now() + limits.warmSliceMs;
    do {
      if (this.#warming.next().done === true) return true;
    } while (performance.now() < until);
    return false;
  }

  /** Opens the vetted packages that hold templates, and what those need; then compiles what was used before. */
  *#warmSteps(): Generator<void> {
    const vetted = this.#packages
      .records(0)
      .filter(({ summary, vettings }) => vettings.some((vetting) => vetting !== undefined) && summary.templates.length > 0);
    const needed = new Set(vetted.map(({ summary }) => summary.packageId));
    for (const id of needed) {
      // grows while it is walked
      for (const dependency of this.#packages.getPackage(id)?.directDependencies ?? []) needed.add(dependency);
      yield;
    }
    this.#packages.sound.clear();
    for (const { id, mode } of this.#used.all()) {
      if (!needed.has(id.packageId)) continue;
      this.#engine.prepare(id, mode);
      yield;
    }
  }
}

/** The replies to those parts that were not taken back meanwhile. */
function inParts<R, A>(
  { requests, progress }: { readonly requests: readonly R[]; readonly progress: SharedProgress },
  run: (request: R) => A,
): readonly A[] {
  const answers: A[] = [];
  for (const [index, request] of requests.entries()) {
    if (!begin(progress, index)) break;
    answers.push(run(request));
  }
  return answers;
}

/** `packageId:Module:Entity` */
function definitionId(text: string): DefinitionId {
  const [packageId, module, name] = text.split(":") as [string, string, string];
  return { packageId, module, name };
}
