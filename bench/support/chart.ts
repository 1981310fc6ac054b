/** Results as a picture: a bar for each row, beside what stands beside it. */
import { type BenchRow, figure } from "./bench.js";

const width = 1_000,
  labelWidth = 470,
  barWidth = 330,
  rowHeight = 22,
  barHeight = 12,
  titleHeight = 38,
  margin = 14;

const colours = { ours: "#2a6fdb", bare: "#d8dee8", line: "#8a94a6", text: "#1c2430" };

/** An SVG with a part for each bench. */
export function chart(results: Readonly<Record<string, readonly BenchRow[]>>): string {
  const parts: string[] = [];
  let top = margin;
  for (const [name, rows] of Object.entries(results)) {
    parts.push(text(margin, top + 24, name, `font-size="16" font-weight="600"`), legend(rows, top + 24));
    top += titleHeight;
    const groups = scales(rows);
    for (const row of rows) {
      parts.push(bar(row, top, groups.get(groupOf(row)) ?? 1));
      top += rowHeight;
    }
  }
  const height = top + margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="${colours.text}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

/** Bars of one group have one scale. */
const groupOf = ({ ceiling, reference, unit }: BenchRow): string =>
  ceiling !== undefined ? "ceiling" : reference !== undefined ? "reference" : unit;

/** What a bar is as long as. */
const lengthOf = ({ value, ceiling, reference }: BenchRow): number => ceiling?.ratio ?? reference?.times ?? value;

function scales(rows: readonly BenchRow[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const row of rows) {
    if (row.unmeasured !== undefined) continue;
    const group = groupOf(row),
      least = row.ceiling === undefined ? 0 : 1; // the whole of the ceiling is seen
    most.set(group, Math.max(most.get(group) ?? least, lengthOf(row)));
  }
  return most;
}

function legend(rows: readonly BenchRow[], y: number): string {
  const what = new Set(rows.filter(({ unmeasured }) => unmeasured === undefined).map(groupOf));
  const texts = [
    ...(what.has("ceiling") ? ["share of the ceiling (grey: all of it)"] : []),
    ...(what.has("reference") ? ["times the reference's (line: once)"] : []),
  ];
  return text(labelWidth, y, texts.join("; "), `fill="${colours.line}"`);
}

function bar(row: BenchRow, top: number, most: number): string {
  const y = top + (rowHeight - barHeight) / 2,
    baseline = top + rowHeight / 2 + 4,
    label = text(labelWidth - 10, baseline, row.case, `text-anchor="end"`);
  if (row.unmeasured !== undefined)
    return `${label}\n${text(labelWidth, baseline, `not measured: ${row.unmeasured}`, `fill="${colours.line}"`)}`;
  const scale = barWidth / most,
    length = Math.max(1, lengthOf(row) * scale),
    parts = [label];
  if (row.ceiling !== undefined) parts.push(rectangle(y, scale, colours.bare));
  parts.push(rectangle(y, length, colours.ours));
  if (row.reference !== undefined)
    parts.push(
      `<line x1="${fixed(labelWidth + scale)}" x2="${fixed(labelWidth + scale)}" y1="${top}" y2="${top + rowHeight}" stroke="${colours.line}"/>`,
    );
  parts.push(text(labelWidth + barWidth + 10, baseline, valueText(row)));
  return parts.join("\n");
}

function valueText({ value, unit, ceiling, reference }: BenchRow): string {
  const own = `${figure(value)} ${unit}`;
  if (ceiling !== undefined) return `${own}, ${Math.round(ceiling.ratio * 100)} %`;
  return reference === undefined ? own : `${own}, ${reference.times.toFixed(1)} times`;
}

const fixed = (length: number): string => length.toFixed(1);
const rectangle = (y: number, length: number, colour: string): string =>
  `<rect x="${labelWidth}" y="${y}" width="${fixed(length)}" height="${barHeight}" fill="${colour}"/>`;
const text = (x: number, y: number, content: string, attributes = ""): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escaped(content)}</text>`;
const escaped = (content: string): string => content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
