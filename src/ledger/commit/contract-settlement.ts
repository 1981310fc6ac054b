/** Brings the index of contracts by their ids up to what commits changed of them. */
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { ContractIndex } from "../records/index.js";
import { type ChangedContract, encodeContractState, encodeSettledContracts, settledContractsKey } from "../records/index.js";
import type { Offset } from "../model/index.js";
import type { CommitGroup } from "./commit-group.js";
import { type LateTable, type Settled, Settlement, type SettlementContext } from "./settlement.js";

export interface ContractSettlementContext extends SettlementContext {
  readonly tables: Pick<Tables, "contractChanges">;
  readonly contracts: ContractIndex;
  readonly unsettledMax: number;
}

/** Behind the byte that tells of which kind an id is. */
const digitsFrom = 2;

class LateContracts implements LateTable<ChangedContract> {
  readonly what = "changes of contracts";
  readonly digitsFrom = digitsFrom;
  readonly waitingMax: number;
  readonly #contracts: ContractIndex;

  constructor({ contracts, unsettledMax }: ContractSettlementContext) {
    this.#contracts = contracts;
    this.waitingMax = unsettledMax;
  }

  get waiting(): ReadonlyMap<string, ChangedContract> {
    return this.#contracts.unsettled;
  }

  write({ batch, tables, writer }: CommitGroup, contractId: string, { state }: ChangedContract): void {
    batch.put(tables.contracts, contractId, encodeContractState(writer, state));
  }

  /** The tail behind which the table was before. */
  besides({ batch, tables }: CommitGroup): void {
    const start = { offset: 0, nodeId: 0 },
      end = { offset: this.#contracts.settledTo + 1, nodeId: 0 };
    for (const key of tables.contractChanges.keys({ start, end, limit: limits.contractChangesClearedPerCommit }))
      batch.remove(tables.contractChanges, key);
  }

  writeSettledTo({ batch, tables, writer }: CommitGroup, offset: Offset): void {
    batch.put(tables.state, settledContractsKey, encodeSettledContracts(writer, offset));
  }

  settled(entries: Iterable<Settled<ChangedContract>>, settledTo: Offset): void {
    for (const { key, value } of entries) this.#contracts.settled(key, value);
    this.#contracts.settledUpTo(settledTo);
  }
}

export function contractSettlement(context: ContractSettlementContext): Settlement<ChangedContract> {
  const { contracts } = context,
    settlement = new Settlement(context, new LateContracts(context), contracts.settledTo);
  contracts.onChanged(() => settlement.look());
  return settlement;
}
