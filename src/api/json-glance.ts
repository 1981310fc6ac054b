/**
 * A short body as clients write them, taken apart in one look: most are, and the walk (`json-walk.ts`) costs several times as much. It
 * knows no faults: of whatever is wrong, unusual or near a bound it says nothing, and the walk has to look.
 */
import { isUtf8 } from "node:buffer";
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from "../base/json-bytes.js";
import { isObject } from "../base/json-object.js";
import type { JsonShape } from "./json-walk.js";

export interface Glance {
  /** Where the shape has a list apart it is empty. */
  readonly value: unknown;
  /** That list, as received, and its elements. */
  readonly apart: { readonly text: string; readonly elements: readonly unknown[] } | undefined;
}

/** Well inside of the bounds of a walk. */
const commasMax = 500,
  depthMax = 100,
  runMax = 50;

const smallU = 0x75,
  smallD = 0x64,
  caseBit = 0x20;

export type Glancer = (bytes: Buffer) => Glance | undefined;

/** For bodies of a shape. */
export function glancerFor(shape: JsonShape): Glancer {
  const path = pathOfApart(shape),
    levels = levelsOf(shape, path);
  return (bytes) => {
    if (levels === undefined || !isUtf8(bytes)) return undefined;
    const text = bytes.toString(),
      span = new Scan(text, path).run();
    if (span === undefined) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return undefined;
    }
    return takenApart(value, text, span, levels);
  };
}

/** The names of the members that lead to the list that is apart. */
function pathOfApart({ members }: JsonShape): readonly string[] {
  for (const [name, shape] of members ?? []) {
    if (shape.apart === true) return [name];
    const path = pathOfApart(shape);
    if (path.length > 0) return [name, ...path];
  }
  return [];
}

/** An object on the way to that list: the name of the next one, and the members that the walk may have to see to. */
interface Level {
  readonly next: string | undefined;
  readonly special: readonly (readonly [string, JsonShape])[];
}

/** Undefined: there is something special about all of it. */
function levelsOf(shape: JsonShape, path: readonly string[]): readonly Level[] | undefined {
  const levels: Level[] = [];
  for (let index = 0, at: JsonShape | undefined = shape; index === 0 || index < path.length; index++) {
    if (at === undefined || at.opaque || at.base64 || at.int64 || at.each !== undefined) return undefined;
    const next = path[index];
    levels.push({ next, special: [...(at.members ?? [])].filter(([name]) => name !== next) });
    at = next === undefined ? undefined : at.members?.get(next);
  }
  return levels;
}

function takenApart(value: unknown, text: string, { from, to }: Span, levels: readonly Level[]): Glance | undefined {
  let holder: Record<string, unknown> | undefined,
    held = value;
  for (const { next, special } of levels) {
    if (next === undefined && special.length === 0) return { value, apart: undefined };
    if (!isObject(held)) return undefined;
    holder = held;
    if (special.some(([name, shape]) => !isPlain(holder![name], shape))) return undefined;
    if (next === undefined) return { value, apart: undefined };
    held = holder[next];
  }
  if (!Array.isArray(held) || from < 0) return undefined;
  holder![levels.at(-1)!.next!] = [];
  return { value, apart: { text: text.slice(from, to), elements: held } };
}

/** There is nothing in it that the walk would have to see to. */
function isPlain(value: unknown, shape: JsonShape): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return true;
  if (shape.int64) return typeof value !== "number" || Number.isSafeInteger(value);
  if (shape.members === undefined || shape.each !== undefined || !isObject(value)) return false;
  for (const [name, member] of shape.members) if (!isPlain(value[name], member)) return false;
  return true;
}

interface Span {
  from: number;
  to: number;
}

/** Where the list is that is apart, in a text that is JSON or will be found not to be. */
class Scan {
  readonly #hasEscapes: boolean;
  readonly #span: Span = { from: -1, to: -1 };
  /** How many names of the path the objects around have matched. */
  #matched = 0;
  /** Whether the value that comes next is that of the path's next name. */
  #isNext = false;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly path: readonly string[],
  ) {
    this.#hasEscapes = text.includes("\\");
  }

  run(): Readonly<Span> | undefined {
    const { text } = this;
    let commas = 0,
      run = 0;
    for (let at = 0; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === quote) {
        at = this.#passText(at);
        if (at < 0) return undefined;
      } else if (char === openBrace || char === openBracket) {
        if (++this.#depth > depthMax || !this.#open(char, at)) return undefined;
      } else if (char === closeBrace || char === closeBracket) this.#close(at);
      else if (char === comma) {
        if (++commas > commasMax) return undefined;
      } else if (char !== colon) {
        if (++run > runMax) return undefined;
        continue;
      }
      run = 0;
    }
    return this.#span;
  }

  /** To its closing quote; negative where the walk has to look. */
  #passText(from: number): number {
    const to = this.#hasEscapes ? this.#endOfEscaped(from) : this.text.indexOf('"', from + 1);
    if (to < 0) return to;
    const name = this.path[this.#matched];
    this.#isNext =
      name !== undefined && this.#depth === this.#matched + 1 && to - from - 1 === name.length && this.text.startsWith(name, from + 1);
    return to;
  }

  /** Digits may be half of a pair, or spell a name of the path where it may stand. */
  #endOfEscaped(from: number): number {
    const { text } = this,
      mayBeName = this.#depth === this.#matched + 1;
    for (let at = from + 1; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === quote) return at;
      if (char !== backslash || text.charCodeAt(++at) !== smallU) continue;
      if (mayBeName || (text.charCodeAt(at + 1) | caseBit) === smallD) return -1;
    }
    return -1;
  }

  /** A value of the path's next name has to be a list at its end, and an object before. */
  #open(char: number, at: number): boolean {
    if (!this.#isNext) return true;
    this.#isNext = false;
    this.#matched++;
    const isLast = this.#matched === this.path.length;
    if (isLast) this.#span.from = at;
    return char === (isLast ? openBracket : openBrace);
  }

  #close(at: number): void {
    if (this.#matched === this.#depth - 1 && this.#matched > 0) {
      if (this.#matched === this.path.length) this.#span.to = at + 1;
      this.#matched--;
    }
    this.#depth--;
  }
}
