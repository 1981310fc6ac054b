/**
 * Running streams outlive the check that let them in. One timer holds all of them against the clock and their users'
 * rights, so that also an idle stream ends in time (the reference notices an expired token at its next element only).
 * A list is answered once: as there, what it has it keeps when its token ends, and it fails where more comes after that.
 */
import { limits } from "../config.js";
import type { Caller } from "./caller.js";

export type StreamEnd =
  | { readonly reason: "tokenExpired"; readonly expiresAtSeconds: number; readonly nowMs: number }
  /** Any difference of rights; there are fewer also where the user is gone or deactivated, or his identity provider is. */
  | { readonly reason: "rightsChanged"; readonly areFewer: boolean };

/** What is watched: a list waits on when its token ended. */
export type Watched = "stream" | "list";

export interface StreamWatch {
  /** Aborts when what is watched has to end. */
  readonly signal: AbortSignal;
  /** Why; undefined while it may go on. */
  readonly end: StreamEnd | undefined;
  /** Why what comes at this moment is not for the bearer of the token any more; the timer is up to a look late. */
  tokenEnd(): StreamEnd | undefined;
  close(): void;
}

export interface StreamWatchOptions {
  readonly endOf: (caller: Caller) => StreamEnd | undefined;
}

interface WatchOwner extends StreamWatchOptions {
  readonly forget: (watch: Watch) => void;
}

class Watch implements StreamWatch {
  readonly #controller = new AbortController();
  readonly #owner: WatchOwner;
  end: StreamEnd | undefined;
  /** Looks since it began, or since new rights would have ended it. */
  looks = 0;

  constructor(
    readonly caller: Caller,
    readonly watched: Watched,
    owner: WatchOwner,
  ) {
    this.#owner = owner;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  tokenEnd(): StreamEnd | undefined {
    const end = this.#owner.endOf(this.caller);
    return end?.reason === "tokenExpired" ? end : undefined;
  }

  finish(end: StreamEnd): void {
    this.end = end;
    this.close();
    this.#controller.abort(end);
  }

  close(): void {
    this.#owner.forget(this);
  }
}

export class StreamWatches {
  readonly #open = new Set<Watch>();
  readonly #options: StreamWatchOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StreamWatchOptions) {
    this.#options = options;
  }

  open(caller: Caller, watched: Watched): StreamWatch {
    const watch = new Watch(caller, watched, { endOf: this.#options.endOf, forget: (closed) => this.#forget(closed) });
    this.#open.add(watch);
    this.#timer ??= setInterval(() => this.#check(), limits.streamAuthorizationIntervalMs).unref();
    return watch;
  }

  /**
   * New rights alone are no danger, and end a stream only as late as the reference would, which looks in intervals from its beginning
   * on: a short list does not fail as somebody else is given a right of the same user.
   */
  #check(): void {
    for (const watch of this.#open) {
      const isLate = ++watch.looks >= limits.streamNewRightsLooks,
        end = this.#options.endOf(watch.caller);
      if (isLate) watch.looks = 0;
      if (end === undefined || (end.reason === "tokenExpired" && watch.watched === "list")) continue;
      if (isLate || end.reason === "tokenExpired" || end.areFewer) watch.finish(end);
    }
  }

  #forget(watch: Watch): void {
    this.#open.delete(watch);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
