/** JSON whose numbers keep all their digits: `JSON.parse` rounds them to doubles. */
import { fail, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";

export class JsonNumber {
  constructor(readonly text: string) {}
  /** For excerpts in messages. */
  toJSON(): number {
    return Number(this.text);
  }
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|-?[0-9][0-9.eE+-]*/g;

/** A sentence says what is wrong, without its subject. */
export function parseExactJson(text: string): Result<unknown, string> {
  try {
    JSON.parse(text);
  } catch (error) {
    return fail(`is no JSON: ${(error as Error).message}`);
  }
  // Each number gives way to its index, so that a number of the parsed value is never anything else.
  const numbers: JsonNumber[] = [];
  let depth = 0,
    depthMax = 0;
  const indexed = text.replaceAll(token, (piece) => {
    if (piece.startsWith('"')) return piece;
    if (piece === "[" || piece === "{") depthMax = Math.max(depthMax, ++depth);
    else if (piece === "]" || piece === "}") depth--;
    else return String(numbers.push(new JsonNumber(piece)) - 1);
    return piece;
  });
  if (depthMax > limits.scriptInputDepthMax) return fail(`is nested deeper than ${limits.scriptInputDepthMax} levels`);
  return ok(JSON.parse(indexed, (_, value: unknown) => (typeof value === "number" ? numbers[value] : value)));
}
