/** Files that were written anew. They are looked at in intervals: builds replace files, and not every file system tells of that. */
import { stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { limits } from "../config.js";

/** What files were like at some time. */
export type Stamps = readonly string[];

/** Those that changed together, once they have come to rest. Ends with the signal. */
export async function* fileChanges(files: readonly string[], since: Stamps, stop: AbortSignal): AsyncGenerator<readonly string[]> {
  let known = since;
  for (;;) {
    if (!(await rested(stop))) return;
    let now = await stampsOf(files);
    if (same(now, known)) continue;
    // A build that is still writing changes it again.
    for (let before = known; !same(now, before); now = await stampsOf(files)) {
      before = now;
      if (!(await rested(stop))) return;
    }
    const changed = files.filter((_, index) => now[index] !== known[index] && now[index] !== absent);
    known = now;
    if (changed.length > 0) yield changed;
  }
}

const absent = "";

export const stampsOf = (files: readonly string[]): Promise<Stamps> =>
  Promise.all(
    files.map(async (file) => {
      try {
        const { mtimeMs, size, ino } = await stat(file);
        return `${mtimeMs}/${size}/${ino}`;
      } catch {
        return absent; // a build may remove it for a while
      }
    }),
  );

const same = (left: Stamps, right: Stamps): boolean => left.every((stamp, index) => stamp === right[index]);

/** False when the signal came. */
async function rested(stop: AbortSignal): Promise<boolean> {
  try {
    await wait(limits.scriptWatchIntervalMs, undefined, { signal: stop });
    return true;
  } catch {
    return false;
  }
}
