import { Bench } from "tinybench";

/** Runs the named rounds a fixed number of times and gives the median seconds of each; a round is one whole burst of load. */
export async function medianSeconds(rounds: number, tasks: Readonly<Record<string, () => Promise<void>>>): Promise<Readonly<Record<string, number>>> {
  const bench = new Bench({ iterations: rounds, time: 0, warmup: true, warmupIterations: 1, warmupTime: 0, throws: true });
  for (const [name, task] of Object.entries(tasks)) bench.add(name, task);
  await bench.run();
  return Object.fromEntries(bench.tasks.map((task) => {
    const result = task.result as unknown as { latency: { p50: number } };
    return [task.name, result.latency.p50 / 1000];
  }));
}
