/** Nodes as a run makes them: with local contract ids, not numbered yet, and no more copied than must be. */
import type { DefinitionId } from "../ast.js";
import type { NodeId, QueryByKeyNode } from "../transaction/index.js";
import type { LedgerValue, ContractId } from "../value/index.js";
import type { ContractInfo } from "./contract-info.js";
import type { PartySet } from "./parties.js";
import type { Seed } from "./seed.js";

export interface RawCreate {
  readonly kind: "create";
  readonly contractId: ContractId;
  readonly info: ContractInfo;
  /** Its own is that of child `index`. */
  readonly parentSeed: Seed;
  readonly index: number;
}

export interface RawFetch {
  readonly kind: "fetch";
  readonly contractId: string;
  readonly info: ContractInfo;
  readonly actingParties: PartySet;
  readonly byKey: boolean;
  readonly interfaceId: DefinitionId | undefined;
}

export interface RawQueryByKey {
  readonly kind: "queryByKey";
  readonly node: QueryByKeyNode;
}

export interface ExerciseStart {
  readonly contractId: string;
  readonly info: ContractInfo;
  readonly interfaceId: DefinitionId | undefined;
  readonly choice: string;
  readonly consuming: boolean;
  readonly controllers: PartySet;
  readonly observers: PartySet;
  readonly authorizers: PartySet | undefined;
  readonly argument: LedgerValue;
  readonly byKey: boolean;
}

export interface RawExercise {
  readonly kind: "exercise";
  /** Of the run: errors tell it. */
  readonly nodeId: NodeId;
  readonly start: ExerciseStart;
  readonly seed: Seed;
  readonly children: RawNode[];
  /** Once it has ended. */
  result: LedgerValue | undefined;
}

export interface RawRollback {
  readonly kind: "rollback";
  readonly children: readonly RawNode[];
}

export type RawAction = RawCreate | RawFetch | RawQueryByKey | RawExercise;
export type RawNode = RawAction | RawRollback;
