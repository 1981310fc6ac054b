/** Where the jobs of one commit write for one participant: the state as those before in the group leave it. */
import type { Steps } from "../../base/steps.js";
import type { Batch, EventPlace, PartyOffsetKey, RecordWriter, Tables, UpdateIndexKey } from "../../store/index.js";
import {
  anyParty,
  type ContractChange,
  type ContractChanges,
  type ContractIndex,
  type ContractState,
  encodeContractChanges,
  encodeMark,
  type IndexRange,
  isStep,
  type KeptEntries,
  packedState,
  PendingMarks,
  PendingOffsets,
  type PlacedContract,
  rangeNumber,
  readKeyed,
  type TemplateNames,
} from "../records/index.js";
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import { isRunKey } from "../runs/index.js";
import {
  digestAt,
  digestOf,
  encodeDigest,
  encodeHistoryEnd,
  farther,
  type HistoryEnd,
  historyEndKey,
  isFar,
  type LogEntry,
} from "./history.js";
import type { Concerned, LedgerEnd } from "./ledger-end.js";
import type { Offset } from "../model/index.js";

/** What a group did to the contracts with a key; those added are in the order of their creation. */
interface KeyChanges {
  readonly added: PlacedContract[];
  readonly removed: Set<string>;
}

export interface Place {
  readonly offset: Offset;
  readonly recordTime: bigint;
}

/** The tables whose entries outlive what they are about, with marks that tell where. */
type MarkTable = "archiveMarks" | "assignedMarks";

/** Of a contract that was active, or on its way, from one place on until an offset. */
interface Mark {
  readonly table: MarkTable;
  readonly party: number;
  readonly template: number;
  readonly from: EventPlace;
  readonly until: Offset;
}

interface KnownTemplates {
  add(party: number, template: number): void;
}

/** A participant as commits know it. */
export interface CommitMember {
  readonly tables: Tables;
  readonly ledgerEnd: LedgerEnd;
  readonly templates: TemplateNames;
  readonly parties: {
    readonly count: number;
    /** What became of them is durable. */
    publish(): void;
  };
  readonly contracts: ContractIndex;
  /** What readers keep of the index of active contracts, where there are readers. */
  readonly keptActive?: Pick<KeptEntries<EventPlace>, "remove" | "clear">;
  /** The same of the templates of which parties have entries there. */
  readonly activeTemplates?: KnownTemplates;
  /** And in the index of updates. */
  readonly updateTemplates?: KnownTemplates;
}

/** What the groups of all participants in a commit share: it is written as one. */
export interface SharedCommit {
  readonly batch: Batch;
  readonly writer: RecordWriter;
  /** Later than all that was recorded. */
  nextRecordTime(): bigint;
  groupOf(member: CommitMember): CommitGroup;
  undoable(undo: () => void): void;
}

/** How far a group was at a moment; what can be undone is known to the commit as a whole. */
export interface GroupSavepoint {
  readonly marks: number;
  readonly logged: number;
  readonly offset: Offset;
  readonly recordTime: bigint;
}

/** Where a group begins: the ledger end, or the end of the group before it. */
type Begin = Readonly<Pick<LedgerEnd, "offset" | "recordTime" | "history">>;

export class CommitGroup {
  readonly #member: CommitMember;
  readonly #shared: SharedCommit;
  readonly #partiesBefore: number;
  readonly #contracts = new Map<string, ContractState>();
  /** Of all of them, once they are written. */
  readonly #changes: ContractChanges[] = [];
  readonly #keys = new Map<string, KeyChanges>();
  /** Those under which readers find what the group wrote. */
  readonly #parties = new Set<number>();
  readonly #marks: Mark[] = [];
  readonly #logged: LogEntry[] = [];
  /** Ranges of the index of active contracts that it adds to, by their numbers; perhaps those of a job that failed as well. */
  readonly #activated = new Map<number, IndexRange>();
  readonly #updateIndex = new PendingOffsets<UpdateIndexKey>(({ party, template }, offset) => ({ party, template, offset }));
  readonly #completionIndex = new PendingOffsets<PartyOffsetKey>(({ party }, offset) => ({ party, offset }));
  #keepsHistoryPoint = false;
  #history: HistoryEnd | undefined;
  readonly #begin: Begin;
  #offset: Offset;
  #recordTime: bigint;
  /** The one before it that is durable, while readers do not find it yet. */
  #former: CommitGroup | undefined;
  #isPublished = false;

