import { Bench } from "tinybench";
import type { Paced } from "./pace.js";
import { median } from "./quantile.js";

/**
 * Runs the named rounds a fixed number of times and gives the median seconds of each; a round is one whole burst of load.
 * They take turns, so that what else the machine does falls on all of them alike, and every other time in the reverse order: what one
 * leaves behind, on the disk or in the client, does not always fall on the same.
 */
export async function medianSeconds(
  { rounds, pace }: { readonly rounds: number } & Paced,
  tasks: Readonly<Record<string, () => Promise<void>>>,
): Promise<Readonly<Record<string, number>>> {
  const seconds = new Map(Object.keys(tasks).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    const bench = new Bench({ iterations: 1, time: 0, warmup: false, throws: true });
    const inOrder = Object.entries(tasks);
    for (const [name, task] of round % 2 === 0 ? inOrder : inOrder.reverse()) {
      const once = async (): Promise<void> => task(); // what is not declared async tinybench calls once more, to see what it gives
      bench.add(name, once, { beforeEach: () => pace.look() });
    }
    await bench.run();
    if (round === 0) continue; // a warm-up
    for (const { name, result } of bench.tasks)
      seconds.get(name)!.push((result as unknown as { latency: { p50: number } }).latency.p50 / 1000);
  }
  return Object.fromEntries([...seconds].map(([name, all]) => [name, median(all)]));
}
