import type { BodyBudget } from "./body-budget.js";
import { BodyMemory } from "./body-memory.js";
import type { TransportLimits } from "./route.js";

/** "unwanted": its request was refused by the head. */
export type BodyFault = "too large" | "no room" | "unwanted";

/** A body that is complete. Its bytes are there until it is freed, and stay on the budget until they are given back. */
export interface CompleteBody {
  readonly bytes: Uint8Array;
  free(): void;
}

/** What is left of a body once it ended, or why it was refused; "gone by": unwanted, and read to its end. */
export type BodyOutcome = CompleteBody | BodyFault | "gone by";

export interface BodyBounds {
  readonly bytesMax: number;
  readonly budget: BodyBudget;
  readonly limits: TransportLimits;
}

const noBytes = new Uint8Array(0);

/**
 * Gathers a body up to its bounds. A longer one is read on and thrown away for a while before it is refused:
 * closing a connection with unread input resets it, and the client would never see the answer.
 */
export class BodyCollector {
  readonly #bounds: BodyBounds;
  #memory: BodyMemory | undefined;
  #received = 0;
  /** Of the budget. */
  #held = 0;
  #fault: BodyFault | undefined;
  #linger: NodeJS.Timeout | undefined;
  #settle: ((outcome: BodyOutcome) => void) | undefined;

  constructor(bounds: BodyBounds, settle: (outcome: BodyOutcome) => void) {
    this.#bounds = bounds;
    this.#memory = new BodyMemory(bounds.bytesMax);
    this.#settle = settle;
  }

  /** The declared length; false if that is too much already. */
  declare(bytes: number): boolean {
    if (bytes > this.#bounds.bytesMax) this.#refuse("too large");
    else if (!this.#bounds.budget.hasRoomFor(bytes - this.#held)) this.#refuse("no room");
    return this.#fault === undefined;
  }

  /** Nothing of it is kept. */
  letPass(): void {
    this.#refuse("unwanted");
  }

  /** Takes a piece; copies what it keeps. */
  push(chunk: Uint8Array): void {
    if (this.#settle === undefined) return;
    this.#received += chunk.length;
    if (this.#fault === undefined) this.#keep(chunk);
    else if (this.#received > this.#bounds.bytesMax + this.#bounds.limits.lingerBytesMax) this.#end(this.#fault);
  }

  end(): void {
    if (this.#fault !== undefined) return this.#end(this.#fault === "unwanted" ? "gone by" : this.#fault);
    const memory = this.#memory;
    this.#held = 0; // it is the receiver's now
    this.#memory = undefined;
    this.#end({ bytes: memory?.whole() ?? noBytes, free: () => memory?.free() });
  }

  /** The client went away, or was refused: nothing is settled any more. */
  drop(): void {
    clearTimeout(this.#linger);
    this.#settle = undefined;
    this.#giveBack();
  }

  #keep(chunk: Uint8Array): void {
    if (this.#received > this.#bounds.bytesMax) return this.#refuse("too large");
    if (!this.#bounds.budget.take(chunk.length)) return this.#refuse("no room");
    this.#held += chunk.length;
    if (this.#memory?.append(chunk) === false) this.#refuse("no room");
  }

  #refuse(fault: BodyFault): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    this.#giveBack();
    this.#linger = setTimeout(() => this.#end(fault), this.#bounds.limits.lingerMs);
  }

  #giveBack(): void {
    this.#memory?.free();
    this.#bounds.budget.give(this.#held);
    this.#held = 0;
  }

  #end(outcome: BodyOutcome): void {
    const settle = this.#settle;
    this.drop();
    settle?.(outcome);
  }
}