  constructor(member: CommitMember, shared: SharedCommit, former?: CommitGroup) {
    this.#member = member;
    this.#shared = shared;
    this.#former = former;
    this.#partiesBefore = member.parties.count;
    const { offset, recordTime, history } = member.ledgerEnd;
    this.#begin = former?.end ?? { offset, recordTime, history };
    this.#offset = this.#begin.offset;
    this.#recordTime = this.#begin.recordTime;
  }

  /** Where the next one begins. */
  get end(): Begin {
    return { offset: this.#offset, recordTime: this.#recordTime, history: this.#history ?? this.#begin.history };
  }
  #unpublished(): CommitGroup | undefined {
    if (this.#former !== undefined && this.#former.#isPublished) this.#former = undefined;
    return this.#former;
  }

  get tables(): Tables {
    return this.#member.tables;
  }
  get templates(): TemplateNames {
    return this.#member.templates;
  }
  get batch(): Batch {
    return this.#shared.batch;
  }
  get writer(): RecordWriter {
    return this.#shared.writer;
  }
  get offset(): Offset {
    return this.#offset;
  }
  /** At `offset`. */
  get recordTime(): bigint {
    return this.#recordTime;
  }

  /** Where the same commit writes for another participant. */
  of(member: CommitMember): CommitGroup {
    return this.#shared.groupOf(member);
  }

  /** The next place in the order of all updates and completions; record time rises strictly with it. */
  take(): Place {
    return this.takeAt(this.#shared.nextRecordTime());
  }
  /** The next place for what another participant of the commit has taken a place for. */
  takeAt(recordTime: bigint): Place {
    this.#recordTime = recordTime;
    return { offset: ++this.#offset, recordTime };
  }

  appendUpdate(offset: Offset, record: Buffer): void {
    this.batch.append(this.tables.updates, offset, record);
    this.#logged.push({ offset, update: record, completion: undefined });
  }
  /** Behind the update of the same offset, if there is one. */
  appendCompletion(offset: Offset, record: Buffer): void {
    this.batch.append(this.tables.completions, offset, record);
    const last = this.#logged.at(-1);
    if (last?.offset === offset) this.#logged[this.#logged.length - 1] = { offset, update: last.update, completion: record };
    else this.#logged.push({ offset, update: undefined, completion: record });
  }
  /** So that what is behind the end can be proved without what is before it. */
  keepHistoryPoint(): void {
    this.#keepsHistoryPoint = true;
  }
  /** The same of a point in the log, before which it is to be removed. */
  *keepHistoryPointAt(offset: Offset): Steps<void> {
    const digest = yield* digestAt(this.tables, offset);
    if (digest !== undefined) this.batch.put(this.tables.history, offset, encodeDigest(this.writer, digest));
  }
  /** After the last job. */
  *writeHistory(): Steps<void> {
    if (this.#logged.length === 0 && !this.#keepsHistoryPoint) return;
    const { batch, writer, tables } = this;
    const keep = ({ offset, digest }: HistoryEnd): void => batch.put(tables.history, offset, encodeDigest(writer, digest));
    let { offset, digest, sinceKept } = this.#begin.history;
    if (sinceKept === undefined) keep({ offset, digest, sinceKept });
    for (let index = 0; index < this.#logged.length; index++) {
      if (isStep(index)) yield;
      const entry = this.#logged[index]!;
      assert(entry.offset === offset + 1, "the log has every offset, in order");
      digest = yield* digestOf(digest, entry);
      offset = entry.offset;
      sinceKept = farther(sinceKept, entry);
      if (!isFar(sinceKept)) continue;
      sinceKept = { offsets: 0, bytes: 0 };
      keep({ offset, digest, sinceKept });
    }
    if (this.#keepsHistoryPoint) keep({ offset, digest, sinceKept: (sinceKept = { offsets: 0, bytes: 0 }) });
    batch.put(tables.state, historyEndKey, encodeHistoryEnd(writer, { offset, digest }));
    this.#history = { offset, digest, sinceKept };
  }

  contract(contractId: string): ContractState | undefined {
    return this.#contracts.get(contractId) ?? this.#unpublished()?.contract(contractId) ?? this.#member.contracts.find(contractId);
  }
  setContract(contractId: string, state: ContractState): void {
    assert(isRunKey(contractId, packedState), "a contract's id has a hash"); // now, as the job can still fail alone
    const before = this.#contracts.get(contractId);
    this.#contracts.set(contractId, state);
    this.undoable(() => {
      if (before === undefined) this.#contracts.delete(contractId);
      else this.#contracts.set(contractId, before);
    });
  }
  /** After the last job. */
  *writeContracts(): Steps<void> {
    const { batch, writer, tables } = this;
    let part: ContractChange[] = [];
    const write = (): void => {
      const place = { offset: this.#offset, nodeId: this.#changes.length },
        record = encodeContractChanges(writer, part);
      batch.append(tables.contractChanges, place, record);
      this.#changes.push({ place, record });
      part = [];
    };
    for (const change of this.#contracts) {
      if (part.push(change) < limits.contractChangesPerRecord) continue;
      write();
      yield;
    }
    if (part.length > 0) write();
    assert(this.#changes.length === 0 || this.#offset > this.#begin.offset, "what changes a contract has an offset");
  }

  /** Readers find an update there. */
  indexUpdate(party: number, template: number, offset: Offset): void {
    this.#updateIndex.add(rangeNumber(party, template), { party, template }, offset);
    this.#concern(party);
  }
  /** The same of a completion. */
  indexCompletion(party: number, offset: Offset): void {
    this.#completionIndex.add(party, { party }, offset);
    this.#concern(party);
  }
  /** After the last job. */
  *writeIndexes(): Steps<void> {
    const { batch, tables, writer } = this;
    let done = 0;
    for (const _ of this.#updateIndex.write(batch, tables.updateIndex, writer)) if (isStep(++done)) yield;
    for (const _ of this.#completionIndex.write(batch, tables.completionIndex, writer)) if (isStep(++done)) yield;
  }

  #concern(party: number): void {
    if (this.#parties.has(party)) return;
    this.#parties.add(party);
    this.undoable(() => this.#parties.delete(party));
  }

  /** Readers find an active contract there. */
  indexActive(stakeholders: readonly number[], template: number, { offset, nodeId }: EventPlace): void {
    for (const party of [anyParty, ...stakeholders]) {
      this.batch.insert(this.tables.active, { party, template, offset, nodeId });
      const number = rangeNumber(party, template);
      if (!this.#activated.has(number)) this.#activated.set(number, { party, template });
    }
  }

  /** Tells readers at earlier offsets where to look for a contract. */
  markArchived(party: number, template: number, activated: EventPlace, archived: Offset): void {
    this.#marks.push({ table: "archiveMarks", party, template, from: activated, until: archived });
  }
  /** The same for a contract that was on its way, and arrived. */
  markAssigned(party: number, template: number, unassigned: EventPlace, assigned: Offset): void {
    this.#marks.push({ table: "assignedMarks", party, template, from: unassigned, until: assigned });
  }
  /** After the last job. */
  *writeMarks(): Steps<void> {
    const marks = { archiveMarks: new PendingMarks(), assignedMarks: new PendingMarks() };
    let done = 0;
    for (const { table, party, template, from, until } of this.#marks) {
      if (isStep(++done)) yield;
      marks[table].set({ party, template }, from.offset, until);
    }
    for (const table of ["archiveMarks", "assignedMarks"] as const)
      for (const { key, archivedOffset } of marks[table]) {
        if (isStep(++done)) yield;
        this.batch.put(this.tables[table], key, encodeMark(this.writer, archivedOffset));
      }
  }

  /** Whether a place was given out in this group, so is not durable yet. */
  isPending(place: EventPlace): boolean {
    return place.offset > this.#begin.offset;
  }

  /** Active contracts with a key, newest first; there may be many, and they are read as far as they are asked for. */
  *keyed(keyHash: string): Generator<PlacedContract> {
    const changes = this.#keys.get(keyHash),
      added = changes?.added ?? [];
    for (let index = added.length - 1; index >= 0; index--) if (!changes!.removed.has(added[index]!.contractId)) yield added[index]!;
    const former = this.#unpublished();
    for (const contract of former?.keyed(keyHash) ?? this.#keyedBefore(keyHash))
      if (!changes?.removed.has(contract.contractId)) yield contract;
  }
  /** The file may have more than is published. */
  *#keyedBefore(keyHash: string): Generator<PlacedContract> {
    for (const contract of readKeyed(this.tables, keyHash)) if (contract.createdOffset <= this.#begin.offset) yield contract;
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
  undoable(undo: () => void): void {
    this.#shared.undoable(undo);
  }

  savepoint(): GroupSavepoint {
    return { marks: this.#marks.length, logged: this.#logged.length, offset: this.#offset, recordTime: this.#recordTime };
  }

  /** Without a savepoint: as it began. */
  backTo(savepoint?: GroupSavepoint): void {
    const { marks, logged, offset, recordTime } = savepoint ?? { marks: 0, logged: 0, ...this.#begin };
    this.#marks.length = marks;
    this.#logged.length = logged;
    this.#updateIndex.backTo(offset);
    this.#completionIndex.backTo(offset);
    this.#offset = offset;
    this.#recordTime = recordTime;
  }

  /** What it wrote is durable, and may be acknowledged; readers do not find it yet. */
  promise(hurry: () => void): void {
    if (this.#offset > this.#begin.offset) this.#member.ledgerEnd.promise(this.#offset, hurry);
  }

  /** Readers find what it wrote. */
  publish(): void {
    this.#isPublished = true;
    const { ledgerEnd, parties, contracts, keptActive, activeTemplates, updateTemplates } = this.#member;
    const concerned: Concerned = parties.count > this.#partiesBefore ? "all" : this.#parties;
    parties.publish();
    if (this.#history !== undefined) ledgerEnd.history = this.#history;
    if (keptActive !== undefined) this.#tellOfArchives(keptActive);
    for (const { party, template } of this.#activated.values()) activeTemplates?.add(party, template);
    for (const { party, template } of this.#updateIndex.ranges()) updateTemplates?.add(party, template);
    if (this.#changes.length > 0) contracts.changed(this.#changes);
    if (this.#offset > this.#begin.offset) ledgerEnd.advance(this.#offset, this.#recordTime, concerned);
    this.#letGo();
  }

  /**
   * What is over holds nothing: V8 keeps what is referred to by garbage that it has not looked at for long, and a group of before may be
   * such. One that went on behind another would keep that, too, and all that were before it.
   */
  #letGo(): void {
    this.#former = undefined;
    this.#contracts.clear();
    this.#keys.clear();
    this.#activated.clear();
    this.#changes.length = 0;
    this.#marks.length = 0;
    this.#logged.length = 0;
  }

  /** Of very many at once: to find each would take longer than to read what is left. */
  #tellOfArchives(keptActive: NonNullable<CommitMember["keptActive"]>): void {
    if (this.#marks.length > limits.keptEntriesRemovedMax) keptActive.clear();
    else
      for (const { table, party, template, from } of this.#marks)
        if (table === "archiveMarks") keptActive.remove({ party, template }, from);
  }
}
