/**
 * The only writer. Jobs wait in a queue; a group of them is applied in one turn of the event loop and so becomes one LMDB
 * transaction with one flush. While it is flushed the next group gathers. After the flush the ledger end moves, then
 * the jobs' callers hear of it: nothing is visible or acknowledged before it is durable.
 */
import { assert } from "../base/assert.js";
import type { Clock } from "../base/clock.js";
import type { Log } from "../base/log.js";
import { fail, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import { Batch, type EventPlace, RecordWriter, type Store, type Tables } from "../store/index.js";
import { encodeMark, PendingMarks } from "./archive-marks.js";
import { decodeContractState, readKeyed, type ContractState, type KeyedContract } from "./contract-record.js";
import { storageUnavailable } from "./errors.js";
import type { LedgerEnd } from "./ledger-end.js";
import type { LedgerErrorData, Offset } from "./model.js";
import type { TemplateNames } from "./template-names.js";

/** Where a job writes: the state as the jobs before it in the group leave it, and the batch. */
export class CommitGroup {
  readonly batch = new Batch();
  readonly writer = new RecordWriter(limits.commitChunkBytes);
  readonly #contracts = new Map<string, ContractState>();
  readonly #keys = new Map<string, readonly KeyedContract[]>();
  readonly #parties = new Set<number>();
  readonly #marks = new PendingMarks();
  readonly #durableEnd: Offset;
  #offset: Offset;
  #recordTime: bigint;

  constructor(readonly tables: Tables, readonly templates: TemplateNames, ledgerEnd: LedgerEnd, private readonly clock: Clock) {
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
  setContract(contractId: string, state: ContractState): void { this.#contracts.set(contractId, state); }

  /** Those under which readers find what the group wrote. */
  get parties(): ReadonlySet<number> { return this.#parties; }
  concern(party: number): void { this.#parties.add(party); }

  /** Tells readers at earlier offsets where to look for a contract. */
  markArchived(party: number, template: number, created: Offset, archived: Offset): void { this.#marks.set({ party, template }, created, archived); }
  /** After the last job. */
  writeMarks(): void {
    for (const { key, archivedOffset } of this.#marks) this.batch.put(this.tables.archiveMarks, key, encodeMark(this.writer, archivedOffset));
  }

  /** Whether a place was given out in this group, so is not durable yet. */
  isPending(place: EventPlace): boolean { return place.offset > this.#durableEnd; }

  /** Active contracts with a key, newest first. */
  keyed(keyHash: string): readonly KeyedContract[] {
    const known = this.#keys.get(keyHash) ?? readKeyed(this.tables, keyHash);
    this.#keys.set(keyHash, known);
    return known;
  }
  addKeyed(keyHash: string, contract: KeyedContract): void { this.#keys.set(keyHash, [contract, ...this.keyed(keyHash)]); }
  removeKeyed(keyHash: string, contractId: string): void { this.#keys.set(keyHash, this.keyed(keyHash).filter((one) => one.contractId !== contractId)); }
}

/** Writes to the group and says what came of it, without awaiting. A throw is a bug and fails the whole group. */
export type CommitJob<T> = (group: CommitGroup) => T;

interface Queued { readonly run: (group: CommitGroup) => void; readonly resolve: () => void; readonly reject: (error: unknown) => void }

/** The storage refused to write; nothing of the group is recorded. */
export class CommitFailure extends Error {
  override readonly name = "CommitFailure";
}

/** A commit whose failure is an answer: the storage cannot be written. */
export async function durable<T>(commit: () => Promise<T>): Promise<Result<T, LedgerErrorData>> {
  try {
    return ok(await commit());
  } catch (error) {
    if (error instanceof CommitFailure) return fail(storageUnavailable());
    throw error;
  }
}

/** Numbers given out in a group, to be forgotten when the group is not written. */
interface Numbered { readonly count: number; rollback(count: number): void }

export interface CommitterOptions {
  readonly store: Store;
  readonly ledgerEnd: LedgerEnd;
  readonly templates: TemplateNames;
  readonly parties: Numbered;
  readonly clock: Clock;
  readonly log: Log;
}

export class Committer {
  readonly #options: CommitterOptions;
  #queue: Queued[] = [];
  #isRunning = false;
  #closed = false;

  constructor(options: CommitterOptions) { this.#options = options; }

  /** Resolves with the job's outcome once it is durable. */
  commit<T>(job: CommitJob<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new CommitFailure("the ledger is closing"));
    return new Promise<T>((resolve, reject) => {
      let outcome: T;
      this.#queue.push({ run: (group) => { outcome = job(group); }, resolve: () => resolve(outcome), reject });
      if (!this.#isRunning) {
        this.#isRunning = true;
        setImmediate(() => void this.#run());
      }
    });
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) await this.#runGroup(this.#queue.splice(0, limits.groupCommitSubmissionsMax));
    this.#isRunning = false;
  }

  async #runGroup(jobs: readonly Queued[]): Promise<void> {
    const { store, ledgerEnd, templates, parties, clock, log } = this.#options;
    const templatesBefore = templates.count, partiesBefore = parties.count;
    const rollback = (): void => { templates.rollback(templatesBefore); parties.rollback(partiesBefore); };
    const group = new CommitGroup(store.tables, templates, ledgerEnd, clock);
    try {
      for (const job of jobs) job.run(group);
      group.writeMarks();
    } catch (error) {
      // A bug in a job. The group's batch was not handed to the storage yet, so nothing of it exists.
      log.error("a commit failed before it was written", { error: String(error), jobs: jobs.length });
      rollback();
      for (const job of jobs) job.reject(error);
      return;
    }
    try {
      await group.batch.flush();
    } catch (error) {
      rollback();
      log.error("the storage refused a commit", { error: String(error), jobs: jobs.length });
      for (const job of jobs) job.reject(new CommitFailure(String(error)));
      return;
    }
    store.refresh();
    if (group.offset > ledgerEnd.offset) ledgerEnd.advance(group.offset, group.recordTime, parties.count > partiesBefore ? "all" : group.parties);
    for (const job of jobs) job.resolve();
  }

  /** Waits for what is queued; later commits are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#isRunning) await new Promise((resolve) => setImmediate(resolve));
    assert(this.#queue.length === 0, "a closed committer has nothing left");
  }
}
