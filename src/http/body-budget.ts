/** What the bodies of all requests together take, and may take; the first messages of WebSockets are among them. */
export class BodyBudget {
  readonly #bytesMax: number;
  #held = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get held(): number {
    return this.#held;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#held + bytes <= this.#bytesMax;
  }

  /** False if there is no room: then nothing was taken. */
  take(bytes: number): boolean {
    if (!this.hasRoomFor(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}
