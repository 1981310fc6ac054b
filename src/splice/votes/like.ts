/** SQL's LIKE '%pattern%' on text: `%` stands for any characters, `_` for one. In at most text times pattern steps. */
export function contains(text: string, pattern: string): boolean {
  const like = `%${pattern}%`;
  let at = 0,
    expected = 0,
    star = -1,
    resume = 0;
  while (at < text.length) {
    if (like[expected] === "%") {
      star = expected++;
      resume = at;
    } else if (expected < like.length && (like[expected] === "_" || like[expected] === text[at])) {
      at++;
      expected++;
    } else if (star >= 0) {
      expected = star + 1;
      at = ++resume;
    } else return false;
  }
  while (like[expected] === "%") expected++;
  return expected === like.length;
}
