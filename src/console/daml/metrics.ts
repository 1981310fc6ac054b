/** Prometheus' text form, as far as the node writes it. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export function samplesOf(text: string): readonly Sample[] {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, label, of]) => [label!, of!.replaceAll(/\\(.)/g, "$1")] as const,
    );
    return [{ name, labels: Object.fromEntries(pairs), value: value === "+Inf" ? Infinity : Number(value) }];
  });
}

export interface Histogram {
  readonly operation: string;
  readonly count: number;
  readonly sumSeconds: number;
  /** Of each bucket alone, with its upper bound in seconds. */
  readonly buckets: readonly { readonly below: number; readonly count: number }[];
}

/** The most frequent first. */
export function histogramsOf(samples: readonly Sample[], name: string): readonly Histogram[] {
  const found = new Map<string, { count: number; sum: number; cumulative: { below: number; count: number }[] }>();
  for (const { name: of, labels, value } of samples) {
    const { operation } = labels;
    if (operation === undefined || !of.startsWith(name)) continue;
    const one = found.get(operation) ?? { count: 0, sum: 0, cumulative: [] };
    found.set(operation, one);
    if (of === `${name}_count`) one.count = value;
    else if (of === `${name}_sum`) one.sum = value;
    else if (of === `${name}_bucket`)
      one.cumulative.push({ below: labels["le"] === "+Inf" ? Infinity : Number(labels["le"]), count: value });
  }
  return [...found]
    .map(([operation, { count, sum, cumulative }]) => ({
      operation,
      count,
      sumSeconds: sum,
      buckets: cumulative
        .sort((left, right) => left.below - right.below)
        .map(({ below, count: upTo }, index, all) => ({ below, count: upTo - (all[index - 1]?.count ?? 0) })),
    }))
    .sort((left, right) => right.count - left.count);
}

/** The bound below which so many of them are, in seconds. */
export function quantile({ buckets, count }: Histogram, part: number): number {
  let seen = 0;
  for (const bucket of buckets) {
    seen += bucket.count;
    if (seen >= count * part) return bucket.below;
  }
  return Infinity;
}
