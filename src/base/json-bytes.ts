/** What stands between the values of JSON: the bytes of UTF-8, which are also the units of a text. */

export const quote = 0x22,
  comma = 0x2c,
  colon = 0x3a,
  openBracket = 0x5b,
  backslash = 0x5c,
  closeBracket = 0x5d,
  openBrace = 0x7b,
  closeBrace = 0x7d;
