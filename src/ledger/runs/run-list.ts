/** Which runs there are: what is not listed here is not there for anybody, whatever lies in the table. */
import { assert } from "../../base/assert.js";
import { RecordReader, type RecordWriter, unseal } from "../../store/index.js";
import type { Offset } from "../model/index.js";

/** How its buckets lie in the table. */
export interface RunShape {
  /** Never given out again. */
  readonly number: number;
  readonly buckets: number;
  /** Neighbouring buckets that share a filter, and are written together. */
  readonly bucketsPerPiece: number;
}

export interface Run extends RunShape {
  /** How often its entries were merged, without merges that left out half of them. */
  readonly level: number;
  /** Of what came up to here, and behind that of the run before it. */
  readonly to: Offset;
  readonly entries: number;
  /** Of all entries. */
  readonly bytes: number;
}

/** On its way: what it will give has as many entries as it has by now. */
export interface Merge {
  readonly target: Run;
  /** Numbers of neighbouring runs. */
  readonly sources: readonly number[];
  /** That are written. */
  readonly pieces: number;
}

export interface RunList {
  /** The number of the next run. */
  readonly next: number;
  /** From the oldest to the newest; of a key the newest tells. */
  readonly runs: readonly Run[];
  readonly merges: readonly Merge[];
  /** Runs of which some may lie in the table, but of no use: those that were merged, and those that were never completed. */
  readonly loose: readonly number[];
}

export const noRuns: RunList = { next: 1, runs: [], merges: [], loose: [] };

export const piecesOf = ({ buckets, bucketsPerPiece }: RunShape): number => Math.ceil(buckets / bucketsPerPiece);

/** The run that comes next is under way; until it is listed it is loose. */
export const withBegun = (list: RunList): RunList => ({ ...list, next: list.next + 1, loose: [...list.loose, list.next] });

/** It is complete, and newer than all others. */
export const withRun = (list: RunList, run: Run): RunList => ({
  ...list,
  runs: [...list.runs, run],
  loose: list.loose.filter((number) => number !== run.number),
});

export const withoutLoose = (list: RunList, number: number): RunList => ({ ...list, loose: list.loose.filter((one) => one !== number) });

/** Begins to merge all runs of a level where there are so many; a level has one merge at a time, which takes what was there when it began. */
export function withMergesDue(list: RunList, { runsPerLevel, bucketBytes, bucketsPerPiece }: RunSizes): RunList {
  const levels = new Map<number, Run[]>();
  for (const run of list.runs) levels.set(run.level, [...(levels.get(run.level) ?? []), run]);
  let { next } = list;
  const merges = [...list.merges];
  for (const [level, sources] of levels) {
    if (sources.length < runsPerLevel || merges.some(({ target }) => target.level === level + 1)) continue;
    const target = {
      number: next++,
      buckets: bucketsFor(bytesOf(sources), bucketBytes),
      bucketsPerPiece,
      level: level + 1,
      to: sources.at(-1)!.to,
      entries: 0,
      bytes: 0,
    };
    merges.push({ target, sources: sources.map(({ number }) => number), pieces: 0 });
  }
  return merges.length === list.merges.length ? list : { ...list, next, merges };
}

const bytesOf = (runs: readonly Run[]): number => runs.reduce((sum, { bytes }) => sum + bytes, 0);

/** It is one of the sources. */
export const isMerging = ({ merges }: RunList, { number }: Run): boolean => merges.some(({ sources }) => sources.includes(number));

/** Nothing of it counts any more, and no merge is at it. */
export const withoutRun = (list: RunList, { number }: Run): RunList => ({
  ...list,
  runs: list.runs.filter((run) => run.number !== number),
  loose: [...list.loose, number],
});

/** How its runs are made; files tell themselves how theirs were. */
export interface RunSizes {
  readonly runsPerLevel: number;
  readonly bucketBytes: number;
  readonly bucketsPerPiece: number;
}

export const bucketsFor = (bytes: number, bucketBytes: number): number => Math.max(1, Math.ceil(bytes / bucketBytes));

/**
 * One piece more of a merge is written; with the last one what it gave takes the place of its sources. Where it left out half of what they
 * had it stays on their level, and is merged with the next ones that come there: on the level above, runs that hardly anything is left of
 * would wait until there are as many of them as of full ones, while what one of them made the next one ended.
 */
