/** Where the jobs of one commit write: the state as those before in the group leave it, and the batch. What one of them did can be taken back. */
import type { Clock } from "../base/clock.js";
import { limits } from "../config.js";
import { Batch, type EventPlace, RecordWriter, type Tables } from "../store/index.js";
import { encodeMark, PendingMarks } from "./archive-marks.js";
import { decodeContractState, readKeyed, type ContractState, type KeyedContract } from "./contract-record.js";
import type { LedgerEnd } from "./ledger-end.js";
import type { Offset } from "./model.js";
import type { TemplateNames } from "./template-names.js";

interface Archive { readonly party: number; readonly template: number; readonly created: Offset; readonly archived: Offset }

/** How far a group was at a moment. */
export interface Savepoint { readonly writes: number; readonly archives: number; readonly undos: number; readonly offset: Offset; readonly recordTime: bigint }

export class CommitGroup {
  readonly batch = new Batch();
  readonly writer = new RecordWriter(limits.commitChunkBytes);
  readonly #contracts = new Map<string, ContractState>();
  readonly #keys = new Map<string, readonly KeyedContract[]>();
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
  setContract(contractId: string, state: ContractState): void { this.#set(this.#contracts, contractId, state); }

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
  writeMarks(): void {
    const marks = new PendingMarks();
    for (const { party, template, created, archived } of this.#archives) marks.set({ party, template }, created, archived);
    for (const { key, archivedOffset } of marks) this.batch.put(this.tables.archiveMarks, key, encodeMark(this.writer, archivedOffset));
  }

  /** Whether a place was given out in this group, so is not durable yet. */
  isPending(place: EventPlace): boolean { return place.offset > this.#durableEnd; }

  /** Active contracts with a key, newest first. */
  keyed(keyHash: string): readonly KeyedContract[] {
    const known = this.#keys.get(keyHash) ?? readKeyed(this.tables, keyHash);
    this.#keys.set(keyHash, known);
    return known;
  }
  addKeyed(keyHash: string, contract: KeyedContract): void { this.#set(this.#keys, keyHash, [contract, ...this.keyed(keyHash)]); }
  removeKeyed(keyHash: string, contractId: string): void { this.#set(this.#keys, keyHash, this.keyed(keyHash).filter((one) => one.contractId !== contractId)); }

  #set<V>(map: Map<string, V>, key: string, value: V): void {
    const before = map.get(key);
    map.set(key, value);
    this.undoable(() => { if (before === undefined) map.delete(key); else map.set(key, before); });
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
