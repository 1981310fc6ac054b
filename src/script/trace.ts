/** What code of a script says by `trace`, within bounds: the lines grow as it says more, until the next script begins. */
import { limits } from "../config.js";
import type { ScriptPackages } from "./packages.js";

/** `tell`: each line, as it is said. */
export function traceOf(packages: ScriptPackages, tell: (line: string) => void = () => undefined): readonly string[] {
  const trace: string[] = [];
  packages.thread.onTrace = (message) => {
    if (trace.length > limits.scriptTraceLinesMax) return;
    const line =
      trace.length < limits.scriptTraceLinesMax ? message.slice(0, limits.scriptTraceCharsMax) : "... (what follows is left out)";
    trace.push(line);
    tell(line);
  };
  return trace;
}

const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\n": "\\n",
  "\t": "\\t",
  "\f": "\\f",
  "\r": "\\r",
};

/** As the reference writes what is said: in one line, and in ASCII. */
export const traceLine = (message: string): string =>
  message.replaceAll(/["\\]|[^ -~]/g, (character) => named[character] ?? (character === "\x7f" ? character : codeUnits(character)));

const codeUnits = (text: string): string => `\\u${text.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