export function withMerged(list: RunList, merge: Merge, piece: { readonly entries: number; readonly bytes: number }): RunList {
  const target = { ...merge.target, entries: merge.target.entries + piece.entries, bytes: merge.target.bytes + piece.bytes },
    pieces = merge.pieces + 1;
  if (pieces < piecesOf(target))
    return { ...list, merges: list.merges.map((one) => (one.target.number === target.number ? { ...one, target, pieces } : one)) };
  const sources = sourcesOf(list, merge),
    isEmpty = target.entries === 0,
    level = 2 * target.bytes <= bytesOf(sources) ? sources[0]!.level : target.level;
  return {
    ...list,
    runs: list.runs.toSpliced(firstOf(list, merge), sources.length, ...(isEmpty ? [] : [{ ...target, level }])),
    merges: list.merges.filter((one) => one.target.number !== target.number),
    loose: [...list.loose, ...merge.sources, ...(isEmpty ? [target.number] : [])],
  };
}

/** The runs that a merge takes, from the oldest to the newest. */
export function sourcesOf(list: RunList, merge: Merge): readonly Run[] {
  const { sources } = merge,
    first = firstOf(list, merge),
    found = list.runs.slice(first, first + sources.length);
  assert(
    first >= 0 && found.length === sources.length && found.every(({ number }, index) => number === sources[index]),
    "runs that are merged are neighbours",
  );
  return found;
}

/** All that its sources tell came behind this offset. */
export const fromOf = (list: RunList, merge: Merge): Offset => list.runs[firstOf(list, merge) - 1]?.to ?? 0;

/** Where the oldest of its sources is. */
const firstOf = ({ runs }: RunList, { sources }: Merge): number => runs.findIndex(({ number }) => number === sources[0]);

function writeRunList(writer: RecordWriter, { next, runs, merges, loose }: RunList): RecordWriter {
  writer.u32(next);
  writeAll(writer, runs, (run) => writeRun(writer, run));
  writeAll(writer, merges, ({ target, sources, pieces }) => {
    writeRun(writer, target);
    writeAll(writer, sources, (number) => writer.u32(number));
    writer.u32(pieces);
  });
  writeAll(writer, loose, (number) => writer.u32(number));
  return writer;
}

function readRunList(reader: RecordReader): RunList {
  return {
    next: reader.u32(),
    runs: readAll(reader, () => readRun(reader)),
    merges: readAll(reader, () => ({ target: readRun(reader), sources: readAll(reader, () => reader.u32()), pieces: reader.u32() })),
    loose: readAll(reader, () => reader.u32()),
  };
}

function writeAll<T>(writer: RecordWriter, all: readonly T[], write: (one: T) => void): void {
  writer.u32(all.length);
  for (const one of all) write(one);
}
const readAll = <T>(reader: RecordReader, read: () => T): readonly T[] => Array.from({ length: reader.u32() }, read);

const writeRun = (writer: RecordWriter, { number, buckets, bucketsPerPiece, level, to, entries, bytes }: Run): RecordWriter =>
  writer.u32(number).u32(buckets).u32(bucketsPerPiece).u8(level).offset(to).offset(entries).offset(bytes);
const readRun = (reader: RecordReader): Run => ({
  number: reader.u32(),
  buckets: reader.u32(),
  bucketsPerPiece: reader.u32(),
  level: reader.u8(),
  to: reader.offset(),
  entries: reader.offset(),
  bytes: reader.offset(),
});

/** What an index has: all that was changed up to an offset, and the runs where it is. */
export interface Settled {
  readonly offset: Offset;
  readonly runs: RunList;
}

/** Of formats before 9: it told of no runs. */
const versionWithoutRuns = 1,
  settledVersion = 2;

export const encodeSettled = (writer: RecordWriter, { offset, runs }: Settled): Buffer =>
  writeRunList(writer.reset().offset(offset), runs).finish(settledVersion);

export function decodeSettled(record: Buffer): Settled {
  const reader = new RecordReader(unseal(record, settledVersion, "state"));
  return { offset: reader.offset(), runs: record[0] === versionWithoutRuns ? noRuns : readRunList(reader) };
}
