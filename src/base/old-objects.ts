import { setFlagsFromString } from "node:v8";

/**
 * Where objects grow old slowly V8 looks at all of them each time they are a tenth more, at a busy node every second, on as many threads
 * as it has, for which everybody waits where there are few processors. From now on they may first become as many percent more, on any
 * thread of the process. A thread that begins takes it back, as V8 refuses code that was compiled with other flags (`packaging/load.cts`).
 */
export function letOldObjectsGather(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
