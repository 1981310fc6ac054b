/** Brings the index of contracts by their ids up to what commits changed of them. */
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import {
  type ChangedContract,
  type ContractIndex,
  type ContractState,
  encodeSettledContracts,
  settledContractsKey,
} from "../records/index.js";
import type { Offset } from "../model/index.js";
import type { RunList } from "../runs/index.js";
import type { CommitGroup } from "./commit-group.js";
import { type MergingSizes, type RunIndex, usualSizes } from "./run-merging.js";
import { RunSettlement, type Unsettled } from "./run-settlement.js";
import type { Settled, SettlementContext } from "./settlement.js";

export interface ContractSettlementContext extends SettlementContext {
  readonly tables: Pick<Tables, "contractChanges">;
  readonly contracts: ContractIndex;
  readonly turns: Turns;
  readonly unsettledMax: number;
  readonly sizes?: MergingSizes | undefined;
}

class LateContracts implements Unsettled<ChangedContract, ContractState> {
  readonly what = "changes of contracts";
  readonly waitingMax: number;
  readonly #contracts: ContractIndex;

  constructor({ contracts, unsettledMax }: ContractSettlementContext) {
    this.#contracts = contracts;
    this.waitingMax = unsettledMax;
  }

  get waiting(): ReadonlyMap<string, ChangedContract> {
    return this.#contracts.unsettled;
  }

  valueOf({ state }: ChangedContract): ContractState {
    return state;
  }

  /** The tail behind which the index was before. */
  besides({ batch, tables }: CommitGroup): void {
    const start = { offset: 0, nodeId: 0 },
      end = { offset: this.#contracts.settledTo + 1, nodeId: 0 };
    for (const key of tables.contractChanges.keys({ start, end, limit: limits.contractChangesClearedPerCommit }))
      batch.remove(tables.contractChanges, key);
  }

  settled(entries: Iterable<Settled<ChangedContract>>, settledTo: Offset): void {
    for (const { key, value } of entries) this.#contracts.settled(key, value);
    this.#contracts.settledUpTo(settledTo);
  }
}

const inRuns = (contracts: ContractIndex): RunIndex<ContractState> => ({
  runs: contracts.runs,
  get settledTo() {
    return contracts.settledTo;
  },
  get isOver() {
    return contracts.clearedTo > 0 ? (state: ContractState, from: Offset) => contracts.isCleared(state, from) : undefined;
  },
  tell: ({ batch, tables, writer }: CommitGroup, settledTo: Offset, list: RunList) =>
    batch.put(tables.state, settledContractsKey, encodeSettledContracts(writer, settledTo, list)),
});

export function contractSettlement(context: ContractSettlementContext): RunSettlement<ChangedContract, ContractState> {
  const { contracts, sizes = usualSizes } = context,
    settlement = new RunSettlement(context, new LateContracts(context), inRuns(contracts), sizes);
  contracts.onChanged((changes) => settlement.look(changes));
  return settlement;
}
