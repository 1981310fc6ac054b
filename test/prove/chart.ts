/** What a run saw as it went, drawn: small charts below each other, one for each thing that was measured, as SVG. */

export interface Curve {
  readonly title: string;
  readonly unit: string;
  /** In the order of time, at equal distances. */
  readonly values: readonly number[];
}

const width = 720,
  height = 110,
  left = 90,
  top = 26,
  bottom = 18;

export function chartOf(title: string, spanOfTime: string, curves: readonly Curve[]): string {
  const rows = curves.map((curve, index) => rowOf(curve, 30 + index * height)),
    total = 30 + curves.length * height + 20;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${total}" fill="#fff"/>`,
    `<text x="10" y="20" font-size="14">${title}</text>`,
    ...rows,
    `<text x="${left}" y="${total - 6}">0</text><text x="${width - 10}" y="${total - 6}" text-anchor="end">${spanOfTime}</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function rowOf({ title, unit, values }: Curve, y: number): string {
  const most = Math.max(...values, 1),
    plotted = height - top - bottom;
  const x = (index: number): string => (left + ((width - left - 10) * index) / Math.max(1, values.length - 1)).toFixed(1),
    at = (value: number): string => (y + top + plotted * (1 - value / most)).toFixed(1);
  const points = values.map((value, index) => `${x(index)},${at(value)}`).join(" ");
  return [
    `<text x="${left}" y="${y + top - 8}">${title}</text>`,
    `<text x="${left - 6}" y="${y + top + 4}" text-anchor="end">${told(most)} ${unit}</text>`,
    `<text x="${left - 6}" y="${y + top + plotted + 4}" text-anchor="end">0</text>`,
    `<line x1="${left}" x2="${width - 10}" y1="${y + top + plotted}" y2="${y + top + plotted}" stroke="#999"/>`,
    `<polyline points="${points}" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>`,
  ].join("\n");
}

const told = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"));
