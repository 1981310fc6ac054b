/** Small wrongs done to built code: what a careless hand could do in one place. */
import type { Random } from "../../support/random.js";

interface Wrong {
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: (match: string) => string;
}

const wrongs: readonly Wrong[] = [
  { name: "equality", pattern: / (?:===|!==) /g, instead: (match) => (match === " === " ? " !== " : " === ") },
  {
    name: "bound",
    pattern: / (?:<=|>=|<|>) (?!=)/g,
    instead: (match) => ({ " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > " })[match]!,
  },
  { name: "junction", pattern: / (?:&&|\|\|) /g, instead: (match) => (match === " && " ? " || " : " && ") },
  { name: "condition", pattern: /\bif \(/g, instead: () => "if (true || " },
  { name: "condition", pattern: /\bif \(/g, instead: () => "if (false && " },
  {
    name: "verdict",
    pattern: /\breturn (?:true|false);/g,
    instead: (match) => (match.includes("true") ? "return false;" : "return true;"),
  },
  { name: "step", pattern: / [+-] 1\b/g, instead: (match) => (match === " + 1" ? " - 1" : " + 1") },
  { name: "statement", pattern: /^ +(?:group|batch|this|[a-z]+)(?:\.[#\w]+)+\([^;{}]*\);$/gm, instead: () => ";" },
];

export interface Mutant {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly before: string;
  readonly source: string;
}

/** Every place that can be made wrong, in every way. */
export function placesIn(source: string): readonly { readonly wrong: Wrong; readonly at: number; readonly match: string }[] {
  return wrongs
    .flatMap((wrong) => [...source.matchAll(wrong.pattern)].map((match) => ({ wrong, at: match.index, match: match[0] })))
    .filter(({ at }) => !isComment(source, at));
}

function isComment(source: string, at: number): boolean {
  const line = source.slice(source.lastIndexOf("\n", at) + 1, at + 1).trimStart();
  return line.startsWith("//") || line.startsWith("*") || line.startsWith("/*") || line.startsWith("import ");
}

export function mutantOf(file: string, source: string, random: Random): Mutant {
  const { wrong, at, match } = random.one(placesIn(source)),
    line = source.slice(0, at).split("\n").length;
  return {
    file,
    name: wrong.name,
    line,
    before: source.split("\n")[line - 1]!.trim(),
    source: source.slice(0, at) + wrong.instead(match) + source.slice(at + match.length),
  };
}
