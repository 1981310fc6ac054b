/**
 * While a process opens the file nobody commits, and the other way round. The number of the newest commit lies in memory that all processes
 * share, and whoever opens the file writes there the number that he read from the file a moment before (`mdb_env_open2` of LMDB as of
 * lmdb 3.5). Were there a commit in between, all would take the one before it for the newest: readers get what is old, and the
 * writer builds its next commit on it, so that the last one is lost, or the file damaged.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openFileLock, type TakenInTurns } from "../base/file-lock.js";
import { limits } from "../config.js";

export const openingLockFile = "opening.lock";

/** Somebody has been opening the file for so long that nothing can be written now. */
export class FileIsBeingOpened extends Error {
  override readonly name = "FileIsBeingOpened";
}

export class OpeningLock {
  readonly #lock: TakenInTurns;
  #isClosed = false;

  constructor(folder: string) {
    this.#lock = openFileLock(join(folder, openingLockFile));
  }

  /**
   * One after the other: who has it must not ask for it again. What is done at once has it for that long only, not until the promise is
   * heard: an engine thread may stand still in between, as it waits for its next task without a turn of the event loop.
   *
   * Looks again and again: to wait inside the system takes a thread of those that LMDB needs for the commit that is waited for.
   */
  async during<T>(work: () => T | Promise<T>): Promise<T> {
    const until = performance.now() + limits.openingWaitMs;
    while (!this.#lock.tryTake()) {
      if (performance.now() > until)
        throw new FileIsBeingOpened(`another process has been opening the ledger's file for ${limits.openingWaitMs} ms, or writing it`);
      await sleep(1);
    }
    try {
      const done = work();
      return done instanceof Promise ? await done : done;
    } finally {
      this.#lock.give();
    }
  }

  close(): void {
    if (!this.#isClosed) this.#lock.close(); // by then its descriptor may be another file's
    this.#isClosed = true;
  }
}
