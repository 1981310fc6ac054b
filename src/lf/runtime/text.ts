/** Text: UTF-16 strings as on the JVM; order and characters are those of code points. */
import { createHash } from "node:crypto";
import { fatal } from "../errors.js";
import type { Int64 } from "../value/int64.js";
import { Cons, type List, nil } from "../value/value.js";
import type { Meter } from "./budget.js";
import { bytesToText, bytesOfHex, utf8Bytes } from "./hex.js";

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Order by code point. Native `<` orders by UTF-16 unit, which puts surrogate pairs before U+E000..U+FFFF. */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index), right = b.charCodeAt(index);
    if (left !== right) return left < firstSurrogate && right < firstSurrogate ? left - right : compareAt(index, a, b);
  }
  return a.length - b.length;
};

const firstSurrogate = 0xd800;

/** At the first unit that differs. In the second half of a pair, on one side at least, the code point began one unit earlier. */
const compareAt = (index: number, a: string, b: string): number => {
  const inPair = isLowSurrogate(a.charCodeAt(index)) || isLowSurrogate(b.charCodeAt(index));
  const start = inPair && index > 0 && isHighSurrogate(a.charCodeAt(index - 1)) ? index - 1 : index;
  return a.codePointAt(start)! - b.codePointAt(start)!;
};

export const hexToText = (hex: string): string => bytesToText(bytesOfHex(hex, "can not parse hex string argument"));
export const sha256Text = (text: string): string => createHash("sha256").update(utf8Bytes(text)).digest("hex");

/** The functions whose results grow with their input. */
export const textFunctions = (meter: Meter) => ({
  appendText: (a: string, b: string): string => {
    // A concatenation is a rope: what it costs is the smaller side.
    meter.allocate(1 + Math.min(a.length, b.length));
    meter.text(a.length + b.length);
    return a + b;
  },
  textToHex: (text: string): string => {
    const bytes = utf8Bytes(text);
    meter.allocate(2 * bytes.length);
    meter.text(2 * bytes.length);
    return bytes.toString("hex");
  },
  explodeText: (text: string): List => {
    if (text.length > 0 && isHighSurrogate(text.charCodeAt(text.length - 1))) throw fatal("Internal", "EXPLODE_TEXT: the text ends in a lone high surrogate.");
    return characters(meter, text, (character) => character);
  },
  textToCodePoints: (text: string): List => characters(meter, text, (character) => character.codePointAt(0)!),
  implodeText: (parts: List): string => {
    const pieces: string[] = [];
    let length = 0;
    for (let rest = parts; rest instanceof Cons; rest = rest.tail) {
      pieces.push(rest.head as string);
      meter.text((length += (rest.head as string).length));
    }
    meter.work(pieces.length);
    meter.allocate(length);
    return pieces.join("");
  },
  codePointsToText: (points: List): string => {
    const pieces: string[] = [];
    for (let rest = points; rest instanceof Cons; rest = rest.tail) {
      pieces.push(textOfCodePoint(rest.head as Int64));
      meter.text(pieces.length);
    }
    meter.work(pieces.length);
    meter.allocate(pieces.length);
    return pieces.join("");
  },
});

/** One element per code point, made from the end. */
const characters = (meter: Meter, text: string, make: (character: string) => string | number): List => {
  meter.work(text.length);
  meter.allocate(text.length);
  let list: List = nil;
  let count = 0;
  for (let end = text.length; end > 0; ) {
    const start = end > 1 && isLowSurrogate(text.charCodeAt(end - 1)) && isHighSurrogate(text.charCodeAt(end - 2)) ? end - 2 : end - 1;
    list = new Cons(make(start === end - 1 ? text[start]! : text.slice(start, end)), list);
    end = start;
    meter.entries((count += 1));
  }
  return list;
};

const textOfCodePoint = (point: Int64): string => {
  if (point < 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    throw fatal("Internal", `invalid code point 0x${BigInt.asUintN(64, BigInt(point)).toString(16)}.`);
  }
  return String.fromCodePoint(Number(point));
};
