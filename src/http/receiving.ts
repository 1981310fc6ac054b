import type { Turns } from "../base/turns.js";

/** A request whose body comes in. Each may be called in any state. */
export interface Receiver {
  pauseBody(): void;
  resumeBody(): void;
}

/**
 * All requests whose bodies come in: a turn of the event loop that took enough of them takes no more, from any connection. Only
 * node:http does so: the native code of uWebSockets.js reads on what the kernel has, paused or not.
 */
export class Receiving {
  readonly #turns: Turns;
  readonly #receivers = new Set<Receiver>();
  #isPaused = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  enter(receiver: Receiver): void {
    this.#receivers.add(receiver);
    if (this.#isPaused) receiver.pauseBody();
  }

  leave(receiver: Receiver): void {
    this.#receivers.delete(receiver);
  }

  /** A piece of a body was taken. */
  took(): void {
    if (this.#isPaused || !this.#turns.isOver) return;
    this.#isPaused = true;
    for (const receiver of this.#receivers) receiver.pauseBody();
    void this.#turns.next().then(this.#resume);
  }

  readonly #resume = (): void => {
    this.#isPaused = false;
    for (const receiver of this.#receivers) receiver.resumeBody();
  };
}
