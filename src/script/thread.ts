/** The entry of a thread that runs scripts. */
import { wholeTurn } from "../base/turns.js";
import { limits } from "../config.js";
import type { FoundScript } from "./find-scripts.js";
import type { ScriptOutcome } from "./outcome.js";
import { type DarPackages, ScriptPackages, ScriptThread } from "./packages.js";
import { type MemoryRunOptions, runInMemory } from "./run-in-memory.js";
import { runSession, type Session, type SessionOutcome } from "./session.js";

export type ScriptTask =
  | { readonly kind: "script"; readonly run: ScriptToRun }
  | { readonly kind: "session"; readonly session: Session }
  | { readonly kind: "ping" };

export interface ScriptToRun {
  readonly dar: DarPackages;
  readonly script: FoundScript;
  readonly options: MemoryRunOptions;
}

export type ScriptReply = ScriptOutcome | readonly SessionOutcome[] | undefined;

let thread = new ScriptThread();
/** By the main package, whose id says everything about the others. */
const opened = new Map<string, ScriptPackages>();

export default async function run(task: ScriptTask): Promise<ScriptReply> {
  switch (task.kind) {
    case "script":
      return runInMemory(packagesOf(task.run.dar), task.run.script, task.run.options);
    case "session":
      return runSession(packagesOf(task.session.dar), task.session);
    case "ping":
      await wholeTurn();
      return undefined;
  }
}

function packagesOf(dar: DarPackages): ScriptPackages {
  const known = opened.get(dar.main);
  if (known !== undefined) return known;
  if (thread.packageCount > limits.scriptPackagesKeptMax) {
    thread = new ScriptThread();
    opened.clear();
  }
  const packages = new ScriptPackages(dar, thread);
  opened.set(dar.main, packages);
  return packages;
}
