/** Transactions that are signed elsewhere: interpreted into what is signed, and again when it comes back. */
import { assert } from "../base/assert.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import {
  type PreparationError,
  type PrepareRequest,
  renderTransaction,
  type ReplayRequest,
  type KnownContracts,
  SnapshotLedgerReader,
  type ToRecord,
  type UnplacedTransaction,
} from "../ledger/engine/index.js";
import {
  describeHash,
  disclosedContracts,
  encodePrepared,
  hashPrepared,
  inputContracts,
  inputPackages,
  packagesByName,
  reachableNodes,
  readMetadata,
  readTransaction,
  rootCommand,
  seededTransaction,
  splitPrepared,
  timeBounds,
  type Engine,
  type Interpretation,
  type NodeTypes,
  type PreparedTransaction,
  type Submission,
} from "../lf/index.js";
import type { SnapshotReader } from "../store/index.js";
import { checkSelected, interpretSelected } from "./interpret-selected.js";
import type { PrepareOutcome, ReplayOutcome } from "./messages.js";
import type { PackageCache } from "./package-cache.js";
import { packagesByInformee } from "./packages-by-informee.js";
import type { EngineValues } from "./rendered-values.js";
import { saltFrom } from "./submission.js";
import { toldError, toldOfReplay } from "./told-errors.js";

export interface SigningTools {
  readonly engine: Engine;
  readonly packages: PackageCache;
  readonly values: EngineValues;
  readonly mode: Submission["mode"];
  contractsAt(snapshot: SnapshotReader): KnownContracts;
  /** Its records, where they can be made. */
  record(transaction: ToRecord, snapshot: SnapshotReader): UnplacedTransaction | undefined;
}

const refused = (message: string): { readonly error: PreparationError } => fail({ phase: "preparation", message });

export class SigningTasks {
  readonly #tools: SigningTools;
  readonly #types: NodeTypes;

  constructor(tools: SigningTools) {
    this.#tools = tools;
    this.#types = nodeTypes(tools.values);
  }

  prepare(request: PrepareRequest, snapshot: SnapshotReader): PrepareOutcome {
    return request.commandCount > 1 ? this.#refuseSeveral(request) : this.#prepareOne(request, snapshot);
  }

  /** That there are several is told after what is wrong with one of them. */
  #refuseSeveral({ submission, commandCount }: PrepareRequest): PrepareOutcome {
    const checked = checkSelected(submission, this.#tools);
    return isFailure(checked) ? fail(toldError(checked.error)) : refused(`one command can be prepared at a time, not ${commandCount}.`);
  }

