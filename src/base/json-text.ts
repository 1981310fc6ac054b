/** JSON of texts. Most are short, of ASCII and without anything to escape, which a pattern tells faster than an encoder. */

const plainCharsMax = 256,
  plain = /^[ !#-[\]-~]*$/;

/** With its quotes. */
export const jsonText = (text: string): string => (isPlain(text) ? `"${text}"` : JSON.stringify(text));

/** What stands between the quotes. */
export const jsonTextInside = (text: string): string => (isPlain(text) ? text : JSON.stringify(text).slice(1, -1));

const isPlain = (text: string): boolean => text.length <= plainCharsMax && plain.test(text);
