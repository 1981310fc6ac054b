/**
 * The first fault of a text that is not JSON (RFC 8259): what was expected, what stands there, and where. V8 tells it in other words
 * in every version, and not always where.
 */

const shownChars = 6;
const whitespace = new Set([" ", "\t", "\n", "\r"]);
const escapes = new Set(['"', "\\", "/", "b", "f", "n", "r", "t"]);

class Fault {
  constructor(readonly message: string) {}
}

/** Undefined when there is none. Nesting is the caller's to bound. */
export function syntaxFault(text: string): string | undefined {
  try {
    new Scanner(text).document();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) { this.#text = text; }

  document(): void {
    this.#value();
    this.#blank();
    if (this.#at < this.#text.length) throw this.#expected("whitespace or eof");
  }

  /** The character at this place; there must be one. */
  get #next(): string {
    const next = this.#text[this.#at];
    if (next === undefined) throw new Fault("exhausted input");
    return next;
  }

  #expected(what: string): Fault {
    const before = this.#text.slice(0, this.#at), rest = this.#text.slice(this.#at);
    const shown = rest.length > shownChars ? `${rest.slice(0, shownChars)}...` : rest;
    return new Fault(`expected ${what} got '${shown}' (line ${before.split("\n").length}, column ${this.#at - before.lastIndexOf("\n")})`);
  }

  #blank(): void {
    while (whitespace.has(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  #value(): void {
    this.#blank();
    switch (this.#next) {
      case "{": return this.#members("}", "} or ,", () => this.#member());
      case "[": return this.#members("]", "] or ,", () => this.#value());
      case '"': return this.#string();
      case "t": return this.#literal("true");
      case "f": return this.#literal("false");
      case "n": return this.#literal("null");
      default: return this.#number();
    }
  }

  #members(end: string, endOrNext: string, member: () => void): void {
    this.#at += 1;
    this.#blank();
    if (this.#took(end)) return;
    do {
      member();
      this.#blank();
      if (this.#took(end)) return;
    } while (this.#took(","));
    throw this.#expected(endOrNext);
  }

  #took(char: string): boolean {
    if (this.#next !== char) return false;
    this.#at += 1;
    return true;
  }

  #member(): void {
    this.#blank();
    if (this.#next !== '"') throw this.#expected('"');
    this.#string();
    this.#blank();
    if (!this.#took(":")) throw this.#expected(":");
    this.#value();
  }

  #string(): void {
    this.#at += 1;
    while (!this.#took('"')) {
      if (this.#next < " ") throw this.#expected("no control character in a string");
      if (this.#took("\\")) this.#escape();
      else this.#at += 1;
    }
  }

  #escape(): void {
    if (!this.#took("u")) {
      if (!escapes.has(this.#next)) throw this.#expected("an escape sequence");
      this.#at += 1;
    } else for (let digits = 0; digits < 4; digits += 1) {
      if (!/[0-9a-fA-F]/.test(this.#next)) throw this.#expected("hex digit");
      this.#at += 1;
    }
  }

  #literal(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) throw this.#expected(word);
    this.#at += word.length;
  }

  #number(): void {
    if (!/[-0-9]/.test(this.#next)) throw this.#expected("json value");
    this.#takeIf(/-/);
    if (!this.#takeIf(/0/)) this.#digits();
    if (this.#takeIf(/\./)) this.#digits();
    if (!this.#takeIf(/[eE]/)) return;
    this.#takeIf(/[-+]/);
    this.#digits();
  }

  #takeIf(pattern: RegExp): boolean {
    const found = pattern.test(this.#text[this.#at] ?? "");
    if (found) this.#at += 1;
    return found;
  }

  #digits(): void {
    if (!/\d/.test(this.#next)) throw this.#expected("digit");
    while (this.#takeIf(/\d/));
  }
}
