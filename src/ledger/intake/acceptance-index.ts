/**
 * Which commands were accepted lately, by their changes: the latest in memory, the others in runs (`ledger/runs`), those of formats before 9
 * and signed transactions in the table of them, which is older than all runs.
 */
import { limits } from "../../config.js";
import { RecordReader, type RecordWriter, type Tables, unseal } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { noRuns, readRunList, type RunKind, type RunList, Runs, writeRunList } from "../runs/index.js";
import { type Acceptance, readAcceptance } from "./deduplication.js";

/** Of formats before 9: it told of no runs. */
const versionWithoutRuns = 1,
  version = 2;

export const settledAcceptancesKey = "settledAcceptances";

export const encodeSettledAcceptances = (writer: RecordWriter, offset: Offset, runs: RunList): Buffer =>
  writeRunList(writer.reset().offset(offset), runs).finish(version);

export const packedAcceptance: RunKind<Acceptance> = {
  hashAt: 0,
  isMostlyFound: false,
  write: (writer, { offset, recordTime, submissionId }) => writer.offset(offset).i64(recordTime).text(submissionId),
  read: (reader) => ({ offset: reader.offset(), recordTime: reader.i64(), submissionId: reader.text() }),
};

export class AcceptanceIndex {
  readonly #tables: Pick<Tables, "deduplication">;
  readonly runs: Runs<Acceptance>;
  /** Every acceptance up to here that pruning left is in runs or in the table; undefined: every one there is. */
  readonly settledTo: Offset | undefined;

  constructor(tables: Pick<Tables, "state" | "deduplication" | "acceptanceRuns">) {
    this.#tables = tables;
    this.runs = new Runs(packedAcceptance, tables.acceptanceRuns, limits.runFiltersBytesMax);
    const record = tables.state.read(settledAcceptancesKey);
    if (record === undefined) return;
    const reader = new RecordReader(unseal(record, version, "state"));
    this.settledTo = reader.offset();
    this.runs.adopt(record[0] === versionWithoutRuns ? noRuns : readRunList(reader));
  }

  /** The last one of a change, of those that are settled. `mayBeInTable`: false where it is known that the table does not have it. */
  find(changeKey: string, mayBeInTable: (changeKey: string) => boolean = () => true): Acceptance | undefined {
    return this.runs.find(changeKey) ?? (mayBeInTable(changeKey) ? readAcceptance(this.#tables, changeKey) : undefined);
  }
}
