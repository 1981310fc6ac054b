/**
 * LMDB's file as the store's tables and its writer see it, in memory: a commit is all or nothing, takes its time until it is durable, is
 * seen
 * by new snapshots from then on, and may fail. What a crash finds is the last durable commit, or the one that was on its way.
 * Its tables and the writer are the store's own.
 */
import assert from "node:assert/strict";
import { constants } from "node:os";
import { limits } from "../../../src/config.js";
import { StorageRoom } from "../../../src/store/room.js";
import { fileNames, openTables, pinnedTables, setsOfTables, tableOf } from "../../../src/store/tables.js";
import { EntryHash, markOf, TableSums } from "../../../src/store/table-sums.js";
import { StoreWriter, sumsKey } from "../../../src/store/writer.js";
import { Journal, type JournalDevice } from "../../../src/store/journal.js";
import { replay } from "../../../src/store/journal-replay.js";
import type { Table } from "../../../src/store/table.js";
import type { KeyEncoder } from "../../../src/store/keys.js";
import type { PinnedTables, Store, Tables } from "../../../src/store/index.js";
import { Turns } from "../../../src/base/turns.js";
import type { Random } from "../../support/random.js";
import type { Life, Scheduler } from "./scheduler.js";

/** Entries in the order of their keys, whose bytes are the characters of a text. */
interface Entries {
  readonly keys: readonly string[];
  readonly values: readonly Buffer[];
}
type Version = ReadonlyMap<string, Entries>;

interface Change {
  readonly table: string;
  readonly key: string;
  readonly value: Buffer | undefined;
}

interface Range {
  readonly start?: unknown;
  readonly end?: unknown;
  readonly limit?: number;
  readonly reverse?: boolean;
  readonly transaction?: Pinned;
}

interface Pinned {
  readonly version: Version;
  done(): void;
}

const none: Entries = { keys: [], values: [] };
const keyBytesMax = 8 * 1024,
  sectorBytes = 512,
  sharedBytes = 4 * 1024 * 1024,
  durableMicrosMax = 3_000,
  toldMicrosMax = 300;