  #prepareOne(request: PrepareRequest, snapshot: SnapshotReader): PrepareOutcome {
    const { submission: asked, preparationTime, commandId, synchronizerId, transactionUuid, maxRecordTime, hashingScheme } = request;
    const reader = new SnapshotLedgerReader(snapshot, [...asked.actAs, ...asked.readAs], this.#tools.contractsAt(snapshot));
    const interpreted = interpretSelected(asked, { salt: saltFrom(asked.submissionSeed), reader }, this.#tools, preparationTime);
    if (isFailure(interpreted)) return fail(toldError(interpreted.error));
    const { interpretation, submission } = interpreted.ok;
    const contractOf = (contractId: string) =>
      submission.disclosed.find((one) => one.contractId === contractId) ?? reader.readContract(contractId)?.instance;
    const prepared: PreparedTransaction = {
      transaction: seededTransaction(interpretation, this.#types),
      metadata: {
        actAs: [...new Set(asked.actAs)].sort(),
        commandId,
        synchronizerId,
        mediatorGroup: 0,
        transactionUuid,
        preparationTime,
        inputContracts: inputContracts(interpretation, contractOf, this.#types),
        ...timeBounds(interpretation.metadata.timeBoundaries),
        maxRecordTime,
      },
    };
    const hash = hashPrepared(prepared, hashingScheme);
    return isFailure(hash)
      ? refused(hash.error.message)
      : ok({
          bytes: encodePrepared(prepared),
          hash: hash.ok,
          hashingDetails: request.describesHash ? describeHash(prepared, hashingScheme, limits.hashingDetailsCharsMax) : undefined,
          packagesByInformee: packagesByInformee(interpretation),
          inputs: interpretation.inputs,
          usedPackages: interpretation.usedPackages,
        });
  }

  replay(request: ReplayRequest, snapshot: SnapshotReader): ReplayOutcome {
    const prepared = decode(request.prepared),
      root = rootCommand(prepared.transaction),
      nodes = reachableNodes(prepared.transaction);
    if (root === undefined || nodes === undefined) return refused("the root of the transaction is no command");
    const { engine, packages, mode, values } = this.#tools,
      { actAs, preparationTime } = prepared.metadata;
    const disclosed = disclosedContracts(prepared.metadata),
      { packagesRevision: revision, synchronizer, ledgerTime, facts, externalTransactionHash } = request;
    const preference = packages.select({ revision, synchronizer, at: ledgerTime, names: new Set(), preferred: [], needs: [] }).packages;
    const interpreted = engine.interpret(
      {
        actAs,
        readAs: [],
        commands: [root.command],
        disclosed,
        ledgerTime,
        preparationTime,
        submissionSeed: request.submissionSeed,
        participantId: request.participantId,
        rootSeeds: [root.seed],
        packagePreference: new Map([...preference, ...packagesByName(nodes)]),
        mode,
      },
      { salt: saltFrom(request.submissionSeed), reader: new SnapshotLedgerReader(snapshot, actAs, this.#tools.contractsAt(snapshot)) },
    );
    if (isFailure(interpreted)) return fail(toldOfReplay(interpreted.error));
    const difference = this.#difference(prepared, interpreted.ok);
    if (difference !== undefined) return refused(difference);
    const transaction = renderTransaction({
      interpretation: interpreted.ok,
      ledgerTime,
      disclosed: new Set(disclosed.map(({ contractId }) => contractId)),
      values,
    });
    return ok((facts && this.#tools.record({ transaction, facts, externalTransactionHash, actAs, ledgerTime }, snapshot)) ?? transaction);
  }

  /** Both are hashed by the scheme that covers all there is, whatever scheme was signed. */
  #difference(prepared: PreparedTransaction, interpretation: Interpretation): string | undefined {
    const stored = new Map(disclosedContracts(prepared.metadata).map((contract) => [contract.contractId, contract]));
    const used = [...inputPackages(interpretation.transaction.nodes).keys()].find((contractId) => !stored.has(contractId));
    if (used !== undefined) return `the transaction uses contract ${used}, which is not among its input contracts`;
    const again: PreparedTransaction = {
      transaction: seededTransaction(interpretation, this.#types),
      metadata: {
        ...prepared.metadata,
        ...timeBounds(interpretation.metadata.timeBoundaries),
        inputContracts: inputContracts(interpretation, (contractId) => stored.get(contractId), this.#types),
      },
    };
    const given = hashPrepared(prepared, "V3"),
      made = hashPrepared(again, "V3");
    if (isFailure(given) || isFailure(made)) return "the transaction cannot be hashed";
    return Buffer.compare(given.ok, made.ok) === 0 ? undefined : "interpreted again, the transaction is another one";
  }
}

function decode(bytes: Uint8Array): PreparedTransaction {
  const parts = must(splitPrepared(bytes));
  assert(parts.transaction && parts.metadata, "both parts of a prepared transaction are there");
  return { transaction: must(readTransaction(parts.transaction)), metadata: must(readMetadata(parts.metadata)) };
}

function must<T, E>(result: Result<T, E>): T {
  assert(!isFailure(result), "a prepared transaction was decoded once before it came here");
  return result.ok;
}

const nodeTypes = (values: EngineValues): NodeTypes => ({
  argument: (templateId) => values.typeAt({ kind: "createArgument", templateId }),
  key: (templateId) => values.typeAt({ kind: "contractKey", templateId }),
  choiceArgument: (templateId, interfaceId, choice) => values.typeAt({ kind: "choiceArgument", templateId, interfaceId, choice }),
  choiceResult: (templateId, interfaceId, choice) => values.typeAt({ kind: "exerciseResult", templateId, interfaceId, choice }),
});
