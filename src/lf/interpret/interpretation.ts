/**
 * The results of a run. Full contract ids, blinding, blobs and seeds are computed when somebody asks for them.
 *
 * Classes, not literals with getters: each such literal has accessors of its own, so V8 gives every single object a hidden
 * class, and those keep the whole transaction until the next full collection.
 */
import { computeBlinding, type BlindingInfo, type Transaction, type TransactionMetadata } from "../transaction/index.js";
import type { KeyInput } from "./contract-state.js";
import { countNodes, type FinishedTransaction, nodeSeeds } from "./finish-transaction.js";
import type { RawNode } from "./raw-node.js";
import type { CreatedContract, Interpretation } from "./submission.js";

export class RunResult implements Interpretation {
  readonly metadata: TransactionMetadata;
  readonly inputs: readonly string[];
  readonly keyInputs: readonly KeyInput[];
  readonly usedPackages: Interpretation["usedPackages"];
  readonly #roots: readonly RawNode[];
  readonly #finish: () => FinishedTransaction;
  #finished: FinishedTransaction | undefined;
  #blinding: BlindingInfo | undefined;

  constructor(
    run: Pick<Interpretation, "metadata" | "inputs" | "keyInputs" | "usedPackages">,
    roots: readonly RawNode[],
    finish: () => FinishedTransaction,
  ) {
    this.metadata = run.metadata;
    this.inputs = run.inputs;
    this.keyInputs = run.keyInputs;
    this.usedPackages = run.usedPackages;
    this.#roots = roots;
    this.#finish = finish;
  }

  get #transaction(): FinishedTransaction {
    return (this.#finished ??= this.#finish());
  }

  get nodeCount(): number {
    return countNodes(this.#roots);
  }
  get transaction(): Transaction {
    return this.#transaction.transaction;
  }
  get created(): readonly CreatedContract[] {
    return this.#transaction.created;
  }
  get blinding(): BlindingInfo {
    return (this.#blinding ??= computeBlinding(this.transaction));
  }
}

export class RunMetadata implements TransactionMetadata {
  readonly submissionSeed: TransactionMetadata["submissionSeed"];
  readonly preparationTime: TransactionMetadata["preparationTime"];
  readonly usedPackages: TransactionMetadata["usedPackages"];
  readonly dependsOnTime: TransactionMetadata["dependsOnTime"];
  readonly timeBoundaries: TransactionMetadata["timeBoundaries"];
  readonly #roots: readonly RawNode[];

  constructor(metadata: Omit<TransactionMetadata, "nodeSeeds">, roots: readonly RawNode[]) {
    this.submissionSeed = metadata.submissionSeed;
    this.preparationTime = metadata.preparationTime;
    this.usedPackages = metadata.usedPackages;
    this.dependsOnTime = metadata.dependsOnTime;
    this.timeBoundaries = metadata.timeBoundaries;
    this.#roots = roots;
  }

  get nodeSeeds(): TransactionMetadata["nodeSeeds"] {
    return nodeSeeds(this.#roots);
  }
}
