/** Text in the making, with places in it that are to be found again in its UTF-8 bytes. */
export class MarkedText {
  #text = "";
  /** In rising order; as characters until `inBytes`. */
  readonly #marks: number[] = [];

  get text(): string { return this.#text; }

  add(text: string): void { this.#text += text; }

  /** Marks the end of what is there; the number of the mark. */
  mark(): number { return this.#marks.push(this.#text.length) - 1; }

  /** The marks as numbers of bytes from the start of the text. */
  inBytes(): readonly number[] {
    const text = this.#text;
    if (Buffer.byteLength(text) === text.length) return this.#marks; // all ASCII
    let characters = 0, bytes = 0;
    return this.#marks.map((mark) => {
      bytes += Buffer.byteLength(text.slice(characters, mark));
      characters = mark;
      return bytes;
    });
  }
}
