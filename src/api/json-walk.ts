/**
 * A walk over JSON in UTF-8 before any value is made of it: is it JSON (RFC 8259), and are its nesting, its numbers, texts and
 * collections within bounds? It may pause anywhere, also within a text, as each of them can be long. What nobody here looks into is
 * left out of what is parsed afterwards. A fault says what was expected, what stands there, and where: V8 tells it in other words in
 * every version.
 */
import { isExact } from "../base/int64.js";
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from "../base/json-bytes.js";
import { JsonPlace } from "./json-place.js";
import { Utf8 } from "./utf8.js";

export interface JsonBounds {
  readonly depthMax: number;
  readonly numberCharsMax: number;
  /** Of one text that is neither opaque nor base64, as it is written; also of a name. */
  readonly textBytesMax: number;
  /** Of all such texts that are parsed at once. */
  readonly textsBytesMax: number;
  /** Elements of one list, members of one object. */
  readonly elementsMax: number;
  /** Values of the whole text, but for what is opaque or apart. */
  readonly valuesMax: number;
  /** Elements of the list that is apart, and values of each. */
  readonly apartElementsMax: number;
  readonly apartValuesMax: number;
  /** A longer body is looked at through a window of so many bytes; it holds at least the longest number and `lookaheadBytes`. */
  readonly windowBytes: number;
  /** Texts in base64 and blanks that are longer are left out of what is parsed. */
  readonly cutFromBytes: number;
}

/** What is special about a value of the text, or about values in it. */
export interface JsonShape {
  /** Any JSON, for others to read: it counts as one value whatever is in it, and is parsed as null. */
  readonly opaque?: true;
  /** A text in base64, as long as there is room for. */
  readonly base64?: true;
  /** A 64 bit integer: where a number would not have all of its digits it is parsed as a text. */
  readonly int64?: true;
  /**
   * A list whose elements are parsed one by one, and whose text is wanted as received; what is parsed as a whole has it empty. A text has
   * one.
   */
  readonly apart?: true;
  readonly members?: ReadonlyMap<string, JsonShape>;
  /** Of a list's elements, and of an object's members that are not in `members`. */
  readonly each?: JsonShape;
}

export const noShape: JsonShape = {};

export type WalkFault =
  /** It is no JSON, or none that can be read. */
  { readonly kind: "unreadable"; readonly message: string } | { readonly kind: "tooMany"; readonly path: string; readonly message: string };

/** A list that is apart: where it stands. */
export interface ApartList {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly elements: readonly JsonPiece[];
}

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** Bytes that are parsed at once, with cuts in them. */
export interface JsonPiece {
  readonly from: number;
  readonly to: number;
  readonly values: number;
  readonly cuts: readonly Cut[];
}

/** A long text in base64: how it was cut out, and where it belongs in the value. Its marks are ends of pieces, none within an escape. */
export interface LongText {
  readonly by: string;
  readonly steps: readonly (string | number)[];
  readonly marks: readonly number[];
  readonly hasEscapes: boolean;
}

const minus = 0x2d,
  plus = 0x2b,
  point = 0x2e,
  zero = 0x30,
  nine = 0x39,
  smallU = 0x75;
const space = 0x20,
  tab = 0x09,
  lineFeed = 0x0a,
  carriageReturn = 0x0d;
const escaped = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));
const shownChars = 6,
  shownBytesMax = 4 * (shownChars + 1);
/** Of one character: two escapes of four digits. */
const escapeBytesMax = 12;
/** What a token may take at most, but for a number's digits; of a text and of blanks only their begin. */
export const lookaheadBytes = 32;
/** So many bytes of a long text or blank count as a token. */
const tokenBytes = 64;
const int64CharsMax = 20;
const whole = 0,
  highHalf = 1,
  lowHalf = 2;

/** What comes next. */
const valueNext = 0,
  afterValue = 1,
  firstOrEnd = 2,
  memberNext = 3,
  colonNext = 4;
type Next = typeof valueNext | typeof afterValue | typeof firstOrEnd | typeof memberNext | typeof colonNext;

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

class Piece implements JsonPiece {
  to: number;
  values = 0;
  textBytes = 0;
  readonly cuts: Cut[] = [];
  constructor(readonly from: number) {
    this.to = from;
  }
}

/** What stands for the long texts that are cut out: base64 that no client can guess, so that each is known again where it belongs. */
const cutName = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64");
const outside = -1;

