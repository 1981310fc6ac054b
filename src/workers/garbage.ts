import type { Session } from "node:inspector";
import { createRequire } from "node:module";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { limits } from "../config.js";

let collect: (() => void) | undefined;

/** A command that was stopped at a limit leaves a heap full of garbage, which V8 would keep for as long as it needs no room. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
    setFlagsFromString("--no-expose-gc"); // with other flags V8 refuses the code that it compiled before
  }
  collect();
}

/**
 * Where objects grow old slowly V8 looks at all of them each time they are a tenth more, at a busy node every second, on as many threads
 * as it has, for which everybody waits where there are few processors. From now on they may first become as many percent more, on any
 * thread of the process. A thread that begins takes it back, as V8 refuses code that was compiled with other flags (`packaging/load.cts`).
 */
export function letOldObjectsGather(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Young objects are collected when their space is full, and not before in a turn of the event loop, on any thread of the process: one that
 * is stopped in the midst of a command would owe that turn (`wholeTurn` in `base/turns.ts`).
 */
export function collectYoungWhenFull(): void {
  setFlagsFromString("--no-minor-gc-task"); // taken back as the other one
}

let givenBackAt = -Infinity;

/**
 * V8 doubles the space for objects that live shortly when much has outlived it since the last time, however long that took, and gives it
 * back only where little happens: a thread would take all that it may in the end, whatever it does. Here it keeps as many bytes; what needs
 * more grows into it again within moments.
 */
export async function keepYoungSpaceSmall(keptBytes: number): Promise<void> {
  if (performance.now() - givenBackAt < limits.youngSpaceKeptMs) return;
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")!;
  if (young.space_size <= keptBytes) return;
  const session = inspectorSession();
  givenBackAt = session === undefined ? Infinity : performance.now();
  if (session !== undefined) await giveBackMemory(session);
}

/** Node.js can be built without the inspector; the memory is kept there. */
function inspectorSession(): Session | undefined {
  try {
    const { Session } = createRequire(import.meta.url)("node:inspector") as typeof import("node:inspector");
    return new Session();
  } catch {
    return undefined;
  }
}

/** All that can be; a collection that is asked for by flag leaves the space as large as it is. */
async function giveBackMemory(session: Session): Promise<void> {
  session.connect();
  await new Promise((resolve) => session.post("HeapProfiler.collectGarbage", resolve));
  session.disconnect();
}
