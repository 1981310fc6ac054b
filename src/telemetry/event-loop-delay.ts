/** How late timers of the main thread are: all that it does holds up all else by as much. */
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { limits } from "../config.js";

const resolutionMs = 10,
  nanosPerSecond = 1e9;

/** Of the last moments, whoever looks and however often. */
export class EventLoopDelay {
  /** Begun half a window apart; the older tells. */
  #older = begun();
  #younger = begun();
  readonly #timer = setInterval(() => this.#moveWindow(), limits.eventLoopDelayWindowMs / 2).unref();

  get p50Seconds(): number {
    return secondsLate(this.#older.percentile(50));
  }
  get p99Seconds(): number {
    return secondsLate(this.#older.percentile(99));
  }
  get maxSeconds(): number {
    return this.#older.count === 0 ? 0 : secondsLate(this.#older.max);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#older.disable();
    this.#younger.disable();
  }

  #moveWindow(): void {
    this.#older.reset();
    [this.#older, this.#younger] = [this.#younger, this.#older];
  }
}

function begun(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return histogram;
}

/** What is measured is the time between two ticks of a timer. */
const secondsLate = (nanos: number): number => Math.max(0, nanos / nanosPerSecond - resolutionMs / 1_000);
