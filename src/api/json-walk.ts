/**
 * A walk over JSON text before any value is made of it: is it JSON (RFC 8259), and are its nesting, its numbers and its
 * collections within bounds? It may pause anywhere, as a text can be long. What nobody here looks into is left out of what is
 * parsed afterwards. A fault says what was expected, what stands there, and where: V8 tells it in other words in every version.
 */
import { assert } from "../base/assert.js";

export interface JsonBounds {
  readonly depthMax: number;
  readonly numberCharsMax: number;
  /** Of one text that is neither opaque nor long; also of a name. */
  readonly textCharsMax: number;
  /** Elements of one list, members of one object. */
  readonly elementsMax: number;
  /** Values of the whole text, but for what is opaque or apart. */
  readonly valuesMax: number;
  /** Elements of the list that is apart, and values of each. */
  readonly apartElementsMax: number;
  readonly apartValuesMax: number;
}

/** What is special about a value of the text, or about values in it. */
export interface JsonShape {
  /** Any JSON, for others to read: it counts as one value whatever is in it, and is parsed as null. */
  readonly opaque?: true;
  /** A text that may be as long as there is room. */
  readonly long?: true;
  /** A list whose elements are parsed one by one, and whose text is wanted as received; what is parsed as a whole has it empty. A text has one. */
  readonly apart?: true;
  readonly members?: ReadonlyMap<string, JsonShape>;
  /** Of a list's elements, and of an object's members that are not in `members`. */
  readonly each?: JsonShape;
}

export const noShape: JsonShape = {};

export type WalkFault =
  /** It is no JSON, or none that can be read. */
  | { readonly kind: "unreadable"; readonly message: string }
  | { readonly kind: "tooMany"; readonly path: string; readonly message: string };

/** A list that is apart: where it stands, and its text. */
export interface ApartList { readonly path: string; readonly text: string; readonly count: number }

const quote = 0x22, comma = 0x2c, colon = 0x3a, backslash = 0x5c, openList = 0x5b, closeList = 0x5d, openObject = 0x7b, closeObject = 0x7d;
const minus = 0x2d, plus = 0x2b, point = 0x2e, zero = 0x30, nine = 0x39, smallU = 0x75;
const space = 0x20, tab = 0x09, lineFeed = 0x0a, carriageReturn = 0x0d;
const escaped = new Set([...'"\\/bfnrt'].map(char => char.charCodeAt(0)));
const shownChars = 6;
const whole = 0, highHalf = 1, lowHalf = 2;

class Fault {
  constructor(readonly fault: WalkFault) {}
}

/** A list or an object that the walk is in. */
interface Level {
  readonly isList: boolean;
  readonly shape: JsonShape | undefined;
  /** Elements or members begun so far. */
  count: number;
  /** Where the name of the member stands that the walk is at. */
  nameFrom: number;
  nameTo: number;
}

interface Cut { readonly from: number; readonly to: number; readonly by: string }

/** Text that is parsed at once, with cuts in it. */
interface Piece { readonly from: number; to: number; values: number; readonly cuts: Cut[] }

const pieceFrom = (from: number): Piece => ({ from, to: from, values: 0, cuts: [] });

export class JsonWalk {
  readonly #text: string;
  readonly #bounds: JsonBounds;
  readonly #levels: Level[] = [];
  #at = 0;
  /** Of the value that comes next. */
  #shape: JsonShape | undefined;
  #isValueNext = true;
  #isInName = false;
  readonly #whole = pieceFrom(0);
  /** The one that the walk is in. */
  #piece = this.#whole;
  /** How deep the levels were where an opaque value began, and where that was; undefined outside of one. */
  #opaqueDepth: number | undefined;
  #opaqueFrom = 0;
  /** How deep the levels are directly in the list that is apart; undefined outside of it. */
  #apartDepth: number | undefined;
  #apartFrom = 0;
  #apart: ApartList | undefined;
  /** Of the last such list, as one of repeated members counts. */
  #elements: Piece[] = [];
  #fault: WalkFault | undefined;

  constructor(text: string, bounds: JsonBounds, shape: JsonShape = noShape) {
    this.#text = text;
    this.#bounds = bounds;
    this.#shape = shape;
  }

