/**
 * Half of a surrogate pair is no character, and UTF-8 has no bytes for it: only an escape in JSON can write one. It cannot
 * be kept as it came, so a body with one is refused, with its place.
 */
const backslash = 0x5c;
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const keyCharsMax = 120;

/** What is wrong with the strings of a body, if anything; `value` was parsed from `text`. */
export function loneSurrogate(text: string, value: unknown): string | undefined {
  const place = hasLoneEscape(text) ? placeIn(value) : undefined;
  return place === undefined ? undefined : `half of a surrogate pair, which is no character${place === "" ? "" : ` at '${place.replace(/^\./, "")}'`}`;
}

function hasLoneEscape(text: string): boolean {
  const first = text.search(surrogateEscape);
  for (let at = first < 0 ? text.length : runStart(text, first); at < text.length; at++) {
    if (text.charCodeAt(at) !== backslash) continue;
    const half = halfAt(text, at);
    if (half === "low" || (half === "high" && halfAt(text, at + 6) !== "low")) return true;
    at += half === "high" ? 11 : 1; // what an escape has behind its second character holds no backslash
  }
  return false;
}

/** Where the backslashes before and at this index begin: behind an odd number of them this one is a character itself. */
function runStart(text: string, at: number): number {
  let start = at;
  while (text.charCodeAt(start - 1) === backslash) start--;
  return start;
}

/** The half that the escape at this index writes: D800 to DBFF, or DC00 to DFFF. */
function halfAt(text: string, at: number): "high" | "low" | undefined {
  const isEscape = text.charCodeAt(at) === backslash && text.charCodeAt(at + 1) === 0x75 && (text.charCodeAt(at + 2) | 0x20) === 0x64;
  if (!isEscape) return undefined;
  const digit = text.charCodeAt(at + 3) | 0x20; // small letter; figures stay as they are
  if (digit === 0x38 || digit === 0x39 || digit === 0x61 || digit === 0x62) return "high";
  return digit >= 0x63 && digit <= 0x66 ? "low" : undefined;
}

/** Undefined when the half is not in the value: of members with one name the last counts. */
function placeIn(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const below = placeIn(value[index]);
      if (below !== undefined) return `[${index}]${below}`;
    }
    return undefined;
  }
  for (const key in value) {
    if (!key.isWellFormed()) return step(key);
    const below = placeIn((value as Readonly<Record<string, unknown>>)[key]);
    if (below !== undefined) return `${step(key)}${below}`;
  }
  return undefined;
}

function step(key: string): string {
  const shown = key.length > keyCharsMax ? `${key.slice(0, keyCharsMax)}...` : key;
  return /^[A-Za-z_$][\w$]*$/.test(shown) ? `.${shown}` : `[${JSON.stringify(shown)}]`;
}
