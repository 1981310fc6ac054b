/**
 * The ledger's own JSON, which has no white space, cut where its values begin and end: most of what Scan prints is there as
 * it is, and need not be read to be printed again.
 */
import { assert } from "../../base/assert.js";
import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from "../../base/json-bytes.js";
import type { Steps } from "../../base/steps.js";

/** The members of an object, by their names: the text of each value. */
export function membersOf(object: string): ReadonlyMap<string, string> {
  assert(object.charCodeAt(0) === openBrace, "an object begins with a brace");
  const members = new Map<string, string>();
  for (let at = 1; object.charCodeAt(at) === quote;) {
    const nameEnd = endOfText(object, at),
      valueEnd = endOfValue(object, nameEnd + 1);
    members.set(object.slice(at + 1, nameEnd - 1), object.slice(nameEnd + 1, valueEnd));
    at = valueEnd + 1; // behind a comma, or the brace
  }
  return members;
}

/** The same of an object with a list that may be long: the texts of its elements come by themselves. */
export function* membersWithList(
  object: string,
  list: string,
): Steps<{ readonly members: ReadonlyMap<string, string>; readonly elements: readonly string[] }> {
  assert(object.charCodeAt(0) === openBrace, "an object begins with a brace");
  const members = new Map<string, string>(),
    elements: string[] = [];
  for (let at = 1; object.charCodeAt(at) === quote;) {
    const nameEnd = endOfText(object, at),
      name = object.slice(at + 1, nameEnd - 1);
    let end = nameEnd + 1;
    if (name === list) {
      end++; // behind its first bracket
      while (object.charCodeAt(end) !== closeBracket) {
        const elementEnd = endOfValue(object, end);
        elements.push(object.slice(end, elementEnd));
        end = object.charCodeAt(elementEnd) === comma ? elementEnd + 1 : elementEnd;
        yield;
      }
      end++;
    } else {
      end = endOfValue(object, end);
      members.set(name, object.slice(nameEnd + 1, end));
    }
    at = end + 1; // behind a comma, or the brace
  }
  return { members, elements };
}

/** The text of one member of an object; undefined where it has none of the name. */
export function memberOf(object: string, name: string): string | undefined {
  assert(object.charCodeAt(0) === openBrace, "an object begins with a brace");
  for (let at = 1; object.charCodeAt(at) === quote;) {
    const nameEnd = endOfText(object, at),
      valueEnd = endOfValue(object, nameEnd + 1);
    if (nameEnd - at - 2 === name.length && object.startsWith(name, at + 1)) return object.slice(nameEnd + 1, valueEnd);
    at = valueEnd + 1; // behind a comma, or the brace
  }
  return undefined;
}

/** The text of each element of an array. */
export function elementsOf(array: string): readonly string[] {
  assert(array.charCodeAt(0) === openBracket, "an array begins with a bracket");
  const elements: string[] = [];
  for (let at = 1; at < array.length - 1;) {
    const end = endOfValue(array, at);
    elements.push(array.slice(at, end));
    at = end + 1;
  }
  return elements;
}

export function endOfValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === quote) return endOfText(text, at);
  if (first === openBrace || first === openBracket) return endOfNested(text, at);
  for (let end = at; ; end++) {
    const code = text.charCodeAt(end);
    if (code === comma || code === closeBrace || code === closeBracket) return end;
  }
}

function endOfNested(text: string, at: number): number {
  for (let depth = 0, end = at; ; end++) {
    const code = text.charCodeAt(end);
    if (code === quote) end = endOfText(text, end) - 1;
    else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return end + 1;
  }
}

/** Behind the closing quote of the text that begins at `at`. */
export function endOfText(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
}
