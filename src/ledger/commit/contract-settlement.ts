/** Brings the index of contracts by their ids up to what commits changed of them. */
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { type ContractIndex, type ContractState, settledContractsKey } from "../records/index.js";
import { encodeSettled, type RunList, type Runs, type WaitingEntries } from "../runs/index.js";
import type { CommitGroup } from "./commit-group.js";
import { type MergingSizes, type RunIndex, usualSizes } from "./run-merging.js";
import { type LateIndex, RunSettlement, type RunSettlementContext } from "./run-settlement.js";

export interface ContractSettlementContext extends RunSettlementContext {
  readonly tables: Pick<Tables, "contractChanges">;
  readonly contracts: ContractIndex;
  readonly unsettledMax: number;
  readonly sizes?: MergingSizes | undefined;
}

class LateContracts implements LateIndex<ContractState> {
  readonly what = "changes of contracts";
  readonly waitingMax: number;
  readonly #contracts: ContractIndex;

  constructor({ contracts, unsettledMax }: ContractSettlementContext) {
    this.#contracts = contracts;
    this.waitingMax = unsettledMax;
  }

  get waiting(): WaitingEntries<ContractState> {
    return this.#contracts.waiting;
  }
  get runs(): Runs<ContractState> {
    return this.#contracts.runs;
  }
  get settledTo(): Offset {
    return this.#contracts.settledTo;
  }
  get isOver(): RunIndex<ContractState>["isOver"] {
    return this.#contracts.clearedTo > 0 ? (state, from) => this.#contracts.isCleared(state, from) : undefined;
  }

  tell({ batch, tables, writer }: CommitGroup, settledTo: Offset, list: RunList): void {
    batch.put(tables.state, settledContractsKey, encodeSettled(writer, { offset: settledTo, runs: list }));
  }

  /** The tail behind which the index was before. */
  besides({ batch, tables }: CommitGroup): void {
    const start = { offset: 0, nodeId: 0 },
      end = { offset: this.settledTo + 1, nodeId: 0 };
    for (const key of tables.contractChanges.keys({ start, end, limit: limits.contractChangesClearedPerCommit }))
      batch.remove(tables.contractChanges, key);
  }

  settledUpTo(offset: Offset): void {
    this.#contracts.settledUpTo(offset);
  }
}

export function contractSettlement(context: ContractSettlementContext): RunSettlement<ContractState> {
  const { contracts, sizes = usualSizes } = context,
    settlement = new RunSettlement(context, new LateContracts(context), sizes);
  contracts.onChanged((changes) => settlement.look(changes));
  return settlement;
}
