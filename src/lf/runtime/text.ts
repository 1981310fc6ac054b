/** Text: UTF-16 strings as on the JVM; order and characters are those of code points. */
import { createHash } from "node:crypto";
import { fatal } from "../errors.js";
import { Cons, type Int64, isHighSurrogate, isLowSurrogate, type List, nil } from "../value/index.js";
import type { Meter } from "./budget.js";
import { bytesToText, bytesOfHex, utf8Bytes } from "./hex.js";
import { listFromArray } from "./list.js";

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
  explodeText: (text: string): List =>
    text.isWellFormed()
      ? characters(meter, text, { ofUnit: (unit) => String.fromCharCode(unit), at: characterAt }) // the quickest way to such a text
      : illFormedCharacters(meter, text),
  textToCodePoints: (text: string): List =>
    characters(meter, text, { ofUnit: (unit) => unit, at: (each, index) => each.codePointAt(index)! }),
  implodeText: (parts: List): string => {
    const chunks: string[] = [];
    let chunk = "";
    let count = 0;
    let length = 0;
    for (let rest = parts; rest instanceof Cons; rest = rest.tail, count += 1) {
      chunk += rest.head as string;
      if (chunk.length < chunkLength) continue;
      meter.text((length += chunk.length));
      chunks.push(chunk);
      chunk = "";
    }
    meter.text((length += chunk.length));
    meter.work(count);
    meter.allocate(length);
    return chunks.length === 0 ? chunk : chunks.join("") + chunk;
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

/** Pieces are concatenated to chunks first, which V8 does faster than it joins many. */
const chunkLength = 4096;

const codePointCount = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

interface Characters {
  /** Of a unit that stands for itself, as most do. */
  ofUnit(unit: number): string | number;
  at(text: string, index: number): string | number;
}

/** One element per code point, made from the end. */
const characters = (meter: Meter, text: string, make: Characters): List => {
  meter.work(text.length);
  meter.allocate(text.length);
  meter.entries(text.length <= meter.limits.collectionEntriesMax ? text.length : codePointCount(text));
  let list: List = nil;
  for (let index = text.length - 1; index >= 0; index -= 1) {
    const unit = text.charCodeAt(index);
    if (unit < surrogatesFrom) list = new Cons(make.ofUnit(unit), list);
    else {
      if (index > 0 && isLowSurrogate(unit) && isHighSurrogate(text.charCodeAt(index - 1))) index -= 1;
      list = new Cons(make.at(text, index), list);
    }
  }
  return list;
};

/** The reference takes any unit behind a high surrogate for its other half, and crashes where there is none. */
const illFormedCharacters = (meter: Meter, text: string): List => {
  const parts: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const isPair = isHighSurrogate(text.charCodeAt(index));
    if (isPair && index + 1 === text.length) throw fatal("Internal", "EXPLODE_TEXT: the text ends in a lone high surrogate.");
    parts.push(text.slice(index, isPair ? index + 2 : index + 1));
    if (isPair) index += 1;
  }
  meter.work(text.length);
  meter.allocate(text.length);
  meter.entries(parts.length);
  return listFromArray(parts);
};

const characterAt = (text: string, index: number): string =>
  text.codePointAt(index)! < pairedMin ? text[index]! : text.slice(index, index + 2);

const surrogatesFrom = 0xd800;
const pairedMin = 0x10000;

const textOfCodePoint = (point: Int64): string => {
  if (point < 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    throw fatal("Internal", `invalid code point 0x${BigInt.asUintN(64, BigInt(point)).toString(16)}.`);
  }
  return String.fromCodePoint(Number(point));
};
