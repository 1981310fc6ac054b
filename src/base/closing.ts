/** Waits for all of them, whatever becomes of any; then rejects as the first of them that failed. */
export async function waitForAll<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** One after the other, all of them whatever fails meanwhile; then rejects with the first failure. `onFailed` is told of each. */
export async function closeAll(closers: readonly (() => unknown)[], onFailed?: (error: unknown) => void): Promise<void> {
  let failed: { readonly error: unknown } | undefined;
  for (const close of closers)
    try {
      await close();
    } catch (error) {
      onFailed?.(error);
      failed ??= { error };
    }
  if (failed !== undefined) throw failed.error;
}

/** What was opened so far, and how it is closed: in reverse, and all of it, whatever fails meanwhile. */
export class Closing {
  readonly #closers: (() => unknown)[] = [];
  readonly #onFailed: (error: unknown) => void;

  /** `onFailed` is told of whatever could not be closed. */
  constructor(onFailed: (error: unknown) => void) {
    this.#onFailed = onFailed;
  }

  /** What `close` gives is waited for. */
  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Rejects with the first failure when all is done. What was closed is not closed again. */
  close(): Promise<void> {
    return closeAll(this.#closers.splice(0).reverse(), this.#onFailed);
  }
}
