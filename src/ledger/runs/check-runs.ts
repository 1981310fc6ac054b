/** Whether the table has exactly the runs that are listed, and they what they should have. */
import { filtersFrom, type RunKey, type Table, unseal } from "../../store/index.js";
import { bucketOf, bucketVersion, EntryPlace, type HashedKeys } from "./entries.js";
import { filterVersion, mayHave } from "./filter.js";
import { piecesOf, type Run, type RunList } from "./run-list.js";

interface RunsToCheck {
  readonly table: Table<RunKey>;
  readonly list: RunList;
  readonly kind: HashedKeys;
}

/** Gives what is wrong, a sentence each; throws where a record is damaged. */
export function* findingsOfRuns({ table, list, kind }: RunsToCheck): Generator<string> {
  const listed = new Map(list.runs.map((run) => [run.number, run]));
  const mayBeThere = new Set([...list.loose, ...list.merges.map(({ target }) => target.number)]);
  for (const run of runsIn(table))
    if (!listed.has(run) && !mayBeThere.has(run)) yield `run ${run}: it is not listed, but parts of it are there`;
  for (const run of listed.values()) yield* findingsOfRun(table, run, kind);
}

/** Their numbers, each found by a look of its own. */
function* runsIn(table: Table<RunKey>): Generator<number> {
  for (let from = 0; ;) {
    const [key] = table.keys({ start: { run: from, part: 0 }, end: { run: lastRun, part: 0 }, limit: 1 });
    if (key === undefined) return;
    yield key.run;
    from = key.run + 1;
  }
}

const lastRun = 2 ** 32 - 1;

function* findingsOfRun(table: Table<RunKey>, run: Run, kind: HashedKeys): Generator<string> {
  const entry = new EntryPlace(kind),
    before = new EntryPlace(kind),
    what = `run ${run.number}`;
  let entries = 0,
    bytes = 0;
  let filter: { readonly piece: number; readonly record: Buffer } | undefined;
  const filterOf = (piece: number): Buffer | undefined => {
    if (filter?.piece === piece) return filter.record;
    const key = { run: run.number, part: filtersFrom + piece },
      record = table.read(key);
    filter = record && { piece, record: unseal(record, filterVersion, table.name, key) };
    return record;
  };
  for (let piece = 0; piece < piecesOf(run); piece++) if (filterOf(piece) === undefined) yield `${what}: filter ${piece} is missing`;
  for (const { key, value } of table.entries({ start: { run: run.number, part: 0 }, end: { run: run.number, part: filtersFrom } })) {
    const { part } = key,
      bits = filterOf(Math.floor(part / run.bucketsPerPiece));
    before.record = empty;
    for (
      let isThere = entry.begin(unseal(value, bucketVersion, table.name, key));
      isThere;
      before.record = value, before.at = entry.at, before.rank = entry.rank, isThere = entry.next()
    ) {
      entries++;
      bytes += entry.end - entry.at;
      if (bucketOf(entry.rank, run.buckets) !== part) yield `${what}: ${entry.key} is in bucket ${part}, where nobody looks for it`;
      if (before.record !== empty && before.compare(entry) >= 0) yield `${what}: ${entry.key} is not in order in bucket ${part}`;
      if (bits !== undefined && !mayHave(bits, entry.firstProbe, entry.step)) yield `${what}: its filter does not know ${entry.key}`;
    }
  }
  if (entries !== run.entries || bytes !== run.bytes)
    yield `${what}: it has ${entries} entries of ${bytes} bytes, not ${run.entries} of ${run.bytes}`;
}

const empty = Buffer.alloc(0);
