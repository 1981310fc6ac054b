/** Bytes of UTF-8, and the texts in them. */
import { isAscii } from "node:buffer";
import type { Steps } from "../base/steps.js";
import { utf8Text } from "../base/utf8-text.js";
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

  /** The same of any length. */
  longBetween(from: number, to: number): Steps<string> {
    return utf8Text(this.#bytes.subarray(from, to), limits.textPieceBytes);
  }
}
