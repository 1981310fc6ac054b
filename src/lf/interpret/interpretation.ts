/**
 * The results of a run. Blinding, blobs and seeds are computed when somebody asks for them.
 *
 * Classes, not literals with getters: each such literal has accessors of its own, so V8 gives every single object a hidden
 * class, and those keep the whole transaction until the next full collection.
 */
import { computeBlinding, encodeContractInstance } from "../transaction/index.js";
import type { ContractInstance } from "../transaction/contract-instance.js";
import type { BlindingInfo, NodeId, Transaction, TransactionMetadata } from "../transaction/node.js";
import type { KeyInput } from "./contract-state.js";
import type { Seed } from "./seed.js";
import type { CreatedContract, Interpretation } from "./submission.js";

export class RunResult implements Interpretation {
  readonly transaction: Transaction;
  readonly metadata: TransactionMetadata;
  readonly created: readonly CreatedContract[];
  readonly inputs: readonly string[];
  readonly keyInputs: readonly KeyInput[];
  #blinding: BlindingInfo | undefined;

  constructor({ transaction, metadata, created, inputs, keyInputs }: Omit<Interpretation, "blinding">) {
    this.transaction = transaction;
    this.metadata = metadata;
    this.created = created;
    this.inputs = inputs;
    this.keyInputs = keyInputs;
  }

  get blinding(): BlindingInfo { return (this.#blinding ??= computeBlinding(this.transaction)); }
}

export class RunMetadata implements TransactionMetadata {
  readonly submissionSeed: TransactionMetadata["submissionSeed"];
  readonly preparationTime: TransactionMetadata["preparationTime"];
  readonly usedPackages: TransactionMetadata["usedPackages"];
  readonly dependsOnTime: TransactionMetadata["dependsOnTime"];
  readonly timeBoundaries: TransactionMetadata["timeBoundaries"];
  readonly #seeds: readonly (readonly [NodeId, Seed])[];

  constructor(metadata: Omit<TransactionMetadata, "nodeSeeds">, seeds: readonly (readonly [NodeId, Seed])[]) {
    this.submissionSeed = metadata.submissionSeed;
    this.preparationTime = metadata.preparationTime;
    this.usedPackages = metadata.usedPackages;
    this.dependsOnTime = metadata.dependsOnTime;
    this.timeBoundaries = metadata.timeBoundaries;
    this.#seeds = seeds;
  }

  get nodeSeeds(): TransactionMetadata["nodeSeeds"] { return this.#seeds.map(([id, seed]) => [id, seed.bytes] as const); }
}

export class Created implements CreatedContract {
  #blob: Uint8Array | undefined;
  constructor(readonly nodeId: NodeId, readonly instance: ContractInstance) {}
  get blob(): Uint8Array { return (this.#blob ??= encodeContractInstance(this.instance)); }
}
