/** Loaded into a node's process: tells over `process.send` how long the event loop was held at most since it was last asked. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on("message", () => {
  process.send!({ longestTurnMs: delay.max / 1e6 });
  delay.reset();
});
// The test's end of the pipe must not keep a node alive that is told to stop.
process.channel?.unref();
