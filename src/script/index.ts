/** Daml Script: finds the scripts of packages and runs them, on a ledger in memory or on a node. */
export { DarLoader, type LoadedScripts } from "./load.js";
export type { FoundScript } from "./find-scripts.js";
export { type DarPackages, ScriptPackages, ScriptThread } from "./packages.js";
export { runInMemory, type MemoryRunOptions } from "./run-in-memory.js";
export { listScripts, scriptCommand, type ScriptList, type ScriptOptions, type StartSandbox } from "./script-command.js";
export { testCommand, type Output, type TestOptions } from "./test-command.js";
export { showScript, type ScriptOutcome } from "./outcome.js";
