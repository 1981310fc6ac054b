/** Writes runs of a record and texts in between; runs that touch are joined, so that the common reader costs few copies. */
import type { ElementWriter } from "../../base/element-writer.js";

export class Splicer {
  #out!: ElementWriter;
  #record!: Buffer;
  #from = 0;
  #to = 0;

  start(out: ElementWriter, record: Buffer): void {
    this.#out = out;
    this.#record = record;
    this.#from = this.#to = 0;
  }

  keep(from: number, to: number): void {
    if (from !== this.#to) {
      this.flush();
      this.#from = from;
    }
    this.#to = to;
  }

  text(text: string): void {
    this.flush();
    this.#out.text(text);
  }
  bytes(bytes: Uint8Array): void {
    this.flush();
    this.#out.bytes(bytes);
  }

  flush(): void {
    if (this.#to > this.#from) this.#out.run(this.#record, this.#from, this.#to);
    this.#from = this.#to = 0;
  }
}
