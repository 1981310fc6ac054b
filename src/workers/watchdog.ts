/** Stands outside of what it watches: a worker that is stuck cannot watch itself. */
import { limits } from "../config.js";
import { begunAnew, newProgress, runningIndex, runningMs, type SharedProgress } from "./batch-progress.js";
import { StoodStill } from "./threads.js";

export interface Watch {
  /** Of each part of the task. */
  readonly deadlineMs: number;
  /** A part runs for longer than others should wait for; false when it ended meanwhile. */
  onSlow(): boolean;
  /** Whether the task is with a thread that could begin with it. */
  isGiven(): boolean;
}

/** Aborts what takes too long. Good for many tasks, one after the other, until it is spent. */
export class Watchdog {
  /** Of the task: aborted here, or where there is no thread for it. */
  readonly controller = new AbortController();
  #hasBarked = false;
  #progress = newProgress();
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    // A signal forgets and remembers a kind of event with its last listener and the first: see `BriefMap`.
    this.controller.signal.addEventListener("abort", () => undefined);
  }

  get hasBarked(): boolean {
    return this.#hasBarked;
  }
  /** It is good for no other task. */
  get isSpent(): boolean {
    return this.controller.signal.aborted;
  }
  get progress(): SharedProgress {
    return this.#progress;
  }

  /** For the next task, until `rest`. */
  watch({ deadlineMs, onSlow, isGiven }: Watch): SharedProgress {
    this.#progress = begunAnew(this.#progress);
    let isSlow = false,
      stoodStillMs = 0; // by looks, as time passes for a process that is stopped, too
    const look = (): void => {
      const ranMs = runningMs(this.#progress);
      if (ranMs >= deadlineMs) return this.#bark();
      if (runningIndex(this.#progress) === undefined && isGiven()) {
        stoodStillMs += limits.slowCommandMs;
        if (stoodStillMs >= limits.threadStandsStillMs) return this.controller.abort(new StoodStill());
      }
      if (!isSlow && ranMs >= limits.slowCommandMs) isSlow = onSlow();
      this.#timer = setTimeout(look, isSlow ? deadlineMs - ranMs : Math.max(1, limits.slowCommandMs - ranMs));
    };
    this.#timer = setTimeout(look, limits.slowCommandMs);
    return this.#progress;
  }

  #bark(): void {
    this.#hasBarked = true;
    this.controller.abort();
  }

  rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined; // and with it what it would have looked at
  }
}
