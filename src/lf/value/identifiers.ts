/** Grammars of the names in values and contracts (Daml-LF specification, identifiers). A check gives what is wrong, or undefined. */

type Check = (text: string) => string | undefined;

const identifier =
  (description: string, allowed: RegExp, lengthMax: number): Check =>
  (text) => {
    if (text.length === 0) return `${description} is empty`;
    if (text.length > lengthMax) return `${description} is longer than ${lengthMax} characters`;
    return allowed.test(text) ? undefined : `${description} ${JSON.stringify(text)} has a character that is not allowed`;
  };

export const checkParty = identifier("party", /^[A-Za-z0-9:\-_ ]+$/, 255);
export const checkPackageId = identifier("package id", /^[A-Za-z0-9\-_ ]+$/, 64);
export const checkPackageName = identifier("package name", /^[A-Za-z0-9\-_]+$/, 255);
/** Constructors, fields, choices and the segments of dotted names. */
export const checkName = identifier("name", /^[A-Za-z$_][A-Za-z0-9$_]*$/, 1000);

export function checkDottedName(segments: readonly string[]): string | undefined {
  if (segments.length === 0) return "dotted name is empty";
  if (segments.reduce((sum, segment) => sum + segment.length, segments.length - 1) > 1000)
    return "dotted name is longer than 1000 characters";
  for (const segment of segments) {
    const wrong = checkName(segment);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
