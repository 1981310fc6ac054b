import type { ServerHttp2Stream } from "node:http2";
import type { GrpcLimits } from "./limits.js";

/** What is on its way to a client: a client that does not take it is cut off, and nobody sends more than it takes. */
export class Outgoing {
  readonly #stream: ServerHttp2Stream;
  readonly #limits: GrpcLimits;
  readonly #waiting: { readonly resolve: () => void; readonly reject: (reason: Error) => void }[] = [];
  #pendingBytes = 0;
  /** When what is on its way must have moved on. */
  #due: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: ServerHttp2Stream, limits: GrpcLimits) {
    this.#stream = stream;
    this.#limits = limits;
    stream.once("close", () => clearTimeout(this.#timer));
  }

  begins(bytes: number): void {
    this.#pendingBytes += bytes;
    if (this.#due === undefined) this.#wait();
  }

  isTaken(bytes: number): void {
    this.#pendingBytes -= bytes;
    this.#due = undefined;
    if (this.#pendingBytes > 0) this.#wait();
    if (this.#hasRoom) for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** The rest, which ends with the stream. */
  ends(bytes: number): void {
    this.#pendingBytes += bytes;
    this.#wait();
  }

  room(): Promise<void> {
    return this.#hasRoom ? Promise.resolve() : new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Nobody waits for room any more. */
  stop(reason: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }

  get #hasRoom(): boolean {
    return this.#pendingBytes <= this.#limits.streamBufferedBytesMax;
  }

  #wait(): void {
    const { webSocketStallMs, grpcTakenBytesPerSecondMin } = this.#limits;
    this.#due = performance.now() + webSocketStallMs + (this.#pendingBytes * 1_000) / grpcTakenBytesPerSecondMin;
    if (!this.#stream.closed) this.#timer ??= setTimeout(() => this.#look(), webSocketStallMs);
  }

  /** One timer for many messages: most are taken long before. */
  #look(): void {
    this.#timer = undefined;
    if (this.#due === undefined || this.#stream.closed) return;
    const restMs = this.#due - performance.now();
    if (restMs > 0) this.#timer = setTimeout(() => this.#look(), restMs);
    else this.#cutOff();
  }

  /** The connection, too, where it takes not even that. */
  #cutOff(): void {
    const { session } = this.#stream;
    this.#stream.close(8); // CANCEL of HTTP/2
    setTimeout(() => {
      if (!this.#stream.destroyed) session?.destroy();
    }, this.#limits.lingerMs);
  }
}
