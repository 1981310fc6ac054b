/**
 * One LMDB transaction while jobs write to it: for one participant after another, or for several. What one of the jobs did can be taken
 * back.
 */
import type { Clock } from "../../base/clock.js";
import type { Steps } from "../../base/steps.js";
import { Batch, type RecordWriter } from "../../store/index.js";
import { CommitGroup, type CommitMember, type GroupSavepoint, type SharedCommit } from "./commit-group.js";

/** How far it was at a moment. */
export interface Savepoint {
  readonly writes: number;
  readonly undos: number;
  readonly recordTime: bigint;
  readonly groups: readonly GroupSavepoint[];
}

export class CommitTransaction implements SharedCommit {
  readonly batch = new Batch();
  readonly writer: RecordWriter;
  readonly #clock: Pick<Clock, "nowMicros">;
  /** In the order in which they were needed. */
  readonly #groups = new Map<CommitMember, CommitGroup>();
  readonly #undos: (() => void)[] = [];
  /** What is durable and not in the file yet. */
  #former: readonly CommitTransaction[];
  #recordTime: bigint;

  /** `recordTime`: of the last that was recorded, by whomever. `writer`: nobody else's while this is written to. */
  constructor(clock: Pick<Clock, "nowMicros">, writer: RecordWriter, recordTime: bigint, former: readonly CommitTransaction[] = []) {
    this.#clock = clock;
    this.#former = former;
    this.writer = writer;
    this.#recordTime = recordTime;
  }

  get recordTime(): bigint {
    return this.#recordTime;
  }
  nextRecordTime(): bigint {
    const now = this.#clock.nowMicros();
    return (this.#recordTime = now > this.#recordTime ? now : this.#recordTime + 1n);
  }

  groupOf(member: CommitMember): CommitGroup {
    let group = this.#groups.get(member);
    if (group === undefined) this.#groups.set(member, (group = new CommitGroup(member, this, this.#formerOf(member))));
    return group;
  }
  #formerOf(member: CommitMember): CommitGroup | undefined {
    const last = this.#former.findLast((transaction) => transaction.#groups.has(member));
    return last && last.#groups.get(member);
  }

  undoable(undo: () => void): void {
    this.#undos.push(undo);
  }

  savepoint(): Savepoint {
    const groups: GroupSavepoint[] = [];
    for (const group of this.#groups.values()) groups.push(group.savepoint());
    return { writes: this.batch.size, undos: this.#undos.length, recordTime: this.#recordTime, groups };
  }

  backTo({ writes, undos, recordTime, groups }: Savepoint): void {
    this.batch.cut(writes);
    while (this.#undos.length > undos) this.#undos.pop()!();
    this.#recordTime = recordTime;
    let index = 0;
    for (const group of this.#groups.values()) group.backTo(groups[index++]);
  }

  /** After the last job. */
  *finish(): Steps<void> {
    for (const group of this.#groups.values()) {
      yield* group.writeIndexes();
      yield* group.writeContracts();
      yield* group.writeMarks();
      yield* group.writeHistory();
    }
  }

  promise(hurry: () => void): void {
    for (const group of this.#groups.values()) group.promise(hurry);
  }
  /** It is over then, and must not hold those before it, which hold theirs. */
  publish(): void {
    for (const group of this.#groups.values()) group.publish();
    this.#former = [];
    this.#groups.clear();
    this.#undos.length = 0;
    this.batch.cut(0);
  }
}
