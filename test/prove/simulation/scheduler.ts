/**
 * Simulated time. Whatever is to happen waits here with the instant at which it does; time passes by going from one to the next, and
 * between two of them only promises go on. So one seed gives one order of everything.
 */

/** Who an event belongs to: those of a process that died never happen. */
export interface Life {
  isOver: boolean;
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly life: Life;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Node's own, as nothing here may use the simulated one. */
const realImmediate = setImmediate;
const promisesGoOn = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

export class Stuck extends Error {
  override readonly name = "Stuck";
}

export class Scheduler {
  readonly #events: Event[] = [];
  #order = 0;
  #now = 0;
  happened = 0;
  /** Called before each event, as a turn of the event loop begins. */
  onTurn: () => void = () => {};

  /** Microseconds since the simulation began. */
  get now(): number {
    return this.#now;
  }

  after(micros: number, life: Life, run: () => void): Event {
    const event = { at: this.#now + Math.max(0, micros), order: this.#order++, life, run, isCancelled: false };
    let at = this.#events.length;
    this.#events.push(event);
    // A heap: the earliest is first.
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, this.#events[parent]!)) break;
      this.#events[at] = this.#events[parent]!;
      at = parent;
    }
    this.#events[at] = event;
    return event;
  }

  sleep(micros: number, life: Life): Promise<void> {
    return new Promise((resolve) => this.after(micros, life, resolve));
  }

  #next(): Event | undefined {
    const first = this.#events[0],
      last = this.#events.pop();
    if (first === undefined || first === last) return first;
    let at = 0;
    for (let child = 1; child < this.#events.length; child = 2 * at + 1) {
      if (child + 1 < this.#events.length && isBefore(this.#events[child + 1]!, this.#events[child]!)) child++;
      if (!isBefore(this.#events[child]!, last!)) break;
      this.#events[at] = this.#events[child]!;
      at = child;
    }
    this.#events[at] = last!;
    return first;
  }

  /** Lets time pass until the work is done; when nothing can happen any more and it is not, something hangs. */
  async run(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    await promisesGoOn();
    while (!isDone) {
      const event = this.#next();
      if (event === undefined) throw new Stuck("nothing can happen any more, but somebody still waits");
      if (event.isCancelled || event.life.isOver) continue;
      this.#now = event.at;
      this.happened++;
      this.onTurn();
      event.run();
      await promisesGoOn();
    }
    await done;
  }
}

const isBefore = (left: Event, right: Event): boolean => left.at < right.at || (left.at === right.at && left.order < right.order);
