/** The entry of a thread that runs scripts. */
import { assert } from "../base/assert.js";
import type { FoundScript } from "./find-scripts.js";
import type { ScriptOutcome } from "./outcome.js";
import { type DarPackages, ScriptPackages, ScriptThread } from "./packages.js";
import { type MemoryRunOptions, runInMemory } from "./run-in-memory.js";

export type ScriptTask = ScriptToRun | "ping";

export interface ScriptToRun {
  readonly dar: DarPackages;
  readonly script: FoundScript;
  readonly options: MemoryRunOptions;
}

const thread = new ScriptThread();
/** By the main package, whose id says everything about the others. */
const opened = new Map<string, ScriptPackages>();

export default async function run(task: ScriptTask): Promise<ScriptOutcome | undefined> {
  return task === "ping" ? undefined : runScript(task);
}

function runScript({ dar, script, options }: ScriptToRun): Promise<ScriptOutcome> {
  let packages = opened.get(dar.main);
  if (packages === undefined) opened.set(dar.main, (packages = new ScriptPackages(dar, thread)));
  assert(script.parameter === undefined, "a script that runs by itself has no parameter");
  return runInMemory(packages, script, options);
}
