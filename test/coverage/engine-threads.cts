/**
 * Loaded first by every process and thread of a run that counts branches: engine threads are ended and not left, so they write their
 * counters now and then while they wait for work, where Piscina makes them wait.
 */
const { isMainThread } = require("node:worker_threads") as typeof import("node:worker_threads");
const { takeCoverage } = require("node:v8") as typeof import("node:v8");

const everyMs = 1_500;

if (!isMainThread) {
  const wait = Atomics.wait;
  let takenMs = -Infinity;
  Atomics.wait = ((...args: Parameters<typeof wait>) => {
    if (performance.now() - takenMs > everyMs) {
      takeCoverage();
      takenMs = performance.now();
    }
    return wait(...args);
  }) as typeof wait;
}
