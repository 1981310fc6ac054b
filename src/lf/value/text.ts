/** Text as the ledger holds it: Unicode without NUL and without lone surrogates. */

/** Why a text cannot become a ledger value, in the reference's words (they are arguments of its errors), or undefined. */
export function malformedText(text: string): string | undefined {
  if (text.isWellFormed() && !text.includes("\u0000")) return undefined;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0) return "Text contains null character";
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (unit >= 0xdc00) return "Text contains unpaired low surrogate";
    if (!isLowSurrogate(text.charCodeAt(i + 1))) return "Text contains unpaired high surrogate";
    i++;
  }
  return undefined;
}

export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
export const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Order by code point. Native `<` orders by UTF-16 unit, which puts surrogate pairs before U+E000..U+FFFF. */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index),
      right = b.charCodeAt(index);
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

declare global {
  /** ES2024; in Node since 20. */
  interface String {
    isWellFormed(): boolean;
  }
}
