/** What processes take of the processor. Of Linux; elsewhere nobody knows. */
import { readdirSync, readFileSync } from "node:fs";

/** Of each thread of a process until now, in microseconds. */
export type ProcessorTimes = ReadonlyMap<string, number>;

/** Undefined where the system does not tell. */
export function processorTimes(pid: number): ProcessorTimes | undefined {
  const tasks = `/proc/${pid}/task`,
    times = new Map<string, number>();
  try {
    for (const task of readdirSync(tasks)) times.set(task, microsOf(`${tasks}/${task}/schedstat`));
    return times;
  } catch {
    return undefined;
  }
}

/** What all threads took since, but for those that have ended: nobody tells of them any more. */
export function microsSince(before: ProcessorTimes | undefined, pid: number): number | undefined {
  const now = processorTimes(pid);
  return before && now && [...now].reduce((sum, [task, micros]) => sum + Math.max(0, micros - (before.get(task) ?? 0)), 0);
}

/** A thread may end while it is asked for. */
function microsOf(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0]) / 1_000;
  } catch {
    return 0;
  }
}
