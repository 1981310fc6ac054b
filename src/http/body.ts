import type { TransportLimits } from "./route.js";

/** What is left of a body once it ended: its bytes, or that it was longer than allowed. */
export type BodyOutcome = { readonly bytes: Uint8Array } | "too large";

/**
 * Gathers a body up to its bound. A longer one is read on and thrown away for a while before it is refused:
 * closing a connection with unread input resets it, and the client would never see the 413.
 */
export class BodyCollector {
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #refused = false;
  #linger: NodeJS.Timeout | undefined;
  #settle: ((outcome: BodyOutcome) => void) | undefined;

  constructor(
    readonly bytesMax: number,
    readonly limits: TransportLimits,
    settle: (outcome: BodyOutcome) => void,
  ) {
    this.#settle = settle;
  }

  /** The declared length; false if it is too large already. */
  declare(bytes: number): boolean {
    if (bytes > this.bytesMax) this.#refuse();
    return !this.#refused;
  }

  /** Takes a chunk; it must be a copy that nobody else writes to. */
  push(chunk: () => Uint8Array, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.bytesMax) this.#refuse();
    if (!this.#refused) this.#chunks.push(chunk());
    else if (this.#bytes > this.bytesMax + this.limits.lingerBytesMax) this.#end("too large");
  }

  end(): void {
    this.#end(this.#refused ? "too large" : { bytes: joined(this.#chunks, this.#bytes) });
  }

  /** The client went away: nothing is settled any more. */
  drop(): void {
    clearTimeout(this.#linger);
    this.#settle = undefined;
    this.#chunks.length = 0;
  }

  #refuse(): void {
    if (this.#refused) return;
    this.#refused = true;
    this.#chunks.length = 0;
    this.#linger = setTimeout(() => this.#end("too large"), this.limits.lingerMs);
  }

  #end(outcome: BodyOutcome): void {
    const settle = this.#settle;
    this.drop();
    settle?.(outcome);
  }
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
