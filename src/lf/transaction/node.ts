/** Transactions as the engine gives them: nodes numbered in pre-order after rollback normalisation. */
import type { DefinitionId, PackageId } from "../ast.js";
import type { LedgerValue } from "../value/index.js";

export type Party = string;
export type NodeId = number;
/** "2.1" without, "2" with a contract key. */
export type SerializationVersion = "2.1" | "2" | "dev";

export interface KeyWithMaintainers {
  readonly key: LedgerValue;
  readonly maintainers: readonly Party[];
  readonly hash: string; /* hex */
}

export interface CreateNode {
  readonly kind: "create";
  readonly contractId: string; // hex
  readonly packageName: string;
  readonly templateId: DefinitionId;
  readonly argument: LedgerValue;
  readonly signatories: readonly Party[]; // sorted, as all party sets here
  readonly stakeholders: readonly Party[];
  readonly key: KeyWithMaintainers | undefined;
  readonly version: SerializationVersion;
}
export interface FetchNode {
  readonly kind: "fetch";
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId: DefinitionId;
  readonly actingParties: readonly Party[];
  readonly signatories: readonly Party[];
  readonly stakeholders: readonly Party[];
  readonly key: KeyWithMaintainers | undefined;
  readonly byKey: boolean;
  readonly interfaceId: DefinitionId | undefined;
  readonly version: SerializationVersion;
}
export interface ExerciseNode {
  readonly kind: "exercise";
  readonly contractId: string;
  readonly packageName: string;
  readonly templateId: DefinitionId;
  readonly interfaceId: DefinitionId | undefined;
  readonly choice: string;
  readonly consuming: boolean;
  readonly actingParties: readonly Party[];
  readonly choiceObservers: readonly Party[];
  readonly choiceAuthorizers: readonly Party[] | undefined;
  readonly argument: LedgerValue;
  readonly result: LedgerValue | undefined; // absent when an exception ended it
  readonly signatories: readonly Party[];
  readonly stakeholders: readonly Party[];
  readonly key: KeyWithMaintainers | undefined;
  readonly byKey: boolean;
  readonly children: readonly NodeId[];
  readonly version: SerializationVersion;
}
export interface QueryByKeyNode {
  readonly kind: "queryByKey";
  readonly packageName: string;
  readonly templateId: DefinitionId;
  readonly key: KeyWithMaintainers;
  readonly result: readonly string[];
  readonly exhaustive: boolean;
  readonly version: SerializationVersion;
}
export interface RollbackNode {
  readonly kind: "rollback";
  readonly children: readonly NodeId[];
}

export type TransactionNode = CreateNode | FetchNode | ExerciseNode | QueryByKeyNode | RollbackNode;

export interface Transaction {
  readonly version: SerializationVersion;
  readonly roots: readonly NodeId[];
  readonly nodes: readonly TransactionNode[]; // index = node id
}

/** Bounds of the ledger effective time that keep the transaction valid; the full range when it never asked. */
export interface TimeBoundaries {
  readonly min: bigint;
  readonly max: bigint;
}

export interface TransactionMetadata {
  readonly submissionSeed: Uint8Array;
  readonly preparationTime: bigint; // microseconds
  readonly usedPackages: readonly PackageId[]; // sorted
  readonly dependsOnTime: boolean;
  readonly timeBoundaries: TimeBoundaries;
  readonly nodeSeeds: readonly (readonly [NodeId, Uint8Array])[]; // creates and exercises, pre-order
}

/** Who sees what: per node its witnesses, per contract id the parties to which it is divulged. */
export interface BlindingInfo {
  readonly disclosure: readonly (readonly Party[])[]; // index = node id
  readonly divulgence: ReadonlyMap<string, readonly Party[]>;
}