export class JsonWalk {
  readonly utf8: Utf8;
  readonly #bytes: Uint8Array;
  readonly #bounds: JsonBounds;
  readonly #levels: Level[] = [];
  /** The part of the bytes that is read now, from `#base` on, and the place in it. */
  #window: Uint8Array;
  #base = 0;
  #at = 0;
  /** Up to the window. */
  readonly #passed = new JsonPlace();
  #next: Next = valueNext;
  /** Of the value that comes next. */
  #shape: JsonShape | undefined;
  #valueFrom = 0;
  /** Where the text and the blanks began that the walk is in. */
  #textFrom = outside;
  #blankFrom = outside;
  #isInName = false;
  #hasEscapes = false;
  #marks: number[] = [];
  readonly #whole = new Piece(0);
  /** The one that the walk is in. */
  #piece = this.#whole;
  readonly #long: LongText[] = [];
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

  /** The bytes are UTF-8. */
  constructor(bytes: Uint8Array, bounds: JsonBounds, shape: JsonShape) {
    this.utf8 = new Utf8(bytes);
    this.#bytes = bytes;
    this.#bounds = bounds;
    this.#shape = shape;
    this.#window = bytes.length <= bounds.windowBytes ? bytes : new Uint8Array(bytes.subarray(0, bounds.windowBytes));
  }

  get fault(): WalkFault | undefined {
    return this.#fault;
  }
  /** Nothing stands in it at all. */
  get isBlank(): boolean {
    return this.#valueFrom === this.#bytes.length;
  }
  /** Without those that are opaque or apart. */
  get values(): number {
    return this.#whole.values;
  }
  get whole(): JsonPiece {
    return this.#whole;
  }
  get apart(): ApartList | undefined {
    return this.#apart;
  }
  get long(): readonly LongText[] {
    return this.#long;
  }

