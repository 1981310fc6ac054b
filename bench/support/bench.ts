import type { Paced } from "./pace.js";

/** One question to measure: small in `npm test`, so that it never rots; large on demand. No bench asserts a time. */
export interface BenchCase<Size> {
  readonly name: string;
  readonly smoke: Size;
  readonly full: Size;
  /** Looks at the pace before each sample. */
  run(size: Size & Paced): Promise<readonly BenchRow[]>;
}

export interface BenchRow {
  readonly case: string;
  readonly value: number;
  readonly unit: string;
  /** What stands beside it in the same run: the value as a share of the ceiling's. */
  readonly ceiling?: { readonly value: number; readonly ratio: number };
  /** The same case as it was recorded elsewhere, and how many times faster this is. */
  readonly reference?: { readonly value: number; readonly times: number };
  readonly note?: string;
  /** Why there is no value, on this machine. */
  readonly unmeasured?: string;
}

export function table(rows: readonly BenchRow[]): string {
  const text = rows.map((row) => [
    row.case,
    row.unmeasured === undefined ? `${figure(row.value)} ${row.unit}` : "not measured",
    ...beside(row),
    row.note ?? row.unmeasured ?? "",
  ]);
  const all = [["case", "ledgerline", ...(rows.some((row) => row.reference) ? ["reference", "times"] : ["ceiling", "share"]), ""], ...text];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function beside({ unit, ceiling, reference }: BenchRow): [string, string] {
  if (reference !== undefined) return [`${figure(reference.value)} ${unit}`, reference.times.toFixed(1)];
  return ceiling === undefined ? ["", ""] : [`${figure(ceiling.value)} ${unit}`, `${Math.round(ceiling.ratio * 100)} %`];
}

export const figure = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3));
