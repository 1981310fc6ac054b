/**
 * What a file exports is for others. Names are looked for in what others import; the face of a folder imports nothing for itself. Types are
 * left out: they say what a function takes and gives, also where nobody else calls them by name.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "../support/paths.js";

const files = ["src", "test", "bench"]
    .flatMap((folder) =>
      readdirSync(join(repositoryRoot(), folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    )
    .filter((file) => /\.(?:c?ts|tsx|mjs)$/.test(file)),
  texts = new Map(files.map((file) => [file, readFileSync(join(repositoryRoot(), file), "utf8")]));

const wordsOf = (text: string): readonly string[] => text.match(/[\w$]+/g) ?? [];
const matches = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found]) => found!);

/** What is imported as a whole, or while the program runs, is named anywhere in the text. */
const importsAsWhole = /\bimport\s*\*\s*as\b|\bimport\(/;
/** Compiled code, and the tables that it is made by, name what they call in texts. */
const isNamedInTexts = (file: string): boolean => file.startsWith(join("src", "lf", "runtime"));

function namedBy(file: string, text: string): readonly string[] {
  const isFace = file.endsWith("index.ts"),
    clauses = isFace ? /^(?:import)\b([^;"'=]*?)\bfrom\b/gm : /^(?:import|export)\b([^;"'=]*?)\bfrom\b/gm;
  return importsAsWhole.test(text) ? wordsOf(text) : matches(text, clauses).flatMap(wordsOf);
}

function filesByWord(words: (file: string, text: string) => readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [file, text] of texts) for (const word of words(file, text)) found.set(word, (found.get(word) ?? new Set()).add(file));
  return found;
}

test("house: whatever is exported is imported somewhere", () => {
  const importing = filesByWord(namedBy),
    naming = filesByWord((_, text) => wordsOf(text)),
    declared = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|enum)\s+([\w$]+)/gm;
  const exported = files
    .filter((file) => file.startsWith("src"))
    .flatMap((file) => matches(texts.get(file)!, declared).map((name) => ({ file, name })));
  assert.ok(exported.length > 1_000);
  const forNobody = exported.filter(({ file, name }) =>
    [...((isNamedInTexts(file) ? naming : importing).get(name) ?? [])].every((user) => user === file),
  );
  assert.deepEqual(
    forNobody.map(({ file, name }) => `${file}: ${name}`),
    [],
  );
});
