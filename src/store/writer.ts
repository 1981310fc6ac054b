/**
 * The only way into the file: one batch after the other, each one LMDB transaction. With it goes what the tables hold after it
 * (`table-sums.ts`), so what is there of a key before it is written again has to be known: `put` and `remove` look.
 */
import { type Database, type RootDatabase } from "lmdb";
import { type AheadCommit, AheadOfFile } from "./ahead-of-file.js";
import { assert, AssertionFailure } from "../base/assert.js";
import { unwritable } from "../base/damage.js";
import { Exclusive } from "../base/exclusive.js";
import type { Steps } from "../base/steps.js";
import type { Turns } from "../base/turns.js";
import { limits } from "../config.js";
import { keyBytesMax } from "./keys.js";
import { asEnding } from "./lmdb-errors.js";
import { type Journal, journalFile } from "./journal.js";
import { FileIsBeingOpened, type OpeningLock } from "./opening-lock.js";
import type { StorageRoom } from "./room.js";
import { EntryHash, markOf, TableSums, type RecordMark } from "./table-sums.js";
import { setsOfTables } from "./tables.js";
import type { Write, WrittenAhead, WrittenTable } from "./write.js";

/** Where the sums lie: beside the roots of the tables, in a page that every commit writes anyway. */
export const sumsKey = "sums";

/** A key that nobody writes. */
const neverThere = "never there";

export interface StoreWriterTools {
  readonly room: StorageRoom;
  readonly turns: Turns;
  /** Held while a commit is written. */
  readonly opening: Pick<OpeningLock, "during">;
}

