/** Errors that tasks throw, apart from those of lost threads: an error that crosses is a copy, which keeps nothing but its texts. */

/** As it crosses. */
interface Thrown {
  readonly thrownByTask: Error;
}

/** On the thread. */
export const asThrown = (error: unknown): Thrown => ({ thrownByTask: error instanceof Error ? error : new Error(String(error)) });

const thrownByTasks = new WeakSet<object>();

/** Where it arrives: the error itself. */
export function arrived(error: unknown): unknown {
  if (!isObject(error) || !("thrownByTask" in error)) return error;
  const { thrownByTask } = error as Thrown;
  thrownByTasks.add(thrownByTask);
  return thrownByTask;
}

/** The thread of one that is goes on; that of any other may be gone. */
export const isThrownByTask = (error: unknown): boolean => isObject(error) && thrownByTasks.has(error);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
