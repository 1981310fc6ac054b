/**
 * Which commands were accepted lately, by their changes: the latest in memory, the others in runs (`ledger/runs`), those of formats before 9
 * and signed transactions in the table of them, which is older than all runs.
 */
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { decodeSettled, type RunKind, Runs } from "../runs/index.js";
import { type Acceptance, readAcceptance } from "./deduplication.js";

export const settledAcceptancesKey = "settledAcceptances";

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
    const { offset, runs } = decodeSettled(record);
    this.settledTo = offset;
    this.runs.adopt(runs);
  }

  /** The last one of a change, of those that are settled. `mayBeInTable`: false where it is known that the table does not have it. */
  find(changeKey: string, mayBeInTable: (changeKey: string) => boolean = () => true): Acceptance | undefined {
    return this.runs.find(changeKey) ?? (mayBeInTable(changeKey) ? readAcceptance(this.#tables, changeKey) : undefined);
  }
}
