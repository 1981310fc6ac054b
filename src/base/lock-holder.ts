/** What a file that is locked says of the process that has it. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { blockFor } from "./block.js";

export const lockFileName = "ledgerline.lock";

/** What the file says while this process has it. */
export const ownName = (): string => `${process.pid} ${hostname()}\n`;

export interface Patience {
  readonly waitMs: number;
  readonly stepMs: number;
}

/**
 * For messages only: a pid may be another container's, and the file may say anything. Who has just locked it has not told yet, so
 * what says nothing, or names a process that is gone, is read again for a moment.
 */
export function holderOf(path: string, { waitMs, stepMs }: Patience): string {
  let holder = toldHolder(path);
  for (let waits = waitMs / stepMs; waits > 0 && !isLikely(holder); waits--) {
    blockFor(stepMs);
    holder = toldHolder(path);
  }
  if (holder === undefined) return "another process";
  if (holder.host !== hostname()) return `process ${holder.pid} on ${holder.host}`;
  return holder.pid === process.pid && process.pid !== firstPid ? "this process" : `process ${holder.pid}`;
}

/** Each container has one, and those that take each other's place may have a name in common. */
const firstPid = 1;

interface Holder {
  readonly pid: number;
  readonly host: string;
}

function toldHolder(path: string): Holder | undefined {
  let told: string;
  try {
    told = readFileSync(join(path, lockFileName), "utf8");
  } catch {
    return undefined;
  }
  const [, pid, host] = /^([0-9]{1,10}) ([\w.-]{1,255})\n$/.exec(told) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), host: host! };
}

const isLikely = (holder: Holder | undefined): boolean => holder !== undefined && (holder.host !== hostname() || isRunning(holder.pid));

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's
  }
}
