import type { BodyBudget } from "./body-budget.js";
import { BodyMemory } from "./body-memory.js";
import type { FirstMessage } from "./route.js";

const noBytes = new Uint8Array(0);

/** The first message of a WebSocket: a body that comes at once, kept and counted like others. */
export class KeptMessage implements FirstMessage {
  readonly #budget: BodyBudget;
  readonly #counted: number;
  #memory: BodyMemory | undefined;
  #bytes: Uint8Array;

  private constructor(memory: BodyMemory, counted: number, budget: BodyBudget) {
    this.#budget = budget;
    this.#counted = counted;
    this.#memory = memory;
    this.#bytes = memory.whole();
  }

  /** Undefined if there is no room for it. */
  static copy(received: Uint8Array, budget: BodyBudget): KeptMessage | undefined {
    const { length } = received,
      memory = new BodyMemory(length);
    if (!budget.take(length)) return undefined;
    if (memory.append(received)) return new KeptMessage(memory, length, budget);
    memory.free();
    budget.give(length);
    return undefined;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  free(): void {
    if (this.#memory === undefined) return;
    this.#memory.free();
    this.#memory = undefined;
    this.#bytes = noBytes;
    this.#budget.give(this.#counted);
  }
}