  /** Goes on for some tokens; true at the end of the text, or at its fault. */
  goOn(tokens: number): boolean {
    try {
      for (let left = tokens; left > 0; left--) {
        const from = this.#base + this.#at;
        if (this.#token()) return true;
        left -= Math.floor((this.#base + this.#at - from) / tokenBytes);
      }
      return false;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#fault = error.fault;
      return true;
    }
  }

  /** A value that is no list or object, or the begin or end of one, or a part of that; true at the end. */
  #token(): boolean {
    this.#lookAhead();
    if (this.#textFrom !== outside) {
      this.#goOnInText();
      return false;
    }
    if (!this.#skipBlank()) return false;
    switch (this.#next) {
      case valueNext:
        this.#beginValue();
        break;
      case firstOrEnd:
        this.#firstOrEnd();
        break;
      case memberNext:
        this.#beginMember();
        break;
      case colonNext:
        this.#passColon();
        break;
      case afterValue:
        if (this.#levels.length > 0) this.#endOrNext();
        else if (this.#at < this.#window.length) throw this.#expected("whitespace or eof");
        else {
          this.#whole.to = this.#base + this.#at;
          return true;
        }
    }
    return false;
  }

  /** Has the window begin here, if its rest may not hold the next token. */
  #lookAhead(): void {
    if (!this.#hasMore || this.#window.length - this.#at >= this.#bounds.numberCharsMax + lookaheadBytes) return;
    this.#passed.pass(this.#window, this.#at);
    this.#base += this.#at;
    this.#at = 0;
    this.#window = new Uint8Array(this.#bytes.subarray(this.#base, this.#base + this.#bounds.windowBytes));
  }

  /** Bytes behind the window. */
  get #hasMore(): boolean {
    return this.#base + this.#window.length < this.#bytes.length;
  }

  #beginValue(): void {
    this.#valueFrom = this.#base + this.#at;
    if (this.#opaqueDepth === undefined) this.#enterValue();
    switch (this.#char()) {
      case openBrace:
        return this.#open(false);
      case openBracket:
        return this.#open(true);
      case quote:
        return this.#beginText(false);
      case 0x74:
        this.#literal(literalTrue, "true");
        break;
      case 0x66:
        this.#literal(literalFalse, "false");
        break;
      case 0x6e:
        this.#literal(literalNull, "null");
        break;
      default:
        this.#number();
    }
    this.#endValue();
  }

  #enterValue(): void {
    if (this.#levels.length === this.#apartDepth) this.#elements.push((this.#piece = new Piece(this.#valueFrom)));
    const { valuesMax, apartValuesMax } = this.#bounds,
      max = this.#piece === this.#whole ? valuesMax : apartValuesMax;
    if (++this.#piece.values > max) throw this.#tooMany(`it is one of more than ${max} values`, this.#levels);
    if (this.#shape?.opaque !== true) return;
    this.#opaqueDepth = this.#levels.length;
    this.#opaqueFrom = this.#valueFrom;
  }

  #endValue(): void {
    this.#next = afterValue;
    const depth = this.#levels.length;
    if (this.#opaqueDepth === depth) {
      this.#piece.cuts.push({ from: this.#opaqueFrom, to: this.#base + this.#at, by: "null" });
      this.#opaqueDepth = undefined;
    }
    if (this.#apartDepth === undefined) return;
    if (this.#apartDepth === depth) {
      this.#piece.to = this.#base + this.#at;
      this.#piece = this.#whole;
    } else if (this.#apartDepth === depth + 1) this.#leaveApart();
  }

  #enterApart(): void {
    this.#apartDepth = this.#levels.length;
    this.#apartFrom = this.#base + this.#at;
    this.#elements = [];
  }

  #leaveApart(): void {
    const from = this.#apartFrom,
      to = this.#base + this.#at;
    this.#whole.cuts.push({ from, to, by: "[]" });
    this.#apart = { path: this.#path(this.#levels), from, to, elements: this.#elements };
    this.#apartDepth = undefined;
  }

  #open(isList: boolean): void {
    const { depthMax } = this.#bounds;
    if (this.#levels.length === depthMax)
      throw unreadable(`nested deeper than ${depthMax} levels at character ${this.#charactersUntil(this.#at)}`);
    const shape = this.#opaqueDepth === undefined ? this.#shape : undefined;
    this.#levels.push({ isList, shape, count: 0, nameFrom: 0, nameTo: 0 });
    if (isList && shape?.apart === true) this.#enterApart();
    this.#at += 1;
    this.#next = firstOrEnd;
  }

  #close(): void {
    this.#at += 1;
    this.#levels.pop();
    this.#endValue();
  }

  #firstOrEnd(): void {
    if (this.#char() === (this.#level.isList ? closeBracket : closeBrace)) this.#close();
    else this.#beginMember();
  }

  #endOrNext(): void {
    const { isList } = this.#level,
      char = this.#char();
    if (char === comma) {
      this.#at += 1;
      this.#next = memberNext;
    } else if (char === (isList ? closeBracket : closeBrace)) this.#close();
    else throw this.#expected(isList ? "] or ," : "} or ,");
  }

  get #level(): Level {
    return this.#levels[this.#levels.length - 1]!;
  }

  #beginMember(): void {
    const level = this.#level;
    if (level.isList) {
      this.#countMember(level);
      this.#beginValue();
      return;
    }
    if (this.#char() !== quote) throw this.#expected('"');
    this.#beginText(true);
  }

  #passColon(): void {
    if (this.#char() !== colon) throw this.#expected(":");
    this.#at += 1;
    this.#countMember(this.#level);
    this.#next = valueNext;
  }

  #countMember(level: Level): void {
    const { elementsMax, apartElementsMax } = this.#bounds,
      max = this.#levels.length === this.#apartDepth ? apartElementsMax : elementsMax;
    if (++level.count > max && this.#opaqueDepth === undefined)
      throw this.#tooMany(`it has more than ${max} ${level.isList ? "elements" : "members"}`, this.#levels.slice(0, -1));
    this.#shape = level.shape === undefined ? undefined : this.#shapeIn(level, level.shape);
  }

  #shapeIn(level: Level, { members, each }: JsonShape): JsonShape | undefined {
    return (level.isList || members === undefined ? undefined : members.get(this.#nameOf(level))) ?? each;
  }

  #nameOf({ nameFrom, nameTo }: Level): string {
    const literal = this.utf8.between(nameFrom, nameTo);
    return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
  }

  /** The one at this place; there must be one. */
  #char(): number {
    if (this.#at >= this.#window.length) throw unreadable("exhausted input");
    return this.#window[this.#at]!;
  }

  #charAt(at: number): number {
    return at < this.#window.length ? this.#window[at]! : outside;
  }

  /** False: there are more of them than the window holds. */
  #skipBlank(): boolean {
    const window = this.#window,
      from = this.#at;
    let at = from;
    while (at < window.length) {
      const char = window[at]!;
      if (char !== space && char !== lineFeed && char !== carriageReturn && char !== tab) break;
      at += 1;
    }
    if (at === from && this.#blankFrom === outside) return true;
    if (this.#blankFrom === outside) this.#blankFrom = this.#base + from;
    this.#at = at;
    if (at === window.length && this.#hasMore) return false;
    this.#endBlank();
    this.#lookAhead();
    return true;
  }

  #endBlank(): void {
    const from = this.#blankFrom,
      to = this.#base + this.#at,
      isCutAnyway = this.#opaqueDepth !== undefined || (this.#apartDepth !== undefined && this.#piece === this.#whole);
    this.#blankFrom = outside;
    if (to - from > this.#bounds.cutFromBytes && !isCutAnyway) this.#piece.cuts.push({ from, to, by: "" });
  }

  #beginText(isName: boolean): void {
    this.#isInName = isName;
    this.#textFrom = this.#base + this.#at;
    this.#hasEscapes = false;
    this.#at += 1;
    this.#goOnInText();
  }

  /** To its end, or to that of the window. */
  #goOnInText(): void {
    const window = this.#window;
    let at = this.#at;
    for (;;) {
      if (at >= window.length) {
        this.#at = at;
        return this.#pauseInText();
      }
      const char = window[at]!;
      if (char === quote) break;
      if (char >= space && char !== backslash) {
        at += 1;
        continue;
      }
      this.#at = at;
      if (char !== backslash) throw this.#expected("no control character in a string");
      if (at + escapeBytesMax > window.length && this.#hasMore) return this.#pauseInText();
      this.#hasEscapes = true;
      at = this.#escape();
    }
    this.#at = at + 1;
    const from = this.#textFrom;
    this.#checkTextLength(at + this.#base - from - 1);
    this.#textFrom = outside;
    if (this.#isInName) this.#endName(from);
    else this.#endText(from);
  }

  #pauseInText(): void {
    const to = this.#base + this.#at;
    if (!this.#hasMore) throw unreadable("exhausted input");
    this.#checkTextLength(to - this.#textFrom - 1);
    if (this.#isLongBase64) this.#marks.push(to);
  }

  #endName(from: number): void {
    this.#isInName = false;
    const level = this.#level;
    level.nameFrom = from;
    level.nameTo = this.#base + this.#at;
    this.#countText(level.nameTo - from);
    this.#next = colonNext;
  }

  #endText(from: number): void {
    const to = this.#base + this.#at;
    if (this.#isLongBase64 && to - from > this.#bounds.cutFromBytes) this.#cutLong(from, to);
    else this.#countText(to - from);
    if (this.#marks.length > 0) this.#marks = [];
    this.#endValue();
  }

  #cutLong(from: number, to: number): void {
    const by = `${cutName}${this.#long.length.toString().padStart(8, "0")}`,
      steps = this.#levels.map((level) => (level.isList ? level.count - 1 : this.#nameOf(level)));
    this.#piece.cuts.push({ from, to, by: `"${by}"` });
    this.#long.push({ by, steps, marks: [from + 1, ...this.#marks, to - 1], hasEscapes: this.#hasEscapes });
  }

  get #isLongBase64(): boolean {
    return this.#shape?.base64 === true && !this.#isInName && this.#opaqueDepth === undefined && this.#apartDepth === undefined;
  }

  /** So far. */
  #checkTextLength(bytes: number): void {
    const { textBytesMax } = this.#bounds;
    if (bytes <= textBytesMax || this.#opaqueDepth !== undefined || this.#isLongBase64) return;
    throw this.#tooMany(
      `${this.#isInName ? "the name of a member of it" : "it"} is a text of more than ${textBytesMax} bytes`,
      this.#isInName ? this.#levels.slice(0, -1) : this.#levels,
    );
  }

  #countText(bytes: number): void {
    const { textsBytesMax } = this.#bounds;
    if (this.#opaqueDepth !== undefined || (this.#piece.textBytes += bytes) <= textsBytesMax) return;
    throw this.#tooMany(`texts up to it are more than ${textsBytesMax} bytes together`, this.#levels);
  }

  /** Gives the place behind it. */
  #escape(): number {
    this.#at += 1;
    const char = this.#char();
    if (char !== smallU) {
      if (!escaped.has(char)) throw this.#expected("an escape sequence");
      return this.#at + 1;
    }
    const first = this.#hexDigits();
    if (first === whole) return this.#at;
    const isPaired = first === highHalf && this.#charAt(this.#at) === backslash && this.#charAt(this.#at + 1) === smallU;
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
      if (!isHexDigit(this.#char())) throw this.#expected("hex digit");
    }
    this.#at += 1;
    if ((this.#window[from]! | 0x20) !== 0x64) return whole;
    const second = this.#window[from + 1]! | 0x20; // a small letter; figures stay as they are
    return second < 0x38 ? whole : second < 0x63 ? highHalf : lowHalf;
  }

  /** UTF-8 has no bytes for it, and only an escape can write it: what cannot be kept as it came is refused. */
  #halfOfPair(): Fault {
    const path = this.#path(this.#isInName ? this.#levels.slice(0, -1) : this.#levels);
    return unreadable(`half of a surrogate pair, which is no character, ${this.#isInName ? "in the name of a member of" : "at"} '${path}'`);
  }

  #literal(bytes: Uint8Array, word: string): void {
    for (let index = 0; index < bytes.length; index++) if (this.#charAt(this.#at + index) !== bytes[index]) throw this.#expected(word);
    this.#at += bytes.length;
  }

  #number(): void {
    const from = this.#at;
    this.#passNumber();
    if (this.#shape?.int64 === true && this.#opaqueDepth === undefined) this.#keepDigits(this.#base + from, this.#base + this.#at);
  }

  /** What is no such integer stays the number that it is, for a check to refuse. */
  #keepDigits(from: number, to: number): void {
    const digits = to - from <= int64CharsMax ? this.utf8.between(from, to) : "";
    if (/^-?\d+$/.test(digits) && !isExact(digits) && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits))
      this.#piece.cuts.push({ from, to, by: `"${digits}"` });
  }

