/** What a validator found, in the words of the plain-text 400: field, and what was expected. */
import type { IValidation, TypeGuardError } from "typia";

export type Problem = IValidation.IError;

export const problemsShown = 5;
const valueCharsMax = 120;

export function problemsText(problems: readonly Problem[]): string {
  const shown = problems.slice(0, problemsShown).map(problemText);
  if (problems.length > problemsShown) shown.push(`and ${problems.length - problemsShown} more`);
  return shown.join(", ");
}

/** As a validator answers, but with one fault only. */
export function untilFirstProblem<B>(value: unknown, assert: (input: unknown) => B): IValidation<B> {
  try {
    return { success: true, data: assert(value) };
  } catch (error) {
    if (!isTypeGuardError(error)) throw error;
    return { success: false, data: value, errors: [{ path: error.path ?? "$input", expected: error.expected, value: error.value }] };
  }
}

/** By its shape: to import the class would load all of typia. */
const isTypeGuardError = (error: unknown): error is TypeGuardError => error instanceof Error && "expected" in error && "value" in error;

function problemText({ path, expected, value }: Problem): string {
  const at = path === "$input" ? "" : ` at '${path.replace(/^\$input\.?/, "")}'`;
  if (value === undefined) return `Missing required field${at}`;
  return `${wrong(value, expected)}${at}`;
}

function wrong(value: unknown, expected: string): string {
  if (typeof value === "string") {
    const form = forms.find(([pattern]) => expected.includes(pattern));
    if (form !== undefined) return form[1](value.slice(0, valueCharsMax));
  }
  return `Got value '${shortened(value)}' with wrong type, expecting ${expectation(expected)}`;
}

function shortened(value: unknown): string {
  const text = jsonStart(value, valueCharsMax);
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}..` : text;
}

/** JSON of a value, or at least so many characters of it: the value may be the whole request. */
function jsonStart(value: unknown, chars: number): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, chars));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value),
    members = value as Readonly<Record<string, unknown>>;
  let text = "";
  for (const name in members) {
    if (text.length > chars) break;
    text += `${text === "" ? "" : ","}${isList ? "" : `${jsonStart(name, chars)}:`}${jsonStart(members[name], chars - text.length)}`;
  }
  return isList ? `[${text}]` : `{${text}}`;
}

const identifierPattern = "[^:]*:[^:]*:[^:]+",
  base64Pattern = "[A-Za-z0-9+/]{4}";

/** Canton has words of its own for texts that are not of these forms, and clients look for them. */
const forms: readonly (readonly [pattern: string, (text: string) => string])[] = [
  [
    identifierPattern,
    (text) => `Invalid identifier format (${text}) not matching the expected format (<package>:<moduleName>:<entityName>)`,
  ],
  [base64Pattern, (text) => `The string is not a valid Base64: ${text}`],
];

/** Words for the patterns of `ledger/types/scalars.ts`; typia prints type expressions. */
const patterns: readonly (readonly [string, string])[] = [
  [identifierPattern, "an identifier <package>:<module>:<entity>"],
  [base64Pattern, "base64 text"],
  ["[0-9]{4,6}-", "an ISO 8601 instant with a zone"],
  ["[0-9]{5,9}", "an ISO 8601 instant with a zone"],
  ["CRYPTO_KEY_FORMAT_", "the name of a key format"],
  ["SIGNING_KEY_SPEC_", "the name of a key specification"],
  ["SIGNATURE_FORMAT_", "the name of a signature format"],
  ["SIGNING_ALGORITHM_SPEC_(", "the name of a signing algorithm"],
  ["-?1?[0-9]{1,9}", "a 32 bit integer"],
  ["[+-]?[0-9]{1,19}", "a 64 bit integer"],
  ['Type<"int32">', "a 32 bit integer"],
  ['Type<"int64">', "a 64 bit integer"],
];

function expectation(expected: string): string {
  const known = patterns.find(([pattern]) => expected.includes(pattern));
  if (known !== undefined) return known[1];
  const bare = expected.replace(/^\(?(?:null \| |undefined \| )*|\)$/g, "");
  if (/^(?:Readonly)?Array</.test(bare)) return "array";
  if (/^(?:Readonly<)?Record</.test(bare)) return "object";
  const arms = bare.split(" | ").filter((arm) => arm !== "undefined" && arm !== "null");
  if (arms.every((arm) => /^[\w."<>]+$/.test(arm)) && arms.some((arm) => arm.endsWith("Case")))
    return `an object with one of the fields ${arms.map((arm) => arm.replace(/Case$/, "")).join(", ")}`;
  if (arms.every((arm) => arm.startsWith('"'))) return `one of ${arms.map((arm) => arm.slice(1, -1)).join(", ")}`;
  return arms.join(" or ");
}
