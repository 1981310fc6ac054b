/**
 * Contracts by their ids. An id has no order, so that an entry of its own in a table of them costs a page for each contract, and more the
 * larger the table is. So commits say what they changed in a tail, one record each; of what came together a run is made later
 * (`ledger/commit/contract-settlement.ts`), and of many runs a larger one (`ledger/runs`). Who looks for a contract has the tail in memory.
 * What a file of a format before 9 has in a table of contracts is older than all of this.
 *
 * Nobody removes a contract from here: what ended up to where the ledger is pruned counts for nothing, and is left out when runs are
 * merged.
 */
import { limits } from "../../config.js";
import { type EventPlace, offsetMax, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { decodeSettled, Runs, type Settled, WaitingEntries } from "../runs/index.js";
import { addContractChanges } from "./contract-changes.js";
import { type ContractState, decodeContractState, endOfState, packedState } from "./contract-record.js";
import { type PruningPoint, readPruningPoint } from "./pruning-point.js";

export const settledContractsKey = "settledContracts";

export type ContractTables = Pick<Tables, "state" | "contracts" | "contractChanges" | "contractRuns">;

/** A record of what a commit changed, and its place. */
export interface ContractChanges {
  readonly place: EventPlace;
  readonly record: Buffer;
}

export class ContractIndex {
  /** States that the runs need not have yet. */
  readonly waiting = new WaitingEntries<ContractState>(packedState);
  readonly #runs: Runs<ContractState>;
  #tables: ContractTables;
  /** Whether what is known is of `#tables`, and not of a commit before. */
  #isCurrent = true;
  #readTo: Offset = 0;
  #settledTo: Offset = 0;
  /** As it was read last. */
  #settled: Buffer | undefined;
  /** What ended up to here is nobody's any more. */
  #prunedTo: Offset = 0;
  /** And up to here nobody needs to know that it was there. */
  #clearedTo: Offset = 0;
  #onChanged: (changes: number) => void = () => undefined;

  constructor(tables: ContractTables, filtersBytesMax: number = limits.runFiltersBytesMax) {
    this.#tables = tables;
    this.#runs = new Runs(packedState, tables.contractRuns, filtersBytesMax);
    this.#read();
  }

  /** The same or a later commit, for who finds contracts: what it changed is read when one is looked for, as many commands use none. */
  at(tables: ContractTables): this {
    this.#isCurrent &&= tables === this.#tables;
    this.#tables = tables;
    return this;
  }

  #read(): void {
    this.#isCurrent = true;
    const { contractChanges, contractRuns } = this.#tables,
      settled = this.#readSettled(),
      settledTo = settled?.offset ?? this.#settledTo;
    this.#runs.at(contractRuns, settled?.runs);
    this.prunedTo(readPruningPoint(this.#tables));
    if (settledTo > this.#settledTo) this.settledUpTo(settledTo);
    const start = { offset: Math.max(this.#readTo, settledTo) + 1, nodeId: 0 };
    for (const { key, value } of contractChanges.entries({ start, end: { offset: offsetMax, nodeId: 0 } })) this.#add(value, key);
  }

  /** Undefined where it is as it was. */
  #readSettled(): Settled | undefined {
    const record = this.#tables.state.readShared(settledContractsKey);
    if (record === undefined || this.#settled?.equals(record) === true) return undefined;
    this.#settled = Buffer.from(record);
    return decodeSettled(this.#settled);
  }

  /** What a commit that is durable has written: it need not be read. */
  changed(changes: readonly ContractChanges[]): void {
    let count = 0;
    for (const { record, place } of changes) count += this.#add(record, place);
    this.#onChanged(count);
  }
  /** Called after each of these with the number of changes. */
  onChanged(listener: (changes: number) => void): void {
    this.#onChanged = listener;
  }

  #add(record: Buffer, place: EventPlace): number {
    this.#readTo = place.offset;
    return addContractChanges(record, place, this.waiting);
  }

  find(contractId: string): ContractState | undefined {
    const state = this.stored(contractId);
    return state === undefined || this.#isPruned(state) ? undefined : state;
  }

  /** Also what is pruned, as long as it was not cleared away. */
  stored(contractId: string): ContractState | undefined {
    if (!this.#isCurrent) this.#read();
    const changed = this.waiting.find(contractId);
    if (changed !== undefined) return changed;
    const settled = this.#runs.find(contractId);
    if (settled !== undefined) return settled;
    const record = this.#tables.contracts.readShared(contractId);
    return record && decodeContractState(record, contractId);
  }

  #isPruned(state: ContractState): boolean {
    if (this.#prunedTo === 0) return false;
    const end = endOfState(state);
    return end !== undefined && end <= this.#prunedTo;
  }

  /** Up to where the ledger is pruned. */
  prunedTo({ offset, isComplete }: PruningPoint): void {
    this.#prunedTo = offset;
    if (isComplete) this.#clearedTo = offset;
  }

  /** Whether the states of a contract may be left out, where all that were made behind an offset are: no other one is left then. */
  isCleared(state: ContractState, from: Offset): boolean {
    const end = endOfState(state);
    return end !== undefined && end <= this.#clearedTo && (from === 0 || (state.created !== undefined && state.created.offset > from));
  }
  get clearedTo(): Offset {
    return this.#clearedTo;
  }

  get settledTo(): Offset {
    return this.#settledTo;
  }
  get runs(): Runs<ContractState> {
    return this.#runs;
  }

  /** Runs have all up to here. */
  settledUpTo(offset: Offset): void {
    this.waiting.leaveTo(offset);
    this.#settledTo = offset;
  }

  /** Of all of them, each once. */
  *ids(): Generator<string> {
    const { waiting } = this,
      isWaiting = (contractId: string): boolean => waiting.find(contractId) !== undefined;
    for (const { key, value } of this.#runs.entries()) if (!isWaiting(key) && !this.#isPruned(value)) yield key;
    for (const { key, value } of waiting.entries()) if (!this.#isPruned(value)) yield key;
    for (const { key, value } of this.#tables.contracts.all())
      if (!isWaiting(key) && this.#runs.find(key) === undefined && !this.#isPruned(decodeContractState(value, key))) yield key;
  }
}
