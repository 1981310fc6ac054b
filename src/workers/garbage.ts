import { Session } from "node:inspector";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { limits } from "../config.js";

let collect: (() => void) | undefined;

/** A command that was stopped at a limit leaves a heap full of garbage, which V8 would keep for as long as it needs no room. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}

let givenBackAt = -Infinity;

/**
 * V8 doubles the space for objects that live shortly when much has outlived it since the last time, however long that took, and gives it
 * back only where little happens: a busy thread would take all that it may in the end. What needs it grows into it again within moments.
 */
export async function keepYoungSpaceSmall(): Promise<void> {
  if (performance.now() - givenBackAt < limits.youngSpaceKeptMs) return;
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")!;
  if (young.space_size <= limits.youngSpaceKeptBytes) return;
  await giveBackMemory();
  givenBackAt = performance.now();
}

/** All that can be; a collection that is asked for by flag leaves the space as large as it is. */
async function giveBackMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  await new Promise((resolve) => session.post("HeapProfiler.collectGarbage", resolve));
  session.disconnect();
}
