/** CPU time of the calling thread, in nanoseconds. */
import { closeSync, openSync, readSync } from "node:fs";

export interface CpuClock {
  readonly name: string;
  now(): number;
}

/** Opened by the thread that it measures. */
export function cpuClock(): CpuClock {
  try {
    return threadClock(openSync("/proc/thread-self/schedstat", "r"));
  } catch {
    return { name: "CPU time of the process", now: processNanoseconds }; // no Linux
  }
}

/** "on the CPU, waiting, slices", in nanoseconds, as of the scheduler's last look: a few milliseconds ago at most. */
function threadClock(file: number): CpuClock {
  const buffer = Buffer.alloc(128);
  const now = (): number => Number(buffer.toString("latin1", 0, readSync(file, buffer, 0, buffer.length, 0)).split(" ")[0]);
  if (Number.isFinite(now())) return { name: "CPU time of the thread", now };
  closeSync(file);
  return { name: "CPU time of the process", now: processNanoseconds };
}

function processNanoseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}