/** The first place whose key is not before `key`. */
function placeOf(keys: readonly string[], key: string): number {
  let low = 0,
    high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withChanges(version: Version, changes: readonly Change[]): Version {
  const changed = new Map<string, { readonly keys: string[]; readonly values: Buffer[] }>();
  for (const { table, key, value } of changes) {
    const before = version.get(table) ?? none,
      entries = changed.get(table) ?? { keys: [...before.keys], values: [...before.values] };
    changed.set(table, entries);
    const at = placeOf(entries.keys, key),
      isThere = entries.keys[at] === key;
    if (value === undefined) {
      if (isThere) {
        entries.keys.splice(at, 1);
        entries.values.splice(at, 1);
      }
    } else if (isThere) entries.values[at] = value;
    else {
      entries.keys.splice(at, 0, key);
      entries.values.splice(at, 0, value);
    }
  }
  return new Map([...version, ...changed]);
}

export type DiskFault = "full" | "broken";

/** What outlives the processes that use it. */
export class SimulatedFile {
  #version: Version = new Map();
  #underWay: readonly Change[] | undefined;
  /** Each later commit takes so much longer. */
  slowness = 1;
  fault: DiskFault | undefined;
  /** Whether it was broken when a commit came. */
  hasFailed = false;
  readonly #journal = Buffer.alloc(limits.journalBytes);
  #journalUnderWay: { readonly at: number; readonly bytes: Buffer } | undefined;
  /** What was set aside for what has to be written to a full disk. */
  isReserveGivenUp = false;
  /** That are held by somebody. */
  pins = 0;
  commits = 0;

  constructor(
    readonly scheduler: Scheduler,
    private readonly random: Random,
  ) {}

  get version(): Version {
    return this.#version;
  }

  write(changes: readonly Change[], life: Life): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const error = this.#refusal();
      this.#underWay = changes;
      this.scheduler.after(1 + this.random.below(durableMicrosMax) * this.slowness, life, () => {
        this.#underWay = undefined;
        if (error === undefined) this.#become(changes);
        this.scheduler.after(this.random.below(toldMicrosMax), life, () => {
          if (error === undefined) resolve(true);
          else reject(error as Error);
        });
      });
    });
  }

  #become(changes: readonly Change[]): void {
    this.#version = withChanges(this.#version, changes);
    this.commits++;
  }

  #refusal(): Error | undefined {
    if (this.fault === "full" && !this.isReserveGivenUp)
      return Object.assign(new Error("No space left on device"), { code: constants.errno.ENOSPC });
    this.hasFailed ||= this.fault === "broken";
    return this.fault === "broken" ? Object.assign(new Error("Input/output error"), { code: constants.errno.EIO }) : undefined;
  }

  get journal(): Buffer {
    return Buffer.from(this.#journal);
  }

  /** The journal as one process has it. */
  journalOf(life: Life): JournalDevice {
    return {
      write: (buffer, length, at) =>
        new Promise((resolve, reject) => {
          const bytes = Buffer.from(buffer.subarray(0, length)),
            isBroken = this.fault === "broken";
          this.#journalUnderWay = { at, bytes };
          this.scheduler.after(1 + this.random.below(durableMicrosMax) * this.slowness, life, () => {
            this.#tearJournal();
            if (!isBroken) this.#journal.set(bytes, at);
            this.scheduler.after(this.random.below(toldMicrosMax), life, () => {
              if (isBroken) reject(new Error("Input/output error"));
              else resolve();
            });
          });
        }),
      remove: () => void this.#journal.fill(0),
      close: () => undefined,
    };
  }

  /** Any part of what was on its way is there. */
  #tearJournal(): void {
    if (this.#journalUnderWay === undefined) return;
    const { at, bytes } = this.#journalUnderWay;
    for (let from = 0; from < bytes.length; from += sectorBytes)
      if (this.random.chance(0.5)) this.#journal.set(bytes.subarray(from, from + sectorBytes), at + from);
    this.#journalUnderWay = undefined;
  }

  /** What was on its way is there or is not. */
  crash(): void {
    this.#tearJournal();
    if (this.#underWay !== undefined && this.fault === undefined && this.random.chance(0.5)) this.#become(this.#underWay);
    this.#underWay = undefined;
    this.pins = 0;
  }

  get diskBytes(): number {
    return this.fault === "full" ? 0 : 1e9;
  }

  /** Whether the tables hold what the last commit says that they do. */
  sumsDiffer(): string | undefined {
    const record = this.#version.get("")?.values[placeOf(this.#version.get("")!.keys, sumsKey)];
    if (record === undefined) return "no sums were written";
    const told = TableSums.decode(record, setsOfTables),
      counted = new TableSums(setsOfTables),
      hash = new EntryHash();
    for (const [index, name] of fileNames.entries()) {
      const { keys, values } = this.#version.get(name) ?? none;
      keys.forEach((key, at) => {
        const bytes = Buffer.from(key, "latin1"),
          mark = markOf(values[at]!);
        hash.of(bytes, 0, bytes.length, mark.bytes, mark.checksum);
        counted.add(index, hash);
      });
    }
    return fileNames.find((_, index) => !told.isSame(index, counted));
  }
}

/** Of a write in a batch, whatever becomes of the batch. */
const asLmdbTells = Promise.resolve(true);

/** As lmdb, which gives every read of a process the same buffer; only one lives at a time. */
const shared = Buffer.alloc(sharedBytes);

/** One process's view of the file. */
class Environment {
  #batch: Change[] | undefined;
  /** The last one. */
  #commit: Promise<boolean> | undefined;
  #read: Version | undefined;

  constructor(
    readonly file: SimulatedFile,
    readonly life: Life,
  ) {}

  database(name: string, encoder: KeyEncoder<never>): object {
    const target = Buffer.alloc(keyBytesMax);
    const bytesOf = (key: unknown): string => target.toString("latin1", 0, encoder.writeKey(key as never, target, 0));
    const keyOf = (bytes: string): unknown => {
      const source = Buffer.from(bytes, "latin1");
      return encoder.readKey(source, 0, source.length);
    };
    const entries = (options: { readonly transaction?: Pinned } | undefined): Entries =>
      (options?.transaction?.version ?? this.#snapshot()).get(name) ?? none;
    const range = function* (options: Range): Generator<number, void> {
      const { keys } = entries(options),
        { reverse = false, limit = Infinity } = options;
      const start = options.start === undefined ? undefined : bytesOf(options.start),
        end = options.end === undefined ? undefined : bytesOf(options.end);
      let left = limit;
      if (!reverse)
        for (
          let at = start === undefined ? 0 : placeOf(keys, start);
          at < keys.length && (end === undefined || keys[at]! < end) && left > 0;
          at++, left--
        )
          yield at;
      else {
        let at = start === undefined ? keys.length - 1 : placeOf(keys, start);
        if (start !== undefined && keys[at] !== start) at--;
        for (; at >= 0 && (end === undefined || keys[at]! > end) && left > 0; at--, left--) yield at;
      }
    };
    const change = (key: unknown, value: Buffer | undefined): Promise<boolean> => {
      const bytes = bytesOf(key);
      if (this.#batch !== undefined) {
        this.#batch.push({ table: name, key: bytes, value });
        return asLmdbTells;
      }
      assert(value === undefined && !entries(undefined).keys.includes(bytes), "what is behind a batch changes nothing");
      return this.#commit!;
    };
    return {
      getBinaryFast: (key: unknown, options?: { readonly transaction?: Pinned }) => {
        const { keys, values } = entries(options),
          bytes = bytesOf(key),
          at = placeOf(keys, bytes);
        if (keys[at] !== bytes) return undefined;
        values[at]!.copy(shared);
        return shared.subarray(0, values[at]!.length);
      },
      *getKeys(options: Range) {
        const { keys } = entries(options);
        for (const at of range(options)) yield keyOf(keys[at]!);
      },
      *getRange(options: Range) {
        const { keys, values } = entries(options);
        for (const at of range(options)) yield { key: keyOf(keys[at]!), value: values[at]! };
      },
      getStats: () => ({ treeBranchPageCount: 0, treeLeafPageCount: entries(undefined).keys.length, overflowPages: 0 }),
      get: (key: unknown) => {
        const { keys, values } = entries(undefined),
          at = placeOf(keys, bytesOf(key));
        return keys[at] === bytesOf(key) ? values[at] : undefined;
      },
      put: (key: unknown, value: Uint8Array) => change(key, Buffer.from(value)),
      remove: (key: unknown) => change(key, undefined),
      batch: (body: () => void) => {
        this.#batch = [];
        body();
        const changes = this.#batch;
        this.#batch = undefined;
        return (this.#commit = this.file.write(changes, this.life));
      },
      openDB: ({ name: table, keyEncoder }: { readonly name: string; readonly keyEncoder: KeyEncoder<never> }) =>
        this.database(table, keyEncoder),
      resetReadTxn: () => this.newTurn(),
    };
  }

  /** Reads of one turn see one commit. */
  #snapshot(): Version {
    return (this.#read ??= this.file.version);
  }
  newTurn(): void {
    this.#read = undefined;
  }
}

const textKey: KeyEncoder<string> = {
  writeKey: (key, target, start) => start + target.write(key, start),
  readKey: (source, start, end) => source.toString("utf8", start, end),
};

/** It has a reserve while the disk is well, and one write finds room by it when the disk is full. */
class SimulatedRoom extends StorageRoom {
  constructor(private readonly file: SimulatedFile) {
    super({ folder: "/nonexistent", keepsReserve: false, diskBytes: () => file.diskBytes, sizes: () => ({ fileBytes: 1, usedBytes: 1 }) });
  }
  override get assuredBytes(): number {
    if (this.file.fault !== "full") this.file.isReserveGivenUp = false;
    return this.file.fault === "full" ? 0 : limits.journalBytes;
  }
  override giveUpReserve(): boolean {
    return !this.file.isReserveGivenUp && (this.file.isReserveGivenUp = true);
  }
}

/** The file opened by one process, with the store's own tables and writer over it. */
export async function openSimulated(file: SimulatedFile, life: Life, turns: Turns): Promise<Store> {
  const environment = new Environment(file, life),
    root = environment.database("", textKey as never) as never;
  const room = new SimulatedRoom(file);
  room.begin();
  file.scheduler.onTurn = () => environment.newTurn();
  const writer = new StoreWriter(root, { room, turns, opening: { during: async (work) => work() } }),
    tables = openTables(root, { writer, stretches: undefined }, 0);
  const taken = await replay(file.journal, writer, (number) => tables[tableOf(number)] as Table<never>);
  assert.notEqual(taken, undefined, "the journal fits to the file");
  writer.goAhead(new Journal(file.journalOf(life)));
  const Pinned = pinnedTables(tables);
  const pin = (): PinnedTables => {
    file.pins++;
    let isHeld = true,
      pinned: Tables | undefined;
    const transaction = { version: file.version, done: () => {} } satisfies Pinned;
    return {
      tablesOf: () => (pinned ??= new Pinned(transaction as never) as never),
      release: () => {
        if (isHeld && !life.isOver) file.pins--;
        isHeld = false;
      },
    };
  };
  return {
    tables,
    tablesOf: () => tables,
    sets: 1,
    pin,
    refresh: () => environment.newTurn(),
    impediment: () => room.impediment(),
    close: async () => {},
  } as unknown as Store;
}
