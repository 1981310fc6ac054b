/** SQL's LIKE '%pattern%' on text: `%` stands for any characters, `_` for one, and behind `\` each for itself. In at most text times pattern steps. */
export function contains(text: string, pattern: string): boolean {
  const like = tokensOf(`%${pattern}%`);
  let at = 0,
    expected = 0,
    star = -1,
    resume = 0;
  while (at < text.length) {
    if (like[expected] === any) {
      star = expected++;
      resume = at;
    } else if (expected < like.length && (like[expected] === one || like[expected] === text[at])) {
      at++;
      expected++;
    } else if (star >= 0) {
      expected = star + 1;
      at = ++resume;
    } else return false;
  }
  while (like[expected] === any) expected++;
  return expected === like.length;
}

const any = Symbol("any characters"),
  one = Symbol("one character");
type Token = string | typeof any | typeof one;

function tokensOf(like: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < like.length; at++) {
    const character = like[at]!;
    if (character === "\\" && at + 1 < like.length) tokens.push(like[++at]!);
    else tokens.push(character === "%" ? any : character === "_" ? one : character);
  }
  return tokens;
}
