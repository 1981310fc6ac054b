/** Two small writers: one that collects elements between other text, one that counts without keeping. */
import type { ElementWriter } from "../../base/element-writer.js";
import { GrowingBytes } from "../../base/growing-bytes.js";
import { comma } from "../../base/json-bytes.js";

export class ElementBuffer implements ElementWriter {
  readonly #out: GrowingBytes;
  #elements = 0;

  /** Empty, to begin with. */
  constructor(out = new GrowingBytes()) {
    this.#out = out;
  }

  get elements(): number {
    return this.#elements;
  }
  get length(): number {
    return this.#out.length;
  }
  begin(): void {
    if (this.#elements++ > 0) this.#out.byte(comma);
  }
  bytes(source: Uint8Array): void {
    this.#out.bytes(source);
  }
  run(source: Uint8Array, from: number, to: number): void {
    this.#out.run(source, from, to);
  }
  text(source: string): void {
    this.#out.text(source);
  }
  end(): void {}
  settle(): void {}

  /** To begin anew in the same memory: what `finish` gave is over. */
  clear(): void {
    this.#out.clear();
    this.#elements = 0;
  }

  /** What was written, elements with commas between. */
  finish(): Uint8Array {
    return this.#out.view();
  }
  toString(): string {
    return this.#out.view().toString("utf8");
  }
}
