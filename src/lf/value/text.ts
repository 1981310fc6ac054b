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

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

declare global {
  /** ES2024; in Node since 20. */
  interface String {
    isWellFormed(): boolean;
  }
}
