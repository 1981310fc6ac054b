/** What code of a script says by `trace`, within bounds: the lines grow as it says more, until the next script begins. */
import { limits } from "../config.js";
import type { ScriptPackages } from "./packages.js";

export function traceOf(packages: ScriptPackages): readonly string[] {
  const trace: string[] = [];
  packages.thread.onTrace = (message) => {
    if (trace.length < limits.scriptTraceLinesMax) trace.push(message.slice(0, limits.scriptTraceCharsMax));
    else if (trace.length === limits.scriptTraceLinesMax) trace.push("... (what follows is left out)");
  };
  return trace;
}
