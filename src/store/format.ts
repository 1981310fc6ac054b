/** The format of the file: what it says of itself, and how an earlier one becomes the present one. */
import type { TableName } from "./tables.js";

/** In the table `state`. */
export const formatKey = "format";

/** The same: how many sets of tables there are; without it one. */
export const setsKey = "sets";

/** What can be done with a file that was checked and is open for writing. */
interface FileToMigrate {
  /** Keeps the sums that the check of the file came to. */
  adoptSums(): void;
  /** Gives the entries of a table their present keys, together with the present number. */
  rekey(table: TableName): void;
}

interface FormatStep {
  readonly from: number;
  /** What the next format has that this one has not. */
  readonly brings: string;
  /** Before the next number is written; undefined where what was written means the same. */
  readonly migrate?: (file: FileToMigrate) => void;
}

/** Without the sums of its tables a file has to be proved by its log first, see `StoreOptions.proveUncounted`. */
export const uncountedFormatNumber = 3;

/** One behind the other. A table or record that changes its meaning takes a step; a table that is added is just not there before. */
const formatSteps: readonly FormatStep[] = [
  { from: uncountedFormatNumber, brings: "sums of the tables", migrate: (file) => file.adoptSums() },
  { from: 4, brings: "reassignments" },
  { from: 5, brings: "acceptances that are settled late, and the digest of history" },
  { from: 6, brings: "updates of others by the offsets that their ids tell", migrate: (file) => file.rekey("updateIds") },
  { from: 7, brings: "contracts that are settled late" },
  { from: 8, brings: "runs of contracts and acceptances, and entries of indexes that hold what a commit adds" },
  { from: 9, brings: "a journal, which has commits before the file" },
  { from: 10, brings: "packages in parts, and the number of commits beside the sums of the tables" },
];

export const formatNumber = formatSteps.at(-1)!.from + 1;

export const isKnownFormat = (number: number): boolean => number === formatNumber || formatSteps.some(({ from }) => from === number);

export class StoreFormatError extends Error {
  override readonly name = "StoreFormatError";
}

export const unknownFormat = (found: number): StoreFormatError =>
  new StoreFormatError(
    `the ledger has storage format ${found}; this version of the program reads and writes format ${formatNumber}: `
      + (found > formatNumber ? "take the later version that wrote it, or restore a backup from before" : "it is too old for this version"),
  );

/** Brings a file of an earlier format to the present one, but for the number in it. */
export function migrate(found: number, file: FileToMigrate): void {
  for (const step of formatSteps) if (step.from >= found) step.migrate?.(file);
}
