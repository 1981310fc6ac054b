/** JSON for security decisions: an object whose members are unambiguous. */

/** Undefined when the text is no JSON object, or names a member twice anywhere (RFC 8725, 2.4: parsers disagree then). */
export function parseStrictObject(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || hasDuplicateMember(text)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** The text is known to be JSON: a text right before a colon is the name of a member. */
function hasDuplicateMember(text: string): boolean {
  const open: Set<string>[] = [];
  let last = "";
  for (const [piece] of text.matchAll(token)) {
    if (piece === "{" || piece === "[") open.push(new Set());
    else if (piece === "}" || piece === "]") open.pop();
    else if (piece === ":") {
      const names = open.at(-1)!;
      const name = JSON.parse(last) as string;
      if (names.has(name)) return true;
      names.add(name);
    }
    last = piece;
  }
  return false;
}
