/** The text of bytes of UTF-8 that may be many. */
import { isAscii } from "node:buffer";
import type { Steps } from "./steps.js";

/** `pieceBytes`: so many are made text at once, unless all are ASCII: only that is as fast as a copy. */
export function* utf8Text(bytes: Buffer, pieceBytes: number): Steps<string> {
  if (isAscii(bytes)) return bytes.toString("latin1");
  let text = "";
  for (let at = 0, end = at; at < bytes.length; at = end) {
    end = Math.min(at + pieceBytes, bytes.length);
    while (end < bytes.length && isInsideCharacter(bytes[end]!)) end--;
    text += bytes.toString("utf8", at, end);
    yield;
  }
  return text;
}

const isInsideCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
