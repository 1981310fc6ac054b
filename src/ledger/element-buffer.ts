/** Two small writers: one that collects elements as text, one that counts without keeping. */
import type { ElementWriter } from "../base/element-writer.js";

export class ElementBuffer implements ElementWriter {
  readonly #chunks: Buffer[] = [];
  readonly #separator: string;
  #elements = 0;

  constructor(separator = ",") { this.#separator = separator; }

  get elements(): number { return this.#elements; }
  begin(): void { if (this.#elements++ > 0) this.#chunks.push(Buffer.from(this.#separator)); }
  bytes(source: Uint8Array): void { this.#chunks.push(Buffer.from(source)); }
  text(source: string): void { this.#chunks.push(Buffer.from(source)); }
  end(): void {}

  /** The elements, separated. */
  toString(): string { return Buffer.concat(this.#chunks).toString("utf8"); }
}

export const discard: ElementWriter = { begin() {}, bytes() {}, text() {}, end() {} };
