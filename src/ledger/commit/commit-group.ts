/** Where the jobs of one commit write: the state as those before in the group leave it, and the batch. What one of them did can be taken back. */
import type { Clock } from "../../base/clock.js";
import type { Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import { Batch, type EventPlace, RecordWriter, type Tables } from "../../store/index.js";
import {
  type ContractState, decodeContractState, encodeMark, isStep, PendingMarks, type PlacedContract, readKeyed,
  type TemplateNames,
} from "../records/index.js";
import type { LedgerEnd } from "./ledger-end.js";
import type { Offset } from "../model/index.js";

/** What a group did to the contracts with a key; those added are in the order of their creation. */
interface KeyChanges { readonly added: PlacedContract[]; readonly removed: Set<string> }

interface Archive { readonly party: number; readonly template: number; readonly created: Offset; readonly archived: Offset }

/** How far a group was at a moment. */
export interface Savepoint { readonly writes: number; readonly archives: number; readonly undos: number; readonly offset: Offset; readonly recordTime: bigint }

export class CommitGroup {
  readonly batch = new Batch();
  readonly writer = new RecordWriter(limits.commitChunkBytes);
  readonly #contracts = new Map<string, ContractState>();
  readonly #keys = new Map<string, KeyChanges>();
  readonly #parties = new Set<number>();
  readonly #archives: Archive[] = [];
  readonly #undos: (() => void)[] = [];
  readonly #durableEnd: Offset;
  #offset: Offset;
  #recordTime: bigint;

  constructor(readonly tables: Tables, readonly templates: TemplateNames, ledgerEnd: LedgerEnd, private readonly clock: Pick<Clock, "nowMicros">) {
    this.#durableEnd = this.#offset = ledgerEnd.offset;
    this.#recordTime = ledgerEnd.recordTime;
  }

  get offset(): Offset { return this.#offset; }
  get recordTime(): bigint { return this.#recordTime; }

  /** The next place in the order of all updates and completions; record time rises strictly with it. */
  take(): { readonly offset: Offset; readonly recordTime: bigint } {
    const now = this.clock.nowMicros();
    this.#recordTime = now > this.#recordTime ? now : this.#recordTime + 1n;
    return { offset: ++this.#offset, recordTime: this.#recordTime };
  }

  contract(contractId: string): ContractState | undefined {
    const pending = this.#contracts.get(contractId);
    if (pending) return pending;
    const record = this.tables.contracts.read(contractId);
    return record && decodeContractState(record, contractId);
  }
  setContract(contractId: string, state: ContractState): void {
    const before = this.#contracts.get(contractId);
    this.#contracts.set(contractId, state);
    this.undoable(() => { if (before === undefined) this.#contracts.delete(contractId); else this.#contracts.set(contractId, before); });
  }

  /** Those under which readers find what the group wrote. */
  get parties(): ReadonlySet<number> { return this.#parties; }
  concern(party: number): void {
    if (this.#parties.has(party)) return;
    this.#parties.add(party);
    this.undoable(() => this.#parties.delete(party));
  }

  /** Tells readers at earlier offsets where to look for a contract. */
  markArchived(party: number, template: number, created: Offset, archived: Offset): void { this.#archives.push({ party, template, created, archived }); }
  /** After the last job. */
  *writeMarks(): Steps<void> {
    const marks = new PendingMarks();
    let done = 0;
    for (const { party, template, created, archived } of this.#archives) {
      if (isStep(++done)) yield;
      marks.set({ party, template }, created, archived);
    }
    for (const { key, archivedOffset } of marks) {
      if (isStep(++done)) yield;
      this.batch.put(this.tables.archiveMarks, key, encodeMark(this.writer, archivedOffset));
    }
  }

  /** Whether a place was given out in this group, so is not durable yet. */
  isPending(place: EventPlace): boolean { return place.offset > this.#durableEnd; }

  /** Active contracts with a key, newest first; there may be many, and they are read as far as they are asked for. */
  *keyed(keyHash: string): Generator<PlacedContract> {
    const changes = this.#keys.get(keyHash), added = changes?.added ?? [];
    for (let index = added.length - 1; index >= 0; index--) if (!changes!.removed.has(added[index]!.contractId)) yield added[index]!;
    for (const contract of readKeyed(this.tables, keyHash)) if (!changes?.removed.has(contract.contractId)) yield contract;
  }
  addKeyed(keyHash: string, contract: PlacedContract): void {
    const { added } = this.#changesOf(keyHash);
    added.push(contract);
    this.undoable(() => added.pop());
  }
  removeKeyed(keyHash: string, contractId: string): void {
    const { removed } = this.#changesOf(keyHash);
    if (removed.has(contractId)) return;
    removed.add(contractId);
    this.undoable(() => removed.delete(contractId));
  }

  #changesOf(keyHash: string): KeyChanges {
    let changes = this.#keys.get(keyHash);
    if (changes === undefined) this.#keys.set(keyHash, (changes = { added: [], removed: new Set() }));
    return changes;
  }

  /** Whatever a job changes in memory it says how to take back, for the case that it fails, or the group is not written. */
  undoable(undo: () => void): void { this.#undos.push(undo); }

  savepoint(): Savepoint {
    return { writes: this.batch.size, archives: this.#archives.length, undos: this.#undos.length, offset: this.#offset, recordTime: this.#recordTime };
  }

  backTo({ writes, archives, undos, offset, recordTime }: Savepoint): void {
    this.batch.cut(writes);
    this.#archives.length = archives;
    while (this.#undos.length > undos) this.#undos.pop()!();
    this.#offset = offset;
    this.#recordTime = recordTime;
  }
}
