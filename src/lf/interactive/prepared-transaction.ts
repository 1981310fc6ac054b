/**
 * A transaction prepared for signing elsewhere: interpreted, its new contracts still under their local ids, its values
 * with labels and type ids so that a signer can read them (`proto/interactive.proto`).
 */
import type { CreateNode, NodeId, Party, SerializationVersion, TransactionNode } from "../transaction/index.js";

export interface PreparedTransaction {
  readonly transaction: SeededTransaction;
  readonly metadata: PreparedMetadata;
}

export interface SeededTransaction {
  readonly version: SerializationVersion;
  readonly roots: readonly NodeId[];
  readonly nodes: ReadonlyMap<NodeId, TransactionNode>;
  /** Of creates and exercises. */
  readonly nodeSeeds: ReadonlyMap<NodeId, Uint8Array>;
}

/** Times are microseconds. */
export interface PreparedMetadata {
  readonly actAs: readonly Party[];
  readonly commandId: string;
  readonly synchronizerId: string;
  readonly mediatorGroup: number;
  readonly transactionUuid: string;
  readonly preparationTime: bigint;
  readonly inputContracts: readonly InputContract[];
  /** Bounds of the ledger time within which the transaction is the same; undefined when there is none. */
  readonly minLedgerTime: bigint | undefined;
  readonly maxLedgerTime: bigint | undefined;
  readonly maxRecordTime: bigint | undefined;
}

/** A contract of the ledger that the transaction uses: once for the signer to read, once as it is stored. */
export interface InputContract {
  readonly create: CreateNode;
  readonly createdAt: bigint;
  /** FatContractInstance. */
  readonly blob: Uint8Array;
}

export type HashingScheme = "V2" | "V3";
