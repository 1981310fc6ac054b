import { readFileSync } from "node:fs";

/** Of this process, without mapped files; where the system does not tell that, with them. */
export function anonymousBytes(): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "latin1"))![1]) * 1024;
  } catch {
    return process.memoryUsage.rss();
  }
}
