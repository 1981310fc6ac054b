/** Finds keys in runs, from the newest to the oldest; filters tell in memory which of them need not be looked into. */
import { damaged } from "../../base/damage.js";
import type { Steps } from "../../base/steps.js";
import { filtersFrom, placeText, RecordReader, type RunKey, type Table, unseal } from "../../store/index.js";
import { bucketOf, bucketVersion, findValue, firstProbeOf, isRunKey, keyBytesMax, rankOf, type RunKind, stepOf } from "./entries.js";
import { filterVersion, mayHave } from "./filter.js";
import { mergePiece } from "./merging.js";
import type { Piece } from "./piece-writer.js";
import { NewestEntries, RunCursor } from "./run-cursor.js";
import { fromOf, type Merge, noRuns, type Run, type RunList, sourcesOf } from "./run-list.js";
import type { Offset } from "../model/index.js";

/** With the filters that were needed, by piece. */
interface OpenRun {
  readonly run: Run;
  readonly filters: (LoadedFilter | undefined)[];
}

interface LoadedFilter {
  readonly of: OpenRun;
  readonly piece: number;
  readonly record: Buffer;
}

export class Runs<V> {
  readonly kind: RunKind<V>;
  readonly #filtersBytesMax: number;
  #table: Table<RunKey>;
  #list = noRuns;
  /** From the newest on. */
  #open: readonly OpenRun[] = [];
  /** In the order in which they came. */
  readonly #loaded = new Set<LoadedFilter>();
  #loadedBytes = 0;
  readonly #key = Buffer.alloc(keyBytesMax);

  constructor(kind: RunKind<V>, table: Table<RunKey>, filtersBytesMax: number) {
    this.kind = kind;
    this.#filtersBytesMax = filtersBytesMax;
    this.#table = table;
  }

  get table(): Table<RunKey> {
    return this.#table;
  }
  get list(): RunList {
    return this.#list;
  }

  /** As another commit has it. `list`: undefined where it is the same. */
  at(table: Table<RunKey>, list: RunList | undefined): void {
    this.#table = table;
    if (list !== undefined) this.adopt(list);
  }

  /** The runs that are listed from now on. */
  adopt(list: RunList): void {
    const before = new Map(this.#open.map((open) => [open.run.number, open]));
    this.#list = list;
    this.#open = list.runs.map((run) => before.get(run.number) ?? { run, filters: [] }).reverse();
    for (const { number } of list.runs) before.delete(number);
    for (const { filters } of before.values()) for (const filter of filters) if (filter !== undefined) this.#unload(filter);
  }

  find(key: string): V | undefined {
    const { kind } = this,
      runs = this.#open;
    if (runs.length === 0 || !isRunKey(key, kind)) return undefined;
    const rank = rankOf(key, kind),
      first = firstProbeOf(key, kind),
      step = stepOf(key, kind);
    let keyBytes = 0;
    for (let index = 0; index < runs.length; index++) {
      const open = runs[index]!,
        { number, buckets, bucketsPerPiece } = open.run,
        bucket = bucketOf(rank, buckets);
      const isLikely = kind.isMostlyFound && index === runs.length - 1;
      if (!isLikely && !mayHave(this.#filter(open, Math.floor(bucket / bucketsPerPiece)), first, step)) continue;
      const place = { run: number, part: bucket },
        record = this.#table.readShared(place);
      if (record === undefined) continue;
      unseal(record, bucketVersion, this.#table.name, place);
      if (keyBytes === 0) keyBytes = this.#key.write(key, "hex");
      if (keyBytes !== key.length / 2) return undefined; // it is no hex, or longer than any
      const at = findValue(record, this.#key, keyBytes);
      if (at !== undefined) return kind.read(new RecordReader(record, at));
    }
    return undefined;
  }

  #filter(open: OpenRun, piece: number): Buffer {
    return (open.filters[piece] ?? this.#load(open, piece)).record;
  }

  #load(of: OpenRun, piece: number): LoadedFilter {
    const key = { run: of.run.number, part: filtersFrom + piece },
      record = this.#table.read(key);
    if (record === undefined) throw damaged(placeText(this.#table.name, key), "a run is listed, but a filter of it is not there");
    const filter = { of, piece, record: unseal(record, filterVersion, this.#table.name, key) };
    of.filters[piece] = filter;
    this.#loaded.add(filter);
    this.#loadedBytes += record.length;
    for (const oldest of this.#loaded) {
      if (this.#loadedBytes <= this.#filtersBytesMax || oldest === filter) break;
      this.#unload(oldest);
    }
    return filter;
  }

  #unload(filter: LoadedFilter): void {
    filter.of.filters[filter.piece] = undefined;
    this.#loaded.delete(filter);
    this.#loadedBytes -= filter.record.length;
  }

  /** How much memory filters take. */
  get filtersBytes(): number {
    return this.#loadedBytes;
  }

  /** Every key once, with what the newest run says of it. */
  *entries(): Generator<{ readonly key: string; readonly value: V }> {
    const cursors = this.#open.map(({ run }) => new RunCursor(this.#table, run, this.kind)),
      entries = new NewestEntries(cursors);
    for (let entry = entries.next(); entry !== undefined; entry = entries.next())
      yield { key: entry.key, value: this.kind.read(new RecordReader(entry.record, entry.valueAt)) };
  }

  /** `isOver`: what came behind an offset need not be kept, as no older run tells of it. */
  mergePiece(merge: Merge, isOver: ((value: V, from: Offset) => boolean) | undefined): Steps<Piece> {
    const from = fromOf(this.#list, merge);
    return mergePiece({
      table: this.#table,
      kind: this.kind,
      merge,
      sources: sourcesOf(this.#list, merge),
      isOver: isOver && ((value: V) => isOver(value, from)),
    });
  }
}