  get fault(): WalkFault | undefined { return this.#fault; }
  /** Nothing stands in it at all. */
  get isBlank(): boolean { return this.#text.trim() === ""; }
  /** Without those that are opaque or apart. */
  get values(): number { return this.#whole.values; }
  get apart(): ApartList | undefined { return this.#apart; }

  /** Goes on for some tokens; true at the end of the text, or at its fault. */
  goOn(tokens: number): boolean {
    try {
      for (let left = tokens; left > 0; left--) if (this.#token()) return true;
      return false;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#fault = error.fault;
      return true;
    }
  }

  parsed(): unknown { return this.#parsed(this.#whole); }
  /** Of the list that is apart. */
  *parsedElements(): Generator<unknown> { for (const element of this.#elements) yield this.#parsed(element); }

  #parsed({ from, to, cuts }: Piece): unknown {
    assert(this.#fault === undefined, "only what is JSON is parsed");
    let text = "", at = from;
    for (const cut of cuts) {
      text += this.#text.slice(at, cut.from) + cut.by;
      at = cut.to;
    }
    return JSON.parse(text + this.#text.slice(at, to));
  }

  /** One value that is no list or object, or the begin or end of one. */
  #token(): boolean {
    this.#skipBlank();
    if (this.#isValueNext) this.#beginValue();
    else if (this.#levels.length > 0) this.#endOrNext();
    else if (this.#at < this.#text.length) throw this.#expected("whitespace or eof");
    else {
      this.#whole.to = this.#at;
      return true;
    }
    return false;
  }

  #beginValue(): void {
    if (this.#opaqueDepth === undefined) this.#enterValue();
    switch (this.#next()) {
      case openObject: return this.#open(false);
      case openList: return this.#open(true);
      case quote: this.#string(this.#opaqueDepth !== undefined || this.#shape?.long === true ? Infinity : this.#bounds.textCharsMax); break;
      case 0x74: this.#literal("true"); break;
      case 0x66: this.#literal("false"); break;
      case 0x6e: this.#literal("null"); break;
      default: this.#number();
    }
    this.#endValue();
  }

  #enterValue(): void {
    if (this.#levels.length === this.#apartDepth) this.#elements.push((this.#piece = pieceFrom(this.#at)));
    const { valuesMax, apartValuesMax } = this.#bounds, max = this.#piece === this.#whole ? valuesMax : apartValuesMax;
    if (++this.#piece.values > max) throw this.#tooMany(`it is one of more than ${max} values`, this.#levels);
    if (this.#shape?.opaque !== true) return;
    this.#opaqueDepth = this.#levels.length;
    this.#opaqueFrom = this.#at;
  }

  #endValue(): void {
    this.#isValueNext = false;
    const depth = this.#levels.length;
    if (this.#opaqueDepth === depth) {
      this.#piece.cuts.push({ from: this.#opaqueFrom, to: this.#at, by: "null" });
      this.#opaqueDepth = undefined;
    }
    if (this.#apartDepth === undefined) return;
    if (this.#apartDepth === depth) {
      this.#piece.to = this.#at;
      this.#piece = this.#whole;
    } else if (this.#apartDepth === depth + 1) this.#leaveApart();
  }

  #enterApart(): void {
    this.#apartDepth = this.#levels.length;
    this.#apartFrom = this.#at;
    this.#elements = [];
  }

  #leaveApart(): void {
    this.#whole.cuts.push({ from: this.#apartFrom, to: this.#at, by: "[]" });
    this.#apart = { path: this.#path(this.#levels), text: this.#text.slice(this.#apartFrom, this.#at), count: this.#elements.length };
    this.#apartDepth = undefined;
  }

  #open(isList: boolean): void {
    const { depthMax } = this.#bounds;
    if (this.#levels.length === depthMax) throw unreadable(`nested deeper than ${depthMax} levels at character ${this.#at}`);
    const shape = this.#opaqueDepth === undefined ? this.#shape : undefined;
    this.#levels.push({ isList, shape, count: 0, nameFrom: 0, nameTo: 0 });
    if (isList && shape?.apart === true) this.#enterApart();
    this.#at += 1;
    this.#skipBlank();
    if (this.#next() === (isList ? closeList : closeObject)) this.#close();
    else this.#beginMember(this.#levels[this.#levels.length - 1]!);
  }

  #close(): void {
    this.#at += 1;
    this.#levels.pop();
    this.#endValue();
  }

  #endOrNext(): void {
    const level = this.#levels[this.#levels.length - 1]!, char = this.#next();
    if (char === comma) {
      this.#at += 1;
      this.#skipBlank();
      this.#beginMember(level);
    } else if (char === (level.isList ? closeList : closeObject)) this.#close();
    else throw this.#expected(level.isList ? "] or ," : "} or ,");
  }

  #beginMember(level: Level): void {
    if (!level.isList) this.#name(level);
    const { elementsMax, apartElementsMax } = this.#bounds, max = this.#levels.length === this.#apartDepth ? apartElementsMax : elementsMax;
    if (++level.count > max && this.#opaqueDepth === undefined) throw this.#tooMany(`it has more than ${max} ${level.isList ? "elements" : "members"}`, this.#levels.slice(0, -1));
    this.#shape = level.shape === undefined ? undefined : this.#shapeIn(level, level.shape);
    this.#isValueNext = true;
  }

  #shapeIn(level: Level, { members, each }: JsonShape): JsonShape | undefined {
    return (level.isList || members === undefined ? undefined : members.get(this.#nameOf(level))) ?? each;
  }

  #name(level: Level): void {
    if (this.#next() !== quote) throw this.#expected('"');
    level.nameFrom = this.#at;
    this.#isInName = true;
    this.#string(this.#bounds.textCharsMax);
    this.#isInName = false;
    level.nameTo = this.#at;
    this.#skipBlank();
    if (this.#next() !== colon) throw this.#expected(":");
    this.#at += 1;
  }

  #nameOf({ nameFrom, nameTo }: Level): string {
    const literal = this.#text.slice(nameFrom, nameTo);
    return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  }

  /** The character at this place; there must be one. */
  #next(): number {
    if (this.#at >= this.#text.length) throw unreadable("exhausted input");
    return this.#text.charCodeAt(this.#at);
  }

  #skipBlank(): void {
    const text = this.#text, slowUntil = this.#at + searchedFrom;
    let at = this.#at;
    for (let char = text.charCodeAt(at); char === space || char === lineFeed || char === carriageReturn || char === tab; char = text.charCodeAt(at)) {
      at += 1;
      if (at !== slowUntil) continue;
      notBlank.lastIndex = at;
      at = notBlank.exec(text)?.index ?? text.length;
      break;
    }
    this.#at = at;
  }

  #string(charsMax: number): void {
    const text = this.#text, end = this.#at + charsMax, slowUntil = this.#at + searchedFrom;
    let at = this.#at + 1;
    for (;;) {
      if (at > end) throw this.#tooLong(charsMax);
      if (at === slowUntil) at = this.#plainUntil(at);
      const char = text.charCodeAt(at);
      if (char === quote) break;
      if (char >= space && char !== backslash) { at += 1; continue; }
      this.#at = at; // the end of the text has no number for its character
      if (char === backslash) at = this.#escape();
      else if (this.#next() < space) throw this.#expected("no control character in a string");
    }
    this.#at = at + 1;
  }

  /** Where a text has something else than characters that stand for themselves. */
  #plainUntil(at: number): number {
    notPlain.lastIndex = at;
    return notPlain.exec(this.#text)?.index ?? this.#text.length;
  }

  /** Gives the place behind it. */
  #escape(): number {
    this.#at += 1;
    const char = this.#next();
    if (char !== smallU) {
      if (!escaped.has(char)) throw this.#expected("an escape sequence");
      return this.#at + 1;
    }
    const first = this.#hexDigits();
    if (first === whole) return this.#at;
    const isPaired = first === highHalf && this.#text.charCodeAt(this.#at) === backslash && this.#text.charCodeAt(this.#at + 1) === smallU;
    if (!isPaired) throw this.#halfOfPair();
    this.#at += 1;
    if (this.#hexDigits() !== lowHalf) throw this.#halfOfPair();
    return this.#at;
  }

  /**
   * Four of them behind the u of an escape: whether they are of a whole character, or of which half of a surrogate pair
   * (D800 to DBFF, DC00 to DFFF).
   */
  #hexDigits(): number {
    const from = this.#at + 1;
    for (let digits = 0; digits < 4; digits++) {
      this.#at += 1;
      if (!isHexDigit(this.#next())) throw this.#expected("hex digit");
    }
    this.#at += 1;
    if ((this.#text.charCodeAt(from) | 0x20) !== 0x64) return whole;
    const second = this.#text.charCodeAt(from + 1) | 0x20; // a small letter; figures stay as they are
    return second < 0x38 ? whole : second < 0x63 ? highHalf : lowHalf;
  }

  /** UTF-8 has no bytes for it, and only an escape can write it: what cannot be kept as it came is refused. */
  #halfOfPair(): Fault {
    const path = this.#path(this.#isInName ? this.#levels.slice(0, -1) : this.#levels);
    return unreadable(`half of a surrogate pair, which is no character, ${this.#isInName ? "in the name of a member of" : "at"} '${path}'`);
  }

  #literal(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) throw this.#expected(word);
    this.#at += word.length;
  }

  #number(): void {
    const from = this.#at, first = this.#next();
    if (first !== minus && !isDigit(first)) throw this.#expected("json value");
    if (first === minus) this.#at += 1;
    if (this.#text.charCodeAt(this.#at) === zero) this.#at += 1;
    else this.#digits(from);
    if (this.#text.charCodeAt(this.#at) === point) this.#digits(from, 1);
    if ((this.#text.charCodeAt(this.#at) | 0x20) !== 0x65) return;
    const sign = this.#text.charCodeAt(this.#at + 1);
    this.#digits(from, sign === minus || sign === plus ? 2 : 1);
  }

  /** At least one, after some characters that were seen already. */
  #digits(from: number, seen = 0): void {
    this.#at += seen;
    if (!isDigit(this.#next())) throw this.#expected("digit");
    const { numberCharsMax } = this.#bounds;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at += 1;
    if (this.#at - from > numberCharsMax) throw unreadable(`number longer than ${numberCharsMax} characters at character ${from}`);
  }

  #expected(what: string): Fault {
    const text = this.#text, at = this.#at, shown = text.length - at > shownChars ? `${text.slice(at, at + shownChars)}...` : text.slice(at);
    let line = 1, lineStart = 0;
    for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", lineStart)) {
      line += 1;
      lineStart = end + 1;
    }
    return unreadable(`expected ${what} got '${shown}' (line ${line}, column ${at - lineStart + 1})`);
  }

  #tooLong(charsMax: number): Fault {
    const levels = this.#isInName ? this.#levels.slice(0, -1) : this.#levels;
    return this.#tooMany(`${this.#isInName ? "the name of a member of it" : "it"} is a text of more than ${charsMax} characters`, levels);
  }

  #tooMany(message: string, levels: readonly Level[]): Fault { return new Fault({ kind: "tooMany", path: this.#path(levels), message }); }

  #path(levels: readonly Level[]): string {
    const steps = levels.map(level => (level.isList ? `[${level.count - 1}]` : `.${shortName(this.#nameOf(level))}`));
    return steps.join("").replace(/^\./, "") || "the body";
  }
}

/** From so many characters on V8's own search is faster than a loop. */
const searchedFrom = 1_024;
const notBlank = /[^ \n\r\t]/g, notPlain = /["\\\u0000-\u001f]/g;

const nameCharsMax = 100;
const shortName = (name: string): string => (name.length > nameCharsMax ? `${name.slice(0, nameCharsMax)}...` : name);

const unreadable = (message: string): Fault => new Fault({ kind: "unreadable", message });
const isDigit = (char: number): boolean => char >= zero && char <= nine;
const isHexDigit = (char: number): boolean => isDigit(char) || ((char | 0x20) >= 0x61 && (char | 0x20) <= 0x66);
