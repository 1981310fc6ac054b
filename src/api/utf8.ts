/** Bytes of UTF-8, and the texts in them. */
import { isAscii } from "node:buffer";
import type { Steps } from "../base/steps.js";
import { limits } from "../config.js";

export class Utf8 {
  readonly #bytes: Buffer;
  readonly #isAscii: boolean;
  /** All of a short one: to cut a text costs less than to make one. */
  readonly #text: string | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#isAscii = isAscii(this.#bytes);
    if (this.#isAscii && bytes.length <= limits.shortBodyBytesMax) this.#text = this.#bytes.toString("latin1");
  }

  /** No end may be inside of a character. */
  between(from: number, to: number): string {
    return this.#text?.slice(from, to) ?? this.#bytes.toString(this.#isAscii ? "latin1" : "utf8", from, to);
  }

  /** The same of any length: only ASCII is as fast as a copy. */
  *longBetween(from: number, to: number): Steps<string> {
    if (this.#isAscii) return this.between(from, to);
    let text = "";
    for (let at = from, end = at; at < to; at = end) {
      end = Math.min(at + limits.textPieceBytes, to);
      while (end < to && isInsideCharacter(this.#bytes[end]!)) end--;
      text += this.between(at, end);
      yield;
    }
    return text;
  }
}

const isInsideCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
