/**
 * Loaded into a node's process: tells over `process.send` how long the event loop was held at most since it was last asked. By the
 * processor time of the main thread where the system tells it, so that other programs on the machine do not count, else by the clock;
 * and by the clock in any case.
 */
import { openSync, readSync } from "node:fs";

const nowMs = threadTimeMs() ?? ((): number => performance.now());
let longestMs = 0,
  lastMs = nowMs(),
  longestWallMs = 0,
  lastWallMs = performance.now();

/** Linux: nanoseconds that the thread ran come first. */
function threadTimeMs(): (() => number) | undefined {
  let file: number;
  try {
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  } catch {
    return undefined;
  }
  const text = Buffer.alloc(64);
  return () => Number(text.toString("latin1", 0, readSync(file, text, 0, text.length, 0)).split(" ")[0]) / 1e6;
}

function look(): void {
  const now = nowMs(),
    wall = performance.now();
  longestWallMs = Math.max(longestWallMs, wall - lastWallMs);
  lastWallMs = wall;
  longestMs = Math.max(longestMs, now - lastMs);
  lastMs = now;
}

setInterval(look, 1).unref();
process.on("message", () => {
  look();
  process.send!({ longestTurnMs: longestMs, longestWallMs });
  longestMs = longestWallMs = 0;
});
// The test's end of the pipe must not keep a node alive that is told to stop.
process.channel?.unref();
