/** Walks over JSON text without building values: guards before parsing, and the text of one member after it. */
import { assert } from "../base/assert.js";

const quote = 0x22;
const backslash = 0x5c;

export interface JsonBounds {
  readonly depthMax: number;
  readonly numberCharsMax: number;
}

/**
 * What makes this text dangerous to parse, if anything: nesting that would overflow the stack of a recursive reader, or a
 * number so long that turning it into a value costs out of proportion. Says nothing about whether it is JSON.
 */
export function boundsExceeded(text: string, bounds: JsonBounds): string | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = stringEnd(text, at) - 1;
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > bounds.depthMax) return `nested deeper than ${bounds.depthMax} levels at character ${at}`;
    } else if (char === 0x7d || char === 0x5d) depth--;
    else if (isNumberChar(char)) {
      const end = numberEnd(text, at);
      if (end - at > bounds.numberCharsMax) return `number longer than ${bounds.numberCharsMax} characters at character ${at}`;
      at = end - 1;
    }
  }
  return undefined;
}

/**
 * The text of member `name` of the object that is `text`; of repeated members the last, as `JSON.parse` has it.
 * `text` was parsed before, so it is JSON. Undefined when there is no such member.
 */
export function memberText(text: string, name: string): string | undefined {
  let at = skipSpace(text, 0);
  assert(text[at] === "{", "memberText reads objects");
  let found: string | undefined;
  at = skipSpace(text, at + 1);
  while (text[at] !== "}") {
    const keyEnd = stringEnd(text, at);
    const key = keyOf(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1); // over the colon
    const end = valueEnd(text, start);
    if (key === name) found = text.slice(start, end);
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return found;
}

const keyOf = (literal: string): string =>
  literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);

/** The index after the string that opens at `at`; the end of the text when it never closes. */
function stringEnd(text: string, at: number): number {
  for (let from = at + 1; ; ) {
    const end = text.indexOf('"', from);
    if (end < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

/** The index after the value that begins at `at`. */
function valueEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === quote) return stringEnd(text, at);
  if (first !== 0x7b && first !== 0x5b) return scalarEnd(text, at);
  let depth = 0;
  for (let index = at; ; index++) {
    assert(index < text.length, "JSON text ends inside a value");
    const char = text.charCodeAt(index);
    if (char === quote) index = stringEnd(text, index) - 1;
    else if (char === 0x7b || char === 0x5b) depth++;
    else if ((char === 0x7d || char === 0x5d) && --depth === 0) return index + 1;
  }
}

function scalarEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !",}] \t\n\r".includes(text[end] as string)) end++;
  return end;
}

function numberEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isNumberChar(text.charCodeAt(end))) end++;
  return end;
}

/** Digits, sign, point, exponent; `e` of `true` and `false` does no harm, as those are short. */
const isNumberChar = (char: number): boolean =>
  (char >= 0x30 && char <= 0x39) || char === 0x2d || char === 0x2b || char === 0x2e || char === 0x65 || char === 0x45;

function skipSpace(text: string, at: number): number {
  let index = at;
  while (index < text.length && " \t\n\r".includes(text[index] as string)) index++;
  return index;
}