export class StoreWriter {
  readonly #root: Database<Buffer, string>;
  readonly #running = new Exclusive();
  readonly #turns: Turns;
  readonly #hash = new EntryHash();
  readonly #key = Buffer.allocUnsafeSlow(keyBytesMax);
  /** By table, since this process wrote to it. */
  readonly #lastAppended = new Map<number, Buffer>();
  readonly #room: StorageRoom;
  readonly #opening: Pick<OpeningLock, "during">;
  /** Undefined: whatever is written is written to the file. */
  #journal: Journal | undefined;
  readonly #ahead = new AheadOfFile({
    write: (some) => this.#running.run(() => this.#catchUp(some)),
    assuredBytes: () => this.#room.assuredBytes,
  });
  /** Of all that is durable. */
  #sums: TableSums;
  #owed: readonly Write[] = [];

  constructor(root: RootDatabase, { room, turns, opening }: StoreWriterTools) {
    this.#turns = turns;
    this.#opening = opening;
    this.#room = room;
    this.#root = root as unknown as Database<Buffer, string>;
    const record = this.#root.get(sumsKey);
    this.#sums = record === undefined ? new TableSums(setsOfTables) : TableSums.decode(Buffer.from(record), setsOfTables);
  }

  /** From now on commits may go ahead of the file by this. */
  goAhead(journal: Journal | undefined): void {
    this.#journal = journal;
  }

  /** As the file has them, or will have them. */
  get sums(): Buffer {
    return this.#sums.encode();
  }

  /** Resolves once everything is on disk (after fdatasync); rejects if nothing of it is. What `removes` may have the reserve. */
  write(writes: readonly Write[], removes = false): Promise<void> {
    return this.#running.run(() => this.#commitInRoom(writes, removes));
  }

  /** Resolves when the file has all that is durable. */
  inFile(): Promise<void> {
    return this.#ahead.inFile();
  }

  /** The file, as far as it can. */
  async close(): Promise<void> {
    await this.inFile().catch(() => undefined); // the process was told
    this.#journal?.close();
    this.#journal = undefined;
  }

  /** One after the other, and none beside `write`. The file gets it right afterwards, with what comes until then. */
  async writeAhead(writes: readonly Write[]): Promise<WrittenAhead | undefined> {
    const journal = this.#journal;
    if (journal === undefined || this.#owed.length > 0 || this.#ahead.bytes + bytesOf(writes) > this.#room.assuredBytes) return undefined;
    const sums = this.#sums.next();
    const needed = await this.#countWhole(writes, sums),
      place = await journal.append(needed, this.#sums.encode(), sums.encode())?.catch((error: unknown) => this.#abandon(journal, error));
    if (place === undefined) {
      this.#lastAppended.clear();
      return undefined;
    }
    this.#sums = sums;
    return { inFile: this.#ahead.add({ writes: needed, bytes: bytesOf(needed), sums, place }), hurry: this.#ahead.hurry };
  }

  async #catchUp(some: readonly AheadCommit[]): Promise<void> {
    const writes = some.length === 1 ? some[0]!.writes : new Array<Write>().concat(...some.map((commit) => commit.writes));
    await this.#mustFlush(writes, some.at(-1)!.sums.encode());
    (this.#root as unknown as RootDatabase).resetReadTxn();
    for (const { place } of some) this.#journal?.release(place);
  }

  /** It was acknowledged: where the disk has no room, what was set aside is for this. */
  async #mustFlush(writes: readonly Write[], sums: Buffer): Promise<void> {
    for (;;)
      try {
        return await this.#opening.during(() => this.#flush(writes, sums));
      } catch (error) {
        if (error instanceof FileIsBeingOpened || (this.#room.explains(error) && this.#room.giveUpReserve())) continue;
        throw unwritable(journalFile, `the file cannot take what is durable here: ${String(error)}`);
      }
  }

  /** What it may have of the commit that failed must not be there when that is refused after all. */
  async #abandon(journal: Journal, error: unknown): Promise<undefined> {
    this.#journal = undefined;
    try {
      await this.#ahead.inFile();
      journal.abandon();
    } catch (refusal) {
      throw unwritable(journalFile, `it can neither be written (${String(error)}) nor removed (${String(refusal)})`);
    }
  }

  /** To go with the next commit. */
  owe(writes: readonly Write[]): void {
    this.#owed = [...this.#owed, ...writes];
  }

  /** Takes other sums for those of the file, which was counted just now. */
  adopt(sums: TableSums): void {
    this.#sums = sums;
  }

  async #commitInRoom(writes: readonly Write[], removes: boolean): Promise<void> {
    try {
      await this.#commit(writes);
    } catch (error) {
      if (!this.#room.explains(error)) throw error;
      if (!removes || !this.#room.giveUpReserve()) {
        this.#room.refused();
        throw error;
      }
      await this.#commit(writes);
    }
  }

  async #commit(asked: readonly Write[]): Promise<void> {
    assert(this.#ahead.isEmpty, "the file has all that is durable before it is written to");
    const writes = this.#owed.length === 0 ? asked : [...this.#owed, ...asked];
    const sums = this.#sums.next(),
      needed = await this.#countWhole(writes, sums);
    try {
      await this.#opening.during(() => this.#flush(needed, sums.encode()));
    } catch (error) {
      this.#lastAppended.clear();
      throw error;
    }
    this.#sums = sums;
    this.#owed = [];
    (this.#root as unknown as RootDatabase).resetReadTxn(); // the next batch looks at what this one left
  }

  async #countWhole(writes: readonly Write[], sums: TableSums): Promise<readonly Write[]> {
    try {
      return await this.#turns.through(this.#count(writes, sums));
    } catch (error) {
      this.#lastAppended.clear();
      throw error;
    }
  }

  /** Those writes that change something. */
  *#count(writes: readonly Write[], sums: TableSums): Steps<readonly Write[]> {
    const rewritten = new Set<WrittenTable>(),
      pending = new Map<string, RecordMark | undefined>(),
      needed: Write[] = [];
    for (const { kind, table } of writes) if (kind === "put" || kind === "remove") rewritten.add(table);
    const isNeeded = ({ kind, table, key, value }: Write): boolean => {
      const length = table.encodeKey(key, this.#key);
      if (kind === "append") this.#checkOrder(table, length);
      const name = rewritten.has(table) ? `${table.index}/${this.#key.toString("latin1", 0, length)}` : undefined;
      if (kind === "put" || kind === "remove") {
        const before = pending.has(name!) ? pending.get(name!) : this.#markAt(table, key, length);
        if (before) sums.remove(table.index, this.#hashOf(length, before));
        else if (kind === "remove") return false;
      }
      const after = kind === "remove" ? undefined : markOf(value);
      if (after) sums.add(table.index, this.#hashOf(length, after));
      if (name !== undefined) pending.set(name, after);
      return true;
    };
    for (let index = 0; index < writes.length; index++) {
      if (index > 0 && index % limits.commitStepWrites === 0) yield;
      if (isNeeded(writes[index]!)) needed.push(writes[index]!);
    }
    return needed;
  }

  #markAt(table: WrittenTable, key: never, keyBytes: number): RecordMark | undefined {
    const ahead = this.#ahead.markAt(table, this.#key, keyBytes);
    if (ahead !== undefined) return ahead.mark;
    const value = table.readShared(key);
    return value && markOf(value);
  }

  #hashOf(keyBytes: number, { bytes, checksum }: RecordMark): EntryHash {
    this.#hash.of(this.#key, 0, keyBytes, bytes, checksum);
    return this.#hash;
  }

  /** LMDB finds out when the transaction is written, and commits the rest of it all the same. */
  #checkOrder(table: WrittenTable, length: number): void {
    const last = this.#lastAppended.get(table.index) ?? table.lastKey();
    const isInOrder = last === undefined || isBehind(this.#key, last, length);
    if (!isInOrder) throw new AssertionFailure(`what is appended to table ${table.name} lies behind all that it holds`);
    if (last?.length !== length) this.#lastAppended.set(table.index, Buffer.from(this.#key.subarray(0, length)));
    else {
      for (let at = 0; at < length; at++) last[at] = this.#key[at]!;
      this.#lastAppended.set(table.index, last);
    }
  }

  async #flush(writes: readonly Write[], sums: Buffer): Promise<void> {
    const committed = this.#root.batch(() => {
      for (const write of writes) write.table.write(write);
      void this.#root.put(sumsKey, sums); // those of a batch fail with it
    });
    // lmdb begins with a batch in a later turn of the event loop, unless something comes behind it: then the disk has its work at once.
    const begun = this.#root.remove(neverThere);
    // The two may be in transactions of their own, which end in different turns: each reason is heard when it comes.
    const [refused] = await Promise.all([refusalOf(committed), refusalOf(begun)]);
    if (refused !== undefined) throw asEnding(refused.reason, writes[0]?.table.name ?? sumsKey);
  }
}

/** Whether the first `length` bytes of `key` come after `last`, whose length does not differ in tables that are appended to. */
function isBehind(key: Buffer, last: Buffer, length: number): boolean {
  for (let at = 0; at < length && at < last.length; at++) if (key[at] !== last[at]) return key[at]! > last[at]!;
  return length > last.length;
}

/** Of its records. */
const bytesOf = (writes: readonly Write[]): number => writes.reduce((bytes, { value }) => bytes + value.length, 0);

/** Why LMDB did not commit it. */
const refusalOf = (commit: Promise<unknown>): Promise<{ readonly reason: unknown } | undefined> =>
  commit.then(
    () => undefined,
    async (error: unknown) => ({ reason: await causeOf(error) }),
  );

/** lmdb rejects with a summary whose `commitError` is a promise that soon rejects with the real reason, and ends the process if nobody hears it. */
async function causeOf(error: unknown): Promise<unknown> {
  const commitError = (error as { commitError?: Promise<never> } | null)?.commitError;
  if (!commitError) return error;
  const waited = new Promise<unknown>((resolve) => setTimeout(resolve, limits.storageCauseWaitMs, error).unref());
  return Promise.race([commitError.catch((cause: unknown) => cause), waited]);
}
