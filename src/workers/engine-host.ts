/**
 * What a worker keeps between tasks: the store, opened read-only, decoded packages, and one engine with its compiled code.
 * Each task reads one pinned snapshot and leaves nothing behind but caches.
 */
import { createHmac } from "node:crypto";
import { assert, unreachable } from "../base/assert.js";
import { fail, isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import { fromEngineError, grpcCodeOf, renderTransaction, SnapshotLedgerReader, type InterfaceViewReply, type InterfaceViewRequest, type InterpretRequest } from "../ledger/index.js";
import { decodeContractInstance, Engine, toJson, type ContractInstance, type DefinitionId, type Interpretation } from "../lf/index.js";
import { SnapshotReader, Store } from "../store/index.js";
import { decodeCommands } from "./commands.js";
import { checkUpgrades, readDarContents } from "./dar-tasks.js";
import type { InterpretOutcome, WorkerReply, WorkerSettings, WorkerTask } from "./messages.js";
import { PackageCache } from "./package-cache.js";
import { EngineValues } from "./rendered-values.js";

export class EngineHost {
  readonly #packages = new PackageCache();
  readonly #engine = new Engine({ packages: this.#packages, limits });
  readonly #values = new EngineValues(this.#engine);

  private constructor(private readonly settings: WorkerSettings, private readonly store: Store) {}

  static async open(settings: WorkerSettings): Promise<EngineHost> {
    return new EngineHost(settings, await Store.open({ folder: settings.dataFolder, readOnly: true }));
  }

  run(task: WorkerTask): WorkerReply {
    switch (task.kind) {
      case "interpret": return this.#atSnapshot(Math.max(...task.requests.map(({ atOffset }) => atOffset)), (snapshot) => task.requests.map((request) => this.#interpret(request, snapshot)));
      case "computeViews": return this.#atSnapshot(0, () => task.requests.map((request) => this.#computeView(request)));
      case "checkUpgrades": return this.#atSnapshot(0, () => checkUpgrades(task.added, task.vetted, this.#packages));
      case "readDar": return this.#atSnapshot(0, () => readDarContents(task.bytes, this.#packages.storedIds()));
      case "warm": return this.#atSnapshot(0, () => this.#warm());
      default: return unreachable(task);
    }
  }

  #atSnapshot<T>(atOffset: number, read: (snapshot: SnapshotReader) => T): T {
    const snapshot = SnapshotReader.pin(this.store, atOffset);
    this.#packages.use(snapshot);
    try {
      return read(snapshot);
    } finally {
      this.#packages.use(undefined);
      snapshot.release();
    }
  }

  #interpret(request: InterpretRequest, snapshot: SnapshotReader): InterpretOutcome {
    const disclosed = request.disclosed.map(decodeDisclosed);
    const interpreted = this.#engine.interpret({
      actAs: request.actAs,
      readAs: request.readAs,
      commands: decodeCommands(request.commands),
      disclosed,
      ledgerTime: request.ledgerTime,
      preparationTime: request.ledgerTime,
      submissionSeed: request.submissionSeed,
      participantId: request.participantId,
      packagePreference: this.#packages.preference(request.packagesRevision, request.ledgerTime, request.packageIdSelectionPreference),
      mode: this.settings.contractMode,
    }, { salt: saltFrom(request.submissionSeed), reader: new SnapshotLedgerReader(snapshot, [...request.actAs, ...request.readAs]) });
    return isFailure(interpreted) ? fail(interpreted.error) : ok(this.#render(interpreted.ok, request, disclosed));
  }

  #render(interpretation: Interpretation, { ledgerTime }: InterpretRequest, disclosed: readonly ContractInstance[]): NonNullable<InterpretOutcome["ok"]> {
    return renderTransaction({ interpretation, ledgerTime, disclosed: new Set(disclosed.map(({ contractId }) => contractId)), values: this.#values });
  }

  #computeView({ instance, interfaceId, implementationPackageId }: InterfaceViewRequest): InterfaceViewReply {
    const contract = decodeContractInstance(instance);
    assert(!isFailure(contract), "a stored contract decodes");
    const interface_ = definitionId(interfaceId);
    const computed = this.#engine.computeView({ template: { ...contract.ok.templateId, packageId: implementationPackageId }, argument: contract.ok.argument, interface: interface_ });
    if (isFailure(computed)) {
      const error = fromEngineError(computed.error);
      return { status: { code: grpcCodeOf(error.category), message: `${error.code}(${error.category},0): ${error.cause}` } };
    }
    const viewType = this.#engine.packages.interface(interface_)?.view;
    assert(viewType, "a computed view has a type");
    return { json: toJson(this.#engine.types.of(viewType), computed.ok.view) };
  }

  /** Decodes the vetted packages that hold templates; their code is compiled when it is first used. */
  #warm(): null {
    for (const { summary, vetting } of this.#packages.records(0)) {
      if (vetting !== undefined && summary.templates.length > 0) this.#packages.getPackage(summary.packageId);
    }
    return null;
  }
}

/** The same submission gives the same contract ids, another never does: its seed is random. */
const saltFrom = (seed: Uint8Array) => (discriminator: Uint8Array): Uint8Array => createHmac("sha256", seed).update(discriminator).digest();

function decodeDisclosed(blob: Uint8Array): ContractInstance {
  const decoded = decodeContractInstance(blob);
  assert(!isFailure(decoded), "disclosed contracts were decoded once before they came here");
  return decoded.ok;
}

/** `packageId:Module:Entity` */
function definitionId(text: string): DefinitionId {
  const [packageId, module, name] = text.split(":") as [string, string, string];
  return { packageId, module, name };
}
