import { readFileSync } from "node:fs";

/** How many files this process may have open, connections among them. As Linux tells it; elsewhere nothing is known of a bound. */
export function openFilesMax(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
