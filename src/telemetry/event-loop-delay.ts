/** How late timers of the main thread are: all that it does holds up all else by as much. */
import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 10,
  nanosPerSecond = 1e9;

export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#histogram.enable();
  }

  get p50Seconds(): number {
    return secondsLate(this.#histogram.percentile(50));
  }
  get p99Seconds(): number {
    return secondsLate(this.#histogram.percentile(99));
  }
  get maxSeconds(): number {
    return this.#histogram.count === 0 ? 0 : secondsLate(this.#histogram.max);
  }

  close(): void {
    this.#histogram.disable();
  }
  /** Counts from now on. */
  reset(): void {
    this.#histogram.reset();
  }
}

/** What is measured is the time between two ticks of a timer. */
const secondsLate = (nanos: number): number => Math.max(0, nanos / nanosPerSecond - resolutionMs / 1_000);
