/** A promise that may fail before anybody waits for it: who does hears of it then, and until that Node does not end the process. */
export function heardLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
