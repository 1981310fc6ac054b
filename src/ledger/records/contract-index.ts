/**
 * Contracts by their ids. An id has no order, so that an entry of its own in the table of them costs every commit a page for each contract,
 * and more of them the larger it grows. So commits say what they changed in a tail, one record each, and the table gets it later, many at a
 * time in the order of its keys (`ledger/commit/contract-settlement.ts`). Who looks for a contract has the tail in memory.
 */
import { offsetMax, RecordReader, type RecordWriter, type Tables, unseal } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { type ContractChange, decodeContractChanges } from "./contract-changes.js";
import { type ContractState, decodeContractState } from "./contract-record.js";

const version = 1,
  settledName = "settledContracts";

export type ContractTables = Pick<Tables, "state" | "contracts" | "contractChanges">;

/** The table has all that was changed up to here. */
function readSettledTo({ state }: Pick<Tables, "state">): Offset {
  const record = state.read(settledName);
  return record ? new RecordReader(unseal(record, version, "state")).offset() : 0;
}
export const settledContractsKey = settledName;
export const encodeSettledContracts = (writer: RecordWriter, offset: Offset): Buffer => writer.reset().offset(offset).finish(version);

/** A state that the table need not have yet, with the last offset of the commit that made it so. */
export interface ChangedContract {
  readonly offset: Offset;
  readonly state: ContractState;
}

export class ContractIndex {
  /** In the order of their offsets. */
  readonly #changed = new Map<string, ChangedContract>();
  #tables: ContractTables;
  #readTo: Offset = 0;
  #settledTo: Offset = 0;
  #onChanged: () => void = () => undefined;

  constructor(tables: ContractTables) {
    this.#tables = tables;
    this.#readTail();
  }

  /** The same or a later commit. */
  at(tables: ContractTables): this {
    if (tables === this.#tables) return this;
    this.#tables = tables;
    this.#readTail();
    return this;
  }

  #readTail(): void {
    const { contractChanges } = this.#tables,
      settledTo = readSettledTo(this.#tables),
      start = { offset: Math.max(this.#readTo, settledTo) + 1, nodeId: 0 };
    for (const { key, value } of contractChanges.entries({ start, end: { offset: offsetMax, nodeId: 0 } }))
      for (const [contractId, state] of decodeContractChanges(value, key)) this.#change(contractId, { offset: key.offset, state });
    if (settledTo > this.#settledTo) this.#forget(settledTo);
  }

  /** What a commit that is durable has written up to an offset: it need not be read. */
  changed(offset: Offset, changes: Iterable<ContractChange>): void {
    for (const [contractId, state] of changes) this.#change(contractId, { offset, state });
    this.#onChanged();
  }
  /** Called after each of these. */
  onChanged(listener: () => void): void {
    this.#onChanged = listener;
  }

  #change(contractId: string, changed: ChangedContract): void {
    this.#changed.delete(contractId);
    this.#changed.set(contractId, changed);
    this.#readTo = changed.offset;
  }

  find(contractId: string): ContractState | undefined {
    const changed = this.#changed.get(contractId);
    if (changed !== undefined) return changed.state;
    const record = this.#tables.contracts.readShared(contractId);
    return record && decodeContractState(record, contractId);
  }

  /** Those that the table need not have. */
  get unsettled(): ReadonlyMap<string, ChangedContract> {
    return this.#changed;
  }
  get settledTo(): Offset {
    return this.#settledTo;
  }

  /** The table has it now. */
  settled(contractId: string, changed: ChangedContract): void {
    if (this.#changed.get(contractId) === changed) this.#changed.delete(contractId);
  }
  /** It has all. */
  settledUpTo(offset: Offset): void {
    this.#settledTo = offset;
  }

  #forget(settledTo: Offset): void {
    for (const [contractId, { offset }] of this.#changed) {
      if (offset > settledTo) break;
      this.#changed.delete(contractId);
    }
    this.#settledTo = settledTo;
  }

  /** Of all of them, each once. */
  *ids(): Generator<string> {
    for (const { key } of this.#tables.contracts.all()) if (!this.#changed.has(key)) yield key;
    yield* this.#changed.keys();
  }
}