  #passNumber(): void {
    const from = this.#at,
      first = this.#char();
    if (first !== minus && !isDigit(first)) throw this.#expected("json value");
    if (first === minus) this.#at += 1;
    if (this.#charAt(this.#at) === zero) this.#at += 1;
    else this.#digits(from);
    if (this.#charAt(this.#at) === point) this.#digits(from, 1);
    if ((this.#charAt(this.#at) | 0x20) !== 0x65) return;
    const sign = this.#charAt(this.#at + 1);
    this.#digits(from, sign === minus || sign === plus ? 2 : 1);
  }

  /** At least one, after some characters that were seen already. */
  #digits(from: number, seen = 0): void {
    this.#at += seen;
    if (!isDigit(this.#char())) throw this.#expected("digit");
    const { numberCharsMax } = this.#bounds,
      end = from + numberCharsMax;
    while (isDigit(this.#charAt(this.#at)) && this.#at <= end) this.#at += 1;
    if (this.#at > end) throw unreadable(`number longer than ${numberCharsMax} characters at character ${this.#charactersUntil(from)}`);
  }

  #charactersUntil(at: number): number {
    this.#passed.pass(this.#window, at);
    return this.#passed.characters;
  }

  #expected(what: string): Fault {
    const from = this.#base + this.#at,
      rest = this.utf8.between(from, Math.min(this.#bytes.length, from + shownBytesMax));
    const shown = rest.length > shownChars ? `${rest.slice(0, shownChars)}...` : rest;
    this.#passed.pass(this.#window, this.#at);
    return unreadable(`expected ${what} got '${shown}' (line ${this.#passed.line}, column ${this.#passed.column})`);
  }

  #tooMany(message: string, levels: readonly Level[]): Fault {
    return new Fault({ kind: "tooMany", path: this.#path(levels), message });
  }

  #path(levels: readonly Level[]): string {
    const steps = levels.map((level) => (level.isList ? `[${level.count - 1}]` : `.${shortName(this.#nameOf(level))}`));
    return steps.join("").replace(/^\./, "") || "the body";
  }
}

const nameCharsMax = 100;
const shortName = (name: string): string => (name.length > nameCharsMax ? `${name.slice(0, nameCharsMax)}...` : name);

const literalTrue = Buffer.from("true"),
  literalFalse = Buffer.from("false"),
  literalNull = Buffer.from("null");
const unreadable = (message: string): Fault => new Fault({ kind: "unreadable", message });
const isDigit = (char: number): boolean => char >= zero && char <= nine;
const isHexDigit = (char: number): boolean => isDigit(char) || ((char | 0x20) >= 0x61 && (char | 0x20) <= 0x66);
