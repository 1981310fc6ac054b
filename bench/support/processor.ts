/** What processes take of the processor, and how fast the machine is just now. Of Linux; elsewhere nobody knows. */
import { readdirSync, readFileSync } from "node:fs";

/** Of all threads of a process until now, in microseconds; undefined where the system does not tell. */
export function processorMicros(pid: number): number | undefined {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).reduce((sum, task) => sum + nanosOf(`${tasks}/${task}/schedstat`), 0) / 1_000;
  } catch {
    return undefined;
  }
}

/** A thread may end while it is asked for. */
function nanosOf(file: string): number {
  try {
    return Number(readFileSync(file, "utf8").split(" ")[0]);
  } catch {
    return 0;
  }
}

const loopRounds = 20_000_000;

/** Milliseconds of one and the same loop: machines that others share change their pace within minutes. */
export function loopMs(): number {
  const began = performance.now();
  let hash = 1;
  for (let round = 0; round < loopRounds; round++) hash = (Math.imul(hash, 31) + round) | 0;
  return hash === 0 ? 0 : performance.now() - began;
}
