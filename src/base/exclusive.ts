/** One task at a time, in the order in which they came. */
export class Exclusive {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined); // its caller hears of it; the next in line does not care
    return done;
  }
}
