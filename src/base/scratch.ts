/** Memory for what is used up before the next asks for it: to take new memory each time takes longer than most of what is done in it. */
export class Scratch {
  readonly #bytes: Buffer;

  /** `bytes`: for more than so many there is new memory. */
  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** What is in it does not matter; only until the next call. */
  of(bytes: number): Buffer {
    return bytes <= this.#bytes.length ? this.#bytes.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes);
  }
}
