import { utf8BytesPerUnitMax, type RecordWriter } from "../../store/index.js";

/** Text in the making, with places in it that are to be found again in its UTF-8 bytes. */
export class MarkedText {
  /** The end of it; what was before is in `#pieces`. */
  #text = "";
  readonly #pieces: Buffer[] = [];
  #pieceBytes = 0;
  /** In rising order; from `#settled` on as characters of `#text`, before it as bytes of all. */
  readonly #marks: number[] = [];
  #settled = 0;
  /** How many bytes of the writer's hold it already. */
  #placed: number | undefined;

  add(text: string): void {
    this.#text += text;
  }

  /** Marks the end of what is there; the number of the mark. */
  mark(): number {
    return this.#marks.push(this.#text.length) - 1;
  }

  /** Encodes what there is: a long text is not to be encoded all at once. */
  settle(): void {
    this.#settleMarks();
    const piece = Buffer.from(this.#text);
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    this.#text = "";
  }

  /**
   * The marks as numbers of bytes from the start of the text, to which nothing is added any more. It will stand at `at` in the record: a
   * short one is written there before its head is, so that it is encoded once.
   */
  placeIn(writer: RecordWriter, at: number): readonly number[] {
    if (this.#pieces.length > 0) {
      writer.reserve(at - writer.position + this.#pieceBytes + utf8BytesPerUnitMax * this.#text.length);
      this.#settleMarks();
    } else {
      this.#placed = writer.rawTextAhead(at, this.#text);
      this.#settleMarks(this.#placed);
    }
    return this.#marks;
  }

  #settleMarks(textBytes = Buffer.byteLength(this.#text)): void {
    const text = this.#text,
      marks = this.#marks,
      isAscii = textBytes === text.length;
    let characters = 0,
      bytes = this.#pieceBytes;
    for (; this.#settled < marks.length; this.#settled++) {
      const mark = marks[this.#settled]!;
      bytes += isAscii ? mark - characters : Buffer.byteLength(text.slice(characters, mark));
      characters = mark;
      marks[this.#settled] = bytes;
    }
  }

  writeTo(writer: RecordWriter): void {
    for (const piece of this.#pieces) writer.raw(piece);
    if (this.#placed === undefined) writer.rawText(this.#text);
    else writer.skip(this.#placed);
  }
}
