/** One question to measure: small in `npm test`, so that it never rots; large on demand. No bench asserts a time. */
export interface BenchCase<Size> {
  readonly name: string;
  readonly smoke: Size;
  readonly full: Size;
  run(size: Size): Promise<readonly BenchRow[]>;
}

export interface BenchRow {
  readonly case: string;
  readonly value: number;
  readonly unit: string;
  /** What stands beside it in the same run: the value as a share of the ceiling's. */
  readonly ceiling?: { readonly value: number; readonly ratio: number };
  readonly note?: string;
}

export function table(rows: readonly BenchRow[]): string {
  const text = rows.map((row) => [row.case, `${figure(row.value)} ${row.unit}`, row.ceiling ? `${figure(row.ceiling.value)} ${row.unit}` : "", row.ceiling ? `${Math.round(row.ceiling.ratio * 100)} %` : "", row.note ?? ""]);
  const all = [["case", "ledgerline", "ceiling", "share", ""], ...text];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join("  ").trimEnd()).join("\n");
}

const figure = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3));
